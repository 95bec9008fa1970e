package quality

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Script is a session in short, with what a handoff of it must say. A line
// begins with what happened, lines indented by two spaces belong to the one
// above:
//
//	cwd /path             where the agent stands
//	user: WORDS           a prompt
//	agent: WORDS          a reply
//	$ COMMAND => 1        a shell call, its exit status or "rejected"; below it the output
//	read|edit|write PATH  a call on a file
//	fetch URL             a call on the web; below it what came
//	ask: Q | A | B => B   a question with its options and the answer
//	todo: [x] A | [ ] B   the steps: x done, ~ being done
//	want SECTION: A, B    one line of the section, or it and the next, holds all words
//	not SECTION: A        no line of the section holds it
//	want-words, not-words the same, where it can be known by the word lists only
type Script struct {
	Events []transcript.Located
	wants  []want
}

type want struct {
	section string
	words   []string
	absent  bool
	lexical bool // rests on the word lists
}

// ParseScript reads a script; the error names the line that is not understood.
func ParseScript(text string) (*Script, error) {
	t := &recorder{script: &Script{}}
	var head string
	var body []string
	at := 0
	flush := func() error {
		if head == "" {
			return nil
		}
		if err := t.record(head, strings.Join(body, "\n")); err != nil {
			return fmt.Errorf("line %d: %w", at, err)
		}
		return nil
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		if more, ok := strings.CutPrefix(line, "  "); ok || line == "" && len(body) > 0 {
			body = append(body, more)
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
		head, body, at = line, nil, n
	}
	return t.script, flush()
}

type recorder struct {
	script *Script
	cwd    string
	n      int
}

func (t *recorder) record(head, body string) error {
	verb, rest, _ := strings.Cut(head, " ")
	switch verb {
	case "cwd":
		t.cwd = rest
		t.add(transcript.Event{Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: rest, Branch: "main"}})
	case "user:":
		t.add(transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Text: join(rest, body, " ")})
	case "agent:":
		t.reply(join(rest, body, "\n"))
	case "$":
		return t.shell(rest, body)
	case "read", "edit", "write":
		t.call(transcript.CallInfo{Name: strings.ToUpper(verb[:1]) + verb[1:], Meaning: transcript.Meaning(verb), Paths: []string{t.cwd + "/" + rest}}, transcript.ResultInfo{Text: body})
	case "fetch":
		t.call(transcript.CallInfo{Name: "WebFetch", Meaning: transcript.Fetch, Detail: rest}, transcript.ResultInfo{Text: body, Failed: strings.HasPrefix(body, "error:")})
	case "ask:":
		return t.ask(rest)
	case "todo:":
		return t.todo(rest)
	case "want", "want-words", "not", "not-words":
		section, words, ok := strings.Cut(rest, ": ")
		if !ok {
			return fmt.Errorf("%q has no section", head)
		}
		t.script.wants = append(t.script.wants, want{section, strings.Split(words, ", "), strings.HasPrefix(verb, "not"), strings.HasSuffix(verb, "-words")})
	default:
		return fmt.Errorf("%q is no kind of event", verb)
	}
	return nil
}

func join(a, b, with string) string {
	if b == "" {
		return a
	}
	return a + with + b
}

func (t *recorder) add(e transcript.Event) {
	t.n++
	e.Tool, e.Session, e.ID = "claude-code", "script", strconv.Itoa(t.n)
	e.Time = time.Date(2026, 3, 1, 9, t.n, 0, 0, time.UTC)
	t.script.Events = append(t.script.Events, transcript.Located{Event: e, Ref: transcript.Ref{Line: int64(t.n), Offset: int64(t.n) * 100}})
}

// reply adds prose, and the DECISION: blocks in it as readers do.
func (t *recorder) reply(text string) {
	t.add(transcript.Event{Kind: transcript.Reply, Text: text})
	for _, d := range transcript.ParseDecisions(text) {
		t.add(transcript.Event{Kind: transcript.Decided, Decision: &d})
	}
}

func (t *recorder) call(c transcript.CallInfo, r transcript.ResultInfo) {
	c.ID = "call" + strconv.Itoa(t.n)
	r.CallID = c.ID
	t.add(transcript.Event{Kind: transcript.Call, Call: &c})
	t.add(transcript.Event{Kind: transcript.Result, Result: &r})
}

func (t *recorder) shell(rest, output string) error {
	command, status, ok := strings.Cut(rest, " => ")
	if !ok {
		return fmt.Errorf("%q has no exit status", rest)
	}
	r := transcript.ResultInfo{Text: output}
	if status == "rejected" {
		r.Outcome = transcript.Rejected
	} else {
		code, err := strconv.Atoi(status)
		if err != nil {
			return fmt.Errorf("exit status of %q: %w", rest, err)
		}
		r.ExitCode, r.Failed = &code, code != 0
	}
	t.call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: command}, r)
	return nil
}

func (t *recorder) ask(rest string) error {
	asked, answer, ok := strings.Cut(rest, " => ")
	if !ok {
		return fmt.Errorf("%q has no answer", rest)
	}
	parts := strings.Split(asked, " | ")
	d := &transcript.Decision{Question: parts[0], Chosen: []string{answer}, Kind: "asked"}
	for _, o := range parts[1:] {
		d.Options = append(d.Options, transcript.Option{Label: o})
	}
	t.add(transcript.Event{Kind: transcript.Decided, Decision: d})
	return nil
}

func (t *recorder) todo(rest string) error {
	states := map[string]string{"[x]": "done", "[~]": "doing", "[ ]": "todo"}
	var items []transcript.Item
	for _, part := range strings.Split(rest, " | ") {
		if len(part) < 5 || states[part[:3]] == "" {
			return fmt.Errorf("%q is no step", part)
		}
		items = append(items, transcript.Item{Text: part[4:], State: states[part[:3]]})
	}
	t.add(transcript.Event{Kind: transcript.Todo, Items: items})
	return nil
}

// Misses are the wants that a handoff does not meet, in a sentence each; of one
// made without the word lists those that do not rest on them.
func (t *Script) Misses(handoff string, withoutWords bool) []string {
	text := newText(handoff, nil)
	var out []string
	for _, w := range t.wants {
		if w.lexical && withoutWords {
			continue
		}
		found := holds(strings.Split(text.section(w.section), "\n"), w.words)
		switch {
		case w.absent && found:
			out = append(out, fmt.Sprintf("%s says %q", w.section, strings.Join(w.words, ", ")))
		case !w.absent && !found:
			out = append(out, fmt.Sprintf("%s does not say %q", w.section, strings.Join(w.words, ", ")))
		}
	}
	return out
}

// holds says whether one line, or it and the next, has all the words.
func holds(lines, words []string) bool {
	for i, l := range lines {
		if i+1 < len(lines) {
			l += " " + lines[i+1]
		}
		l = fold(l)
		if count(words, func(w string) bool { return strings.Contains(l, fold(w)) }) == len(words) {
			return true
		}
	}
	return false
}
