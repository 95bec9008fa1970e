package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// What is recorded, and how: the times are those of a person who reads, not those of
// the machine, so that the same output gives the same cast.
const (
	columns, rows = 96, 30
	typing        = 0.045 // seconds for a character
	thinking      = 0.7   // before a command
	answering     = 0.3   // until its output
	reading       = 0.16  // for a line of it
	sessionAge    = 2 * time.Hour
)

// shownHome is the home in the recording. The one that it is made in has a name of the
// same length, so that lines break where they did.
const shownHome = "/home/dev"

// steps are the commands, each below a line that says what it is for.
var steps = []struct{ about, command string }{
	{"a day of work in Claude Code lies on the disk", "carryover import"},
	{"what would the next agent be told?", "carryover handoff | head -18"},
	{"where was that said?", "carryover search smallest unit"},
	{"go on in another agent", "carryover switch codex"},
	{"what is open, anywhere?", "carryover"},
}

// record runs the steps with the programs of a folder.
func record(bin, story string) (cast, error) {
	home, err := makeHome()
	if err != nil {
		return cast{}, err
	}
	defer func() { _ = os.RemoveAll(home) }()
	shift, err := layOut(home, story)
	if err != nil {
		return cast{}, err
	}
	if bin, err = filepath.Abs(bin); err != nil {
		return cast{}, err
	}
	made, at := cast{Width: columns, Height: rows, Title: "Carryover"}, 0.5
	say := func(after float64, text string) {
		at += after
		made.Events = append(made.Events, castEvent{math.Round(at*100) / 100, text})
	}
	for i, step := range steps {
		output, err := run(home, bin, step.command)
		if err != nil {
			return made, fmt.Errorf("%s: %w", step.command, err)
		}
		if i > 0 {
			say(0, "\r\n")
		}
		say(0, "\x1b[2m# "+step.about+"\x1b[m\r\n\x1b[32m$\x1b[m ")
		at += thinking
		for _, letter := range step.command {
			say(typing, string(letter))
		}
		say(answering, "\r\n"+plainly(output, home, shift))
		at += 1 + reading*float64(strings.Count(output, "\n"))
	}
	say(2, "")
	return made, nil
}

// makeHome makes a home whose name is as long as the shown one.
func makeHome() (string, error) {
	for n := range 1000 {
		home := filepath.Join("/tmp", fmt.Sprintf("r%03d", n))
		if err := os.Mkdir(home, 0o700); err == nil {
			return home, nil
		} else if !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
	return "", errors.New("no name for a home is free")
}

var stamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// layOut puts a project and the story into the home, as if the work had ended a while
// ago, and says by how much its times were moved.
func layOut(home, story string) (shift time.Duration, err error) {
	text, err := os.ReadFile(story)
	if err != nil {
		return 0, err
	}
	var last time.Time
	for _, found := range stamp.FindAllString(string(text), -1) {
		if at, err := time.Parse(time.RFC3339, found); err == nil && at.After(last) {
			last = at
		}
	}
	shift = time.Now().Truncate(time.Minute).Add(-sessionAge).Sub(last.Truncate(time.Minute))
	moved := stamp.ReplaceAllStringFunc(strings.ReplaceAll(string(text), "/home/dev/tally", home+"/tally"), func(found string) string {
		at, err := time.Parse(time.RFC3339, found)
		if err != nil {
			return found
		}
		return at.Add(shift).Format("2006-01-02T15:04:05.000Z")
	})
	for path, content := range map[string]string{
		"tally/.git/HEAD": "ref: refs/heads/currencies\n", "tally/.git/objects/.keep": "", "tally/.git/refs/.keep": "",
		".claude/projects/-tally/7a11e000-0000-4000-8000-0000000000d1.jsonl": moved,
	} {
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return 0, err
		}
	}
	return shift, nil
}

// run runs a command at a terminal of its own and returns what it writes there.
func run(home, bin, command string) (string, error) {
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = filepath.Join(home, "tally")
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin", "TERM=xterm-256color", "LC_ALL=C.UTF-8", "TZ=UTC", "CARRYOVER_LISTEN=127.0.0.1:0", "CARRYOVER_PAGER=cat",
	}
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		return "", err
	}
	defer func() { _ = terminal.Close() }()
	output, err := io.ReadAll(terminal)
	if err != nil && !errors.Is(err, syscall.EIO) { // that is how a terminal ends on Linux
		return "", err
	}
	if err := cmd.Wait(); err != nil {
		return "", fmt.Errorf("%w: %s", err, output)
	}
	return string(output), nil
}

var (
	minute = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d UTC`)
	drawn  = regexp.MustCompile(`(?m)^(?:\r[^\r\n]*)+\r([^\r\n])`) // a line of progress that another one replaced
)

// plainly is an output without what is of this machine and this moment.
func plainly(output, home string, shift time.Duration) string {
	output = strings.ReplaceAll(output, home, shownHome)
	output = drawn.ReplaceAllString(output, "$1")
	back := func(layout string) func(string) string {
		return func(found string) string {
			at, err := time.Parse(layout, found)
			if err != nil {
				return found
			}
			return at.Add(-shift).Format(layout)
		}
	}
	output = stamp.ReplaceAllStringFunc(output, back("2006-01-02T15:04:05Z"))
	return minute.ReplaceAllStringFunc(output, back("2006-01-02 15:04 UTC"))
}
