package hookclient

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/ledger/redact"
)

// maxSpool bounds the notes left for an absent daemon. What is lost beyond it
// is counted in spool/lost, one byte each.
const maxSpool = 10_000

// maxField bounds each text of an envelope, which stays below 2 KiB in all.
const maxField = 400

// maxKept bounds a payload that is kept whole.
const maxKept = 1 << 20

// payload is the part of a hook's input that is of use without a daemon.
type payload struct {
	Session, Transcript, Cwd, ToolUse, Source, Agent string
}

// members are the members of a hook's input by name, whichever tool sent it.
type members map[string]json.RawMessage

// text is the first of some members that is there and says something: a text,
// or a list of texts.
func (m members) text(names []string) string {
	for _, name := range names {
		var text string
		var list []string
		switch {
		case json.Unmarshal(m[name], &text) == nil && text != "":
			return text
		case json.Unmarshal(m[name], &list) == nil && len(list) > 0 && list[0] != "":
			return list[0]
		}
	}
	return ""
}

// parse takes from the input, and where it does not say it from the
// environment, what is of use.
func parse(tool string, input []byte, env func(string) string) (payload, error) {
	var m members
	if err := json.Unmarshal(input, &m); err != nil {
		return payload{}, err
	}
	said := func(ours string) string {
		if text := m.text(ownFields[tool][ours]); text != "" {
			return text
		}
		return m.text(fields[ours])
	}
	p := payload{
		Session: said("session"), Transcript: said("transcript"), Cwd: said("cwd"),
		ToolUse: said("tool_use_id"), Source: said("source"), Agent: said("agent"),
	}
	for _, name := range cwdMarks {
		if p.Cwd == "" {
			p.Cwd = env(name)
		}
	}
	return p, nil
}

// withoutDaemon gives out the last handoff at a session start and leaves a
// note in the spool.
func (c Call) withoutDaemon(input []byte) {
	input = bytes.TrimPrefix(input, []byte(home.BOM))
	p, err := parse(c.Tool, input, c.Getenv)
	if err != nil {
		return
	}
	given := ""
	if p.Agent == "" && c.Getenv(home.OpenedWith) == "" {
		if text, from := c.lastHandoff(p); text != "" {
			given = from
			_, _ = io.WriteString(c.Stdout, text)
		}
	}
	c.spool(p, given, c.keptPayload(input))
}

// keptPayload is what is kept of a payload until the daemon reads it: nothing, but of
// the tools whose hooks are their history, and nothing of their secrets.
func (c Call) keptPayload(input []byte) []byte {
	if !keepsPayload[c.Tool] || len(input) > maxKept {
		return nil
	}
	return []byte(redact.JSON(string(input)))
}

// lastHandoff reads the handoff the daemon left for this worktree. Nothing
// inside the project is read: a repository could speak as us.
func (c Call) lastHandoff(p payload) (text, from string) {
	if p.Session == "" || p.Cwd == "" {
		return "", ""
	}
	root := home.WorktreeRoot(p.Cwd)
	key := home.ProjectKey(root)
	data, err := regularfile.ReadOwn(filepath.Join(c.Home.Handoffs(), key+".json"))
	if err != nil {
		return "", ""
	}
	var last home.Fallback
	if json.Unmarshal(data, &last) != nil {
		return "", ""
	}
	field, starts := last.Answers[strings.ToLower(c.Tool+"/"+c.Event)]
	if !starts || last.Session == p.Session || c.Start.Unix()-last.Updated > last.Limit || isApart(root, p.Cwd, last.Part) {
		return "", ""
	}
	f, err := os.OpenFile(c.Home.Given(key, p.Session), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", ""
	}
	_ = f.Close()
	head := last.Heads["mode"]
	if c.headless(p) {
		head = last.Heads["silent"]
	}
	return inField(head+last.Body, field), last.Session
}

// isApart says whether a folder has nothing in common with the part of its worktree
// that a handoff is of: neither holds the other.
func isApart(root, cwd, part string) bool {
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		cwd = real
	}
	rel, err := filepath.Rel(root, cwd)
	if err != nil || part == "" || rel == "." {
		return false
	}
	here := filepath.ToSlash(rel) + "/"
	return !strings.HasPrefix(here, part+"/") && !strings.HasPrefix(part+"/", here)
}

// inField is a text as the tool reads it: plain, or as a member of JSON at a
// dotted path.
func inField(text, path string) string {
	if path == "" {
		return text
	}
	var value any = text
	names := strings.Split(path, ".")
	for _, name := range slices.Backward(names) {
		value = map[string]any{name: value}
	}
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data) + "\n"
}

// headless says whether nobody can answer: by the environment, by the agent's
// command line, or by the first line of the transcript.
func (c Call) headless(p payload) bool {
	for _, mark := range headlessMarks {
		if value := c.Getenv(mark.name); value != "" && (mark.equals == "" || value == mark.equals) && strings.HasPrefix(value, mark.prefix) {
			return true
		}
	}
	return c.unattended() || c.firstLineSaysSo(p.Transcript)
}

// headlessMark is a variable of the environment that marks a run that nobody
// attends, by its value or the beginning of it.
type headlessMark struct{ name, equals, prefix string }

// firstLine is how much of a transcript's first line is looked at.
const firstLine = 4 << 10

// firstLineSaysSo looks for a mark of the tool in the first line of the
// transcript.
func (c Call) firstLineSaysSo(transcript string) bool {
	marks := firstLines[c.Tool]
	if len(marks) == 0 || transcript == "" {
		return false
	}
	f, err := os.Open(transcript)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	first, _ := io.ReadAll(io.LimitReader(f, firstLine))
	first, _, _ = bytes.Cut(first, []byte("\n"))
	return slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(first, []byte(mark)) })
}

// spool leaves an envelope. The daemon drains and deletes them at its start.
func (c Call) spool(p payload, given string, whole []byte) {
	envelope := home.Envelope{
		Tool: clip(c.Tool), Event: clip(c.Event), Session: clip(p.Session), Transcript: clip(p.Transcript),
		Cwd: clip(p.Cwd), ToolUse: clip(p.ToolUse), Source: clip(p.Source), Marks: c.marks(),
		Time: c.Start.UnixMilli(), Given: clip(given), Payload: whole,
	}
	data, err := json.Marshal(envelope)
	if err != nil {
		return
	}
	dir := c.Home.Spool()
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	if full(dir) {
		if f, err := os.OpenFile(filepath.Join(dir, "lost"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			_, _ = f.Write([]byte{'x'})
			_ = f.Close()
		}
		return
	}
	name := strconv.FormatInt(c.Start.UnixNano(), 10) + "-" + strconv.Itoa(os.Getpid())
	// The daemon takes *.json only, so it never meets half an envelope.
	temporary := filepath.Join(dir, name+".tmp")
	if os.WriteFile(temporary, data, 0o600) == nil {
		_ = os.Rename(temporary, filepath.Join(dir, name+".json"))
	}
}

func full(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	names, _ := f.Readdirnames(maxSpool + 1)
	return len(names) >= maxSpool
}

// clip drops a field that is too long rather than shorten it: half a path
// points nowhere.
func clip(field string) string {
	if len(field) > maxField {
		return ""
	}
	return field
}
