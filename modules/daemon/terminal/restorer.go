//go:build unix

package terminal

import (
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/ansi"
)

// ttyRestorer is a small shell that outlives the wrapper: when that is killed it puts
// the person's terminal back. Without sh and stty there is none.
type ttyRestorer struct {
	cmd  *exec.Cmd
	pipe *os.File
}

// guarding reads a word that says that all is well, else the end of the tie.
// The modes it resets are those that full-screen programs set.
const guarding = `read -r word <&3; [ "$word" = released ] && exit; stty "$1"; printf "$2"`

func newTTYRestorer(terminal *os.File) *ttyRestorer {
	save := exec.Command("stty", "-g")
	save.Stdin = terminal
	modes, err := save.Output()
	if err != nil {
		return nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer func() { _ = read.Close() }()
	undo := ansi.ResetMode(left...) + ansi.SetModeTextCursorEnable + ansi.ResetStyle
	cmd := exec.Command("sh", "-c", guarding, "carryover-guard", strings.TrimSpace(string(modes)), strings.ReplaceAll(undo, "\x1b", `\033`)+`\r\n`)
	cmd.Stdin, cmd.Stdout, cmd.ExtraFiles = terminal, terminal, []*os.File{read}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no signal of the terminal reaches it
	if cmd.Start() != nil {
		_ = write.Close()
		return nil
	}
	return &ttyRestorer{cmd: cmd, pipe: write}
}

// release ends the guard; the terminal is as it was.
func (g *ttyRestorer) release() {
	if g == nil {
		return
	}
	_, _ = g.pipe.WriteString("released\n")
	_ = g.pipe.Close()
	_ = g.cmd.Wait()
}
