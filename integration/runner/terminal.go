package runner

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience bounds how long a screen may take to show something.
const patience = 40 * time.Second

// Terminal is an agent on a real terminal, tmux', with a person before it.
type Terminal struct {
	t      testing.TB
	socket string
}

// Open starts an agent as a person does. What runs when the test ends is
// ended.
func (a *Agent) Open(project string, args ...string) *Terminal {
	a.t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv(Required) != "" {
			a.t.Fatal("tmux is not installed")
		}
		a.t.Skip("SKIPPED: tmux is not installed; what a person does at a terminal was not tested")
	}
	env, own := a.open(a)
	return a.OpenProgram(project, env, append(append([]string{a.binary}, own...), args...)...)
}

// Switch opens an agent by `carryover switch`, in the environment it would have
// otherwise.
func (a *Agent) Switch(project string) *Terminal {
	a.t.Helper()
	env, _ := a.open(a)
	return a.OpenProgram(project, env, filepath.Join(Programs(a.t), "carryover"), "switch", a.Name, "--exec")
}

// OpenProgram is Open for any program. What it left on the screen when it ended by
// itself stays there, so that a test that fails on it can show why.
func (h *Home) OpenProgram(dir string, env []string, argv ...string) *Terminal {
	h.t.Helper()
	term := &Terminal{t: h.t, socket: filepath.Join(h.Dir, fmt.Sprintf("tmux%d", time.Now().UnixNano()%1e6))}
	words := []string{"exec", "env", "-i"}
	for _, word := range append(append(env, "TERM=xterm-256color"), argv...) {
		words = append(words, "'"+strings.ReplaceAll(word, "'", `'\''`)+"'")
	}
	if out, err := term.tmux("start-server", ";", "set-option", "-wg", "remain-on-exit", "on", ";", "new-session", "-d", "-x", "150", "-y", "50", "-c", dir, strings.Join(words, " ")).CombinedOutput(); err != nil {
		h.t.Fatalf("tmux: %v\n%s", err, out)
	}
	h.t.Cleanup(func() { _ = term.tmux("kill-server").Run() })
	return term
}

func (term *Terminal) tmux(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-u", "-f", os.DevNull, "-S", term.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=")
	return cmd
}

// Press sends keys by tmux' names for them.
func (term *Terminal) Press(keys ...string) {
	term.t.Helper()
	if out, err := term.tmux(append([]string{"send-keys"}, keys...)...).CombinedOutput(); err != nil {
		term.t.Fatalf("tmux send-keys: %v\n%s", err, out)
	}
}

// Say types a line and sends it.
func (term *Terminal) Say(line string) {
	term.t.Helper()
	term.Type(line)
	term.Press("Enter")
}

// Type types a line and sees that it stands there. A program that has just
// begun a session may drop what comes at once: then it is typed again.
func (term *Terminal) Type(line string) {
	term.t.Helper()
	for range 4 {
		term.Press("-l", line)
		if term.within(8*time.Second, line[:min(len(line), 40)]) {
			return
		}
		term.Press("C-u")
	}
	term.t.Fatalf("%q was never taken:\n%s", line, term.Screen())
}

// PressUntil presses a key until a text stands on the screen to stay, as one does
// to cycle through something: on a busy machine Codex was seen in its default mode
// again after its plan mode had shown.
func (term *Terminal) PressUntil(text, key string) {
	term.t.Helper()
	stands := func() bool { return strings.Contains(term.Screen(), text) }
	for range 3 {
		if !term.press(key, soon, stands) {
			break
		}
		if term.Rest(); stands() {
			return
		}
	}
	term.t.Fatalf("%s never brought %q:\n%s", key, text, term.Screen())
}

// within waits until a text stands on the screen, and says whether it did in time.
func (term *Terminal) within(wait time.Duration, text string) bool {
	for deadline := time.Now().Add(wait); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if strings.Contains(term.Screen(), text) {
			return true
		}
	}
	return false
}

// PressTwiceUntil presses a key twice in a row until a text stands on the screen: where
// the second press counts only while the hint of the first stands, which on a busy
// machine may be gone before it was read.
func (term *Terminal) PressTwiceUntil(text, key string) {
	term.t.Helper()
	for range 8 {
		term.Press(key)
		time.Sleep(200 * time.Millisecond) // Together the two bytes would be one other key.
		term.Press(key)
		if term.within(soon, text) {
			return
		}
	}
	term.t.Fatalf("%s twice never brought %q:\n%s", key, text, term.Screen())
}

