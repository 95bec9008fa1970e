//go:build unix

package wrap

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/carryover-go/carryover/modules/daemon/leaktest"
	"github.com/carryover-go/carryover/modules/daemon/terminal"
)

// TestMain makes this binary the programs that are typed into.
func TestMain(m *testing.M) {
	play, ok := programs[os.Getenv("PROGRAM")]
	if !ok {
		os.Exit(leaktest.Run(m))
	}
	heard, err := os.Create(os.Getenv("HEARD"))
	if err != nil {
		os.Exit(1)
	}
	play(heard)
}

// programs are what agents do with a paste. Each notes what it received.
var programs = map[string]func(heard io.Writer){
	// shows what is pasted, once it is pasted for the nth time
	"at once":        func(heard io.Writer) { prompts(heard, 1) },
	"the third time": func(heard io.Writer) { prompts(heard, 3) },
	"never":          func(heard io.Writer) { prompts(heard, 99) },
	// shows the first paste, and then its prompt anew, empty, on a screen of its own
	"redraws": func(heard io.Writer) {
		_, _ = term.MakeRaw(int(os.Stdin.Fd()))
		printed("\x1b[?1049h\x1b[?2004h> ")
		buffer := make([]byte, 4096)
		for pastes := 0; ; {
			n, err := os.Stdin.Read(buffer)
			if err != nil {
				return
			}
			_, _ = heard.Write(buffer[:n])
			if text := string(buffer[:n]); strings.HasSuffix(text, "\x1b[201~") {
				printed(strings.TrimSuffix(strings.TrimPrefix(text, "\x1b[200~"), "\x1b[201~"))
				if pastes++; pastes == 1 {
					time.Sleep(slow.quiet / 4) // the text has been seen, and the program was not quiet yet
					printed("\x1b[2J\x1b[H> ")
				}
			}
		}
	},
	"line by line": func(heard io.Writer) {
		for lines := bufio.NewScanner(os.Stdin); printed("> ") && lines.Scan(); {
			_, _ = io.WriteString(heard, lines.Text()+"\n")
		}
	},
	"always busy": func(io.Writer) {
		for printed("working…\r\n") {
			time.Sleep(5 * time.Millisecond)
		}
	},
	"ends": func(io.Writer) {},
}

func printed(text string) bool {
	_, err := os.Stdout.WriteString(text)
	return err == nil
}

// prompts is a full-screen program that takes pastes.
func prompts(heard io.Writer, showsAfter int) {
	_, _ = term.MakeRaw(int(os.Stdin.Fd()))
	printed("\x1b[?2004h> ")
	buffer := make([]byte, 4096)
	pastes := 0
	for {
		n, err := os.Stdin.Read(buffer)
		if err != nil {
			return
		}
		_, _ = heard.Write(buffer[:n])
		text := string(buffer[:n])
		if strings.HasSuffix(text, "\x1b[201~") {
			if pastes++; pastes >= showsAfter {
				printed(strings.TrimSuffix(strings.TrimPrefix(text, "\x1b[200~"), "\x1b[201~"))
			}
		}
	}
}

// slow is the pace of a program whose drawing must fall between being seen and
// being quiet.
var slow = pace{quiet: 1200 * time.Millisecond, ready: 20 * time.Second, echo: 5 * time.Second}

// quick is the pace of the other programs above.
var quick = pace{quiet: 60 * time.Millisecond, ready: 2 * time.Second, echo: 300 * time.Millisecond}

