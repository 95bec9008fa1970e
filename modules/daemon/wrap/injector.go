package wrap

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/terminal"
)

// typist types texts into a program, one after the other, each when the
// program is ready for it.
type injector struct {
	session *terminal.Session
	pace    pace
	texts   chan typed
	done    chan struct{}
	typing  sync.WaitGroup
	failed  []error // read once typing has ended
}

type typed struct {
	text   string
	report func(error) // nil: nobody waits for it
}

// pace is how long a program must be quiet to be ready, how long that is waited
// for, and how long its echo may take.
type pace struct{ quiet, ready, echo time.Duration }

// usual is the pace of real agents: Gemini CLI draws its prompt half a second
// before it takes keys, and some need a minute to start.
var usual = pace{quiet: 600 * time.Millisecond, ready: 2 * time.Minute, echo: 4 * time.Second}

const (
	tries     = 3 // how often a text is typed
	look      = 50 * time.Millisecond
	queueSize = 16
)

var (
	errNotReady = errors.New("timed out waiting for a prompt; the text is in `carryover continuity ledger`")
	errNoEcho   = errors.New("the program did not echo the text; the text is in `carryover continuity ledger`")
	errEnded    = errors.New("the program exited before the text was typed")
)

func newInjector(session *terminal.Session, pace pace) *injector {
	t := &injector{session: session, pace: pace, texts: make(chan typed, queueSize), done: make(chan struct{})}
	t.typing.Go(t.work)
	return t
}

// add queues a text.
func (t *injector) add(text string, report func(error)) {
	select {
	case t.texts <- typed{text, report}:
	default:
		if report != nil {
			report(errors.New("too many texts are queued for typing"))
		}
	}
}

// close ends the typing and returns what could not be typed.
func (t *injector) close() []error {
	close(t.done)
	t.typing.Wait()
	return t.failed
}

func (t *injector) work() {
	for {
		select {
		case <-t.done:
			return
		case next := <-t.texts:
			err := t.enter(next.text)
			if next.report != nil {
				next.report(err)
			} else if err != nil && !errors.Is(err, errEnded) {
				t.failed = append(t.failed, err)
			}
		}
	}
}

// enter types a text, sees that it is there, and sends it off.
func (t *injector) enter(text string) error {
	for range tries {
		if err := t.until(t.pace.ready, t.ready, errNotReady); err != nil {
			return t.reason(err)
		}
		screen := t.session.Screen()
		if !screen.Pastes() { // it reads line by line
			return t.session.Type(strings.ReplaceAll(text, "\n", "\r"))
		}
		if err := t.session.Type(paste(text)); err != nil {
			return err
		}
		err := t.until(t.pace.echo, func() bool { return echoed(screen, text) }, errNoEcho)
		if err == nil {
			// Gemini CLI takes an Enter right behind a paste for a part of it.
			if err := t.until(t.pace.ready, t.ready, errNotReady); err != nil {
				return err
			}
			if echoed(screen, text) {
				return t.session.Type("\r")
			}
			continue // OpenCode draws its prompt anew, empty, once it has started
		}
		if !errors.Is(err, errNoEcho) {
			return err
		}
	}
	return errNoEcho
}

// reason says why a program never asked for input: a shell's prompt is none.
func (t *injector) reason(err error) error {
	if why := t.session.MayType(); errors.Is(err, errNotReady) && why != nil {
		return why
	}
	return err
}

// paste is a text as a terminal pastes it.
func paste(text string) string {
	text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\x1b", "")
	return "\x1b[200~" + strings.ReplaceAll(text, "\n", "\r") + "\x1b[201~"
}

// pasted is how screens show a long paste.
var pasted = regexp.MustCompile(`(?i)\[pasted `)

// echoed says whether a text is on the screen: its end, for of a long one only
// that is in sight, or a sign in its place.
func echoed(screen *terminal.Screen, text string) bool {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	end := []rune(lines[len(lines)-1])
	if screen.Contains(string(end[:min(24, len(end))])) {
		return true
	}
	rows, _ := screen.Rows()
	for _, row := range rows {
		if pasted.MatchString(row.Text) {
			return true
		}
	}
	return false
}

// prompt is how the row with the cursor looks when something may be typed. The signs
// of shells, $, % and #, are not among them.
var prompt = regexp.MustCompile(`^\s*[>❯›?»]|[>❯›?:»]\s*$`)

// ready says whether the program waits for input.
func (t *injector) ready() bool {
	screen := t.session.Screen()
	return t.session.InFront() && screen.Quiet() >= t.pace.quiet && (screen.Pastes() || prompt.MatchString(screen.CursorRow()))
}

// until waits for a state of the screen.
func (t *injector) until(within time.Duration, holds func() bool, otherwise error) error {
	deadline := time.After(within)
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		if holds() {
			return nil
		}
		select {
		case <-t.done:
			return errEnded
		case <-deadline:
			return otherwise
		case <-tick.C:
		}
	}
}
