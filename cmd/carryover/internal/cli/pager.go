package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/term"
)

// pager holds what a command prints until that is longer than the terminal, and then
// gives it to the pager: what fits is printed as ever, and starts no program.
type pager struct {
	to     *os.File
	argv   []string
	height int    // lines of the terminal; 0: all is given to the pager
	less   string // options of less, where the person has set none
	start  func(argv []string, less string, to *os.File) (io.WriteCloser, func(), error)

	held  bytes.Buffer
	lines int
	in    io.WriteCloser // of the pager, once it runs
	wait  func()
	plain bool // it could not be started
}

// PagerOf is the person's pager as a command line: CARRYOVER_PAGER, else PAGER, else
// less. Nothing when they want none, or when there is none.
func PagerOf(getenv func(string) (string, bool), look func(string) (string, error)) []string {
	for _, name := range []string{"CARRYOVER_PAGER", "PAGER"} {
		if asked, set := getenv(name); set {
			argv := strings.Fields(asked)
			if len(argv) == 0 || argv[0] == "cat" {
				return nil
			}
			return argv
		}
	}
	if _, err := look("less"); err != nil {
		return nil
	}
	return []string{"less"}
}

// BeginPager has what follows shown by the pager if it is longer than the terminal.
// Nothing changes where stdout is no terminal, with --json and with --no-pager.
func (a *App) BeginPager() {
	if a.pager != nil || a.JSON || a.NoPager || ScreenOf().Width == 0 {
		return
	}
	argv := PagerOf(os.LookupEnv, exec.LookPath)
	_, height, err := term.GetSize(int(os.Stdout.Fd()))
	if len(argv) == 0 || err != nil || height < 2 {
		return
	}
	a.usePager(&pager{to: os.Stdout, argv: argv, height: height, less: "FRX", start: startPager})
}

// BeginWholePager has all that follows shown by the pager, on a screen of its own. ok is
// false where there is no pager; then nothing changes.
func (a *App) BeginWholePager() (ok bool) {
	argv := PagerOf(os.LookupEnv, exec.LookPath)
	if a.NoPager || len(argv) == 0 {
		return false
	}
	a.usePager(&pager{to: os.Stdout, argv: argv, less: "R", start: startPager})
	return true
}

func (a *App) usePager(with *pager) {
	a.pager, a.RawOut, a.Out = with, with, NewScreenWriter(with)
}

// EndPager shows what was held, and waits until the person leaves the pager.
func (a *App) EndPager() {
	if a.pager == nil {
		return
	}
	a.pager.end()
	a.pager = nil
	a.RawOut, a.Out = a.stdout, NewScreenWriter(a.stdout)
}

// Write never fails for a pager that was left early: the person has seen enough.
func (p *pager) Write(text []byte) (int, error) {
	switch {
	case p.in != nil:
		_, _ = p.in.Write(text)
		return len(text), nil
	case p.plain:
		return p.to.Write(text)
	}
	p.held.Write(text)
	if p.lines += bytes.Count(text, []byte("\n")); p.lines < p.height {
		return len(text), nil
	}
	in, wait, err := p.start(p.argv, p.less, p.to)
	if err != nil {
		p.plain = true
		_, err = p.held.WriteTo(p.to)
		return len(text), err
	}
	p.in, p.wait = in, wait
	_, _ = p.held.WriteTo(in)
	return len(text), nil
}

func (p *pager) end() {
	if p.in == nil {
		_, _ = p.held.WriteTo(p.to)
		return
	}
	_ = p.in.Close()
	p.wait()
}

// startPager runs a pager on a terminal. What is longer than that less leaves on the
// screen, as git has it do, unless LESS says otherwise.
func startPager(argv []string, less string, to *os.File) (io.WriteCloser, func(), error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = to, os.Stderr
	if _, set := os.LookupEnv("LESS"); !set {
		cmd.Env = append(os.Environ(), "LESS="+less)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	return in, func() { _ = cmd.Wait() }, nil
}