func TestTyping(t *testing.T) {
	const text = "# what was done\nall of it"
	paste := "\x1b[200~# what was done\rall of it\x1b[201~"
	for program, test := range map[string]struct {
		want  error
		heard string
	}{
		"at once":        {nil, paste + "\r"},
		"the third time": {nil, paste + paste + paste + "\r"},
		"never":          {errNoEcho, paste + paste + paste},
		"redraws":        {nil, paste + paste + "\r"},
		"line by line":   {nil, "# what was done\nall of it\n"},
		"always busy":    {errNotReady, ""},
		"ends":           {errEnded, ""},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "heard")
			session, ended := startProgram(t, program, file)
			at := quick
			if program == "redraws" {
				at = slow
			}
			typist := newInjector(session, at)
			reported := make(chan error, 1)
			typist.add(text+"\n", func(err error) { reported <- err })
			go func() { <-ended; typist.close() }()
			if err := <-reported; !errors.Is(err, test.want) {
				t.Errorf("typing ended with %v, want %v", err, test.want)
			}
			heard := ""
			for deadline := time.Now().Add(10 * time.Second); heard != test.heard && time.Now().Before(deadline); time.Sleep(look) {
				data, _ := os.ReadFile(file)
				heard = string(data)
			}
			if heard != test.heard {
				t.Errorf("it heard %q, want %q", heard, test.heard)
			}
		})
	}
}

// startProgram runs one of the programs on a terminal.
func startProgram(t *testing.T, program, heard string) (session *terminal.Session, ended <-chan struct{}) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, terminal.Options{Args: []string{self}, Env: append(os.Environ(), "PROGRAM="+program, "HEARD="+heard)})
}

// startOn runs a program on a terminal; it is ended with the test.
func startOn(t *testing.T, options terminal.Options) (session *terminal.Session, ended <-chan struct{}) {
	t.Helper()
	outer, inner, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(outer, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	drained := make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, outer); close(drained) }()
	options.In, options.Out, options.Err = inner, inner, inner
	session, err = terminal.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	waited := make(chan struct{})
	go func() { session.Wait(nil); close(waited) }()
	t.Cleanup(func() {
		session.Signal(syscall.SIGKILL)
		<-waited
		_ = inner.Close()
		<-drained
		_ = outer.Close()
	})
	return session, waited
}

// What runs every line it is given is never typed into, however it was started and
// whatever it is called.
func TestTyping_NeverIntoAShell(t *testing.T) {
	named := filepath.Join(t.TempDir(), "agent") // a shell by another name
	if shell, err := os.ReadFile("/bin/sh"); err != nil || os.WriteFile(named, shell, 0o755) != nil {
		t.Fatal("no copy of /bin/sh")
	}
	script := filepath.Join(t.TempDir(), "start.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"sh"},
		{"sh", "-i"},
		{"dash"},
		{"bash"},
		{"bash", "--norc"},
		{"bash", "-i"},
		{"zsh"},
		{"fish"},
		{"busybox", "sh"},
		{"env", "sh"},
		{"env", "-", "bash"},
		{"nice", "sh"},
		{"sh", "-c", "sh"},
		{"sh", "-c", "dash; true"},
		{"bash", "-c", "bash; true"},
		{named},
		{script},
		{"sh", script},
		{"script", "-qc", "sh", "/dev/null"},
		{"script", "-qc", "python3", "/dev/null"},
		{"python3"},
		{"python3", "-q"},
		{"python3", "-i", "-c", "pass"},
		{"sh", "-c", "python3; true"},
		{"node"},
		{"perl", "-de0"},
		{"sqlite3"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(args[0]); err != nil {
				t.Skipf("SKIPPED: %s is not installed", args[0])
			}
			made := filepath.Join(t.TempDir(), "made")
			session, ended := startOn(t, terminal.Options{Args: args})
			for deadline := time.Now().Add(30 * time.Second); session.Screen().CursorRow() == "" && time.Now().Before(deadline); {
				time.Sleep(look) // it shows its prompt
			}
			typist := newInjector(session, pace{quiet: 60 * time.Millisecond, ready: 400 * time.Millisecond, echo: 300 * time.Millisecond})
			reported := make(chan error, 1)
			typist.add("touch "+made+"\nopen('"+made+"', 'w')\n", func(err error) { reported <- err })
			go func() { <-ended; typist.close() }()
			err := <-reported
			if err == nil || errors.Is(err, errNoEcho) {
				t.Errorf("it was typed into, with %v", err)
			}
			if err := session.Type("touch " + made + "\r"); err == nil {
				t.Error("it can be typed into")
			}
			if _, err := os.Stat(made); err == nil {
				t.Error("it ran what was typed")
			}
		})
	}
}