// PressAway presses a key until a text stands on the screen no longer.
func (term *Terminal) PressAway(text, key string) {
	term.t.Helper()
	if !term.press(key, soon, func() bool { return !strings.Contains(term.Screen(), text) }) {
		term.t.Fatalf("%s never took %q away:\n%s", key, text, term.Screen())
	}
}

// Send presses Enter until an answer stands on the screen. Some programs take
// none for a while; but a second one too early would answer a question that is
// slow to come.
func (term *Terminal) Send(answer string) {
	term.t.Helper()
	term.SendUntil(answer, func() bool { return strings.Contains(term.Screen(), answer) })
}

// SendUntil is Send where something else than the screen tells of the answer.
func (term *Terminal) SendUntil(answer string, arrived func() bool) {
	term.t.Helper()
	if !term.press("Enter", patience/4, arrived) {
		term.t.Fatalf("%q was never answered:\n%s", answer, term.Screen())
	}
}

// soon is how long a screen may take to follow a key.
const soon = 4 * time.Second

// press presses a key until something holds. Where it was pressed more than once, the
// earlier one may only have been slow, and the later one undo what it brought.
func (term *Terminal) press(key string, wait time.Duration, holds func() bool) bool {
	term.t.Helper()
	for presses := range 8 {
		term.Press(key)
		for deadline := time.Now().Add(wait); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			if !holds() {
				continue
			}
			if presses > 0 {
				time.Sleep(soon / 2)
			}
			if presses == 0 || holds() {
				return true
			}
		}
	}
	return false
}

// Screen is what stands on it now.
func (term *Terminal) Screen() string {
	out, err := term.tmux("capture-pane", "-p").CombinedOutput()
	if err == nil && strings.Contains(string(out), "Pane is dead") { // which scrolled it away
		out, err = term.tmux("capture-pane", "-p", "-S", "-50").CombinedOutput()
		out = append([]byte("(the program has ended; it left)\n"), out...)
	}
	if err != nil {
		return "(the terminal is gone)"
	}
	return string(out)
}

// Shows waits until all of the texts stand on the screen.
func (term *Terminal) Shows(texts ...string) {
	term.t.Helper()
	screen := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		screen = term.Screen()
		missing := false
		for _, text := range texts {
			missing = missing || !strings.Contains(screen, text)
		}
		if !missing {
			return
		}
	}
	term.t.Fatalf("the screen never showed %q:\n%s", texts, screen)
}

// Wrap opens an agent under `carryover run`, as an agent of a name.
func (a *Agent) Wrap(project, name string) *Terminal {
	a.t.Helper()
	env, own := a.open(a)
	run := []string{filepath.Join(Programs(a.t), "carryover"), "run", "--name", name, "--", a.binary}
	return a.OpenProgram(project, env, append(run, own...)...)
}

// Rest waits until the screen stays as it is: an agent that has answered may still be
// ending its turn, and take a command for it. One that never rests is waited for no longer
// than a quarter of what a screen may take.
func (term *Terminal) Rest() {
	last, since := term.Screen(), time.Now()
	for deadline := time.Now().Add(patience / 4); time.Since(since) < time.Second && time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if now := term.Screen(); now != last {
			last, since = now, time.Now()
		}
	}
}

// PID is the process of what was opened in it.
func (term *Terminal) PID() int {
	term.t.Helper()
	out, err := term.tmux("display-message", "-p", "#{pane_pid}").Output()
	pid, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil || pid == 0 {
		term.t.Fatalf("tmux tells no process: %q, %v", out, err)
	}
	return pid
}

// Child is the process started by what was opened in it whose command line has
// a word.
func (term *Terminal) Child(word string) int {
	term.t.Helper()
	out, _ := exec.Command("pgrep", "-P", strconv.Itoa(term.PID()), "-f", "--", word).Output()
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		term.t.Fatalf("%s runs nothing, or too much, like %s: %q", term.socket, word, out)
	}
	return pid
}

// Kill closes the terminal, as one does with a window.
func (term *Terminal) Kill() { _ = term.tmux("kill-server").Run() }
