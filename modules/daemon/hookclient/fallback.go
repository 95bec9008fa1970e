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
)

// maxSpool bounds the notes left for an absent daemon. What is lost beyond it
// is counted in spool/lost, one byte each.
const maxSpool = 10_000

// maxField bounds each text of an envelope, which stays below 2 KiB in all.
const maxField = 400

// maxKept bounds a payload that is kept whole.
const maxKept = 1 << 20

// kept are the tools without a transcript: what their hooks are told is their
// history.
var kept = map[string]bool{"windsurf": true}

// payload is the part of a hook's input that is of use without a daemon. Most
// tools agree on the names; camel case is Copilot CLI's.
type payload struct {
	CamelSession    string `json:"sessionId"`
	CamelTranscript string `json:"transcriptPath"`
	CamelAgent      string `json:"agentId"`

	Conversation string   `json:"conversation_id"` // Cursor's
	Roots        []string `json:"workspace_roots"`

	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Cwd        string `json:"cwd"`
	ToolUse    string `json:"tool_use_id"`
	Source     string `json:"source"`
	Agent      string `json:"agent_id"`
}

// withoutDaemon gives out the last handoff at a session start and leaves a
// note in the spool.
func (c Call) withoutDaemon(input []byte) {
	var p payload
	input = bytes.TrimPrefix(input, []byte(home.BOM))
	if json.Unmarshal(input, &p) != nil {
		return
	}
	p.complete(c.Getenv)
	p.Session, p.Transcript, p.Agent = either(p.Session, p.CamelSession), either(p.Transcript, p.CamelTranscript), either(p.Agent, p.CamelAgent)
	given := ""
	if p.Agent == "" && c.Getenv(home.OpenedWith) == "" {
		if text, from := c.lastHandoff(p); text != "" {
			given = from
			_, _ = io.WriteString(c.Stdout, text)
		}
	}
	if !kept[c.Tool] || len(input) > maxKept {
		input = nil
	}
	c.spool(p, given, input)
}

// complete takes from the environment, and from Cursor's names, what the payload
// does not say.
func (p *payload) complete(env func(string) string) {
	p.Session = either(p.Session, p.Conversation)
	if p.Cwd == "" && len(p.Roots) > 0 {
		p.Cwd = p.Roots[0]
	}
	p.Cwd = either(p.Cwd, either(env("DEVIN_PROJECT_DIR"), env("CURSOR_PROJECT_DIR")))
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// lastHandoff reads the handoff the daemon left for this worktree. Nothing
// inside the project is read: a repository could speak as us.
func (c Call) lastHandoff(p payload) (text, from string) {
	if p.Session == "" || p.Cwd == "" {
		return "", ""
	}
	key := home.ProjectKey(home.WorktreeRoot(p.Cwd))
	data, err := os.ReadFile(filepath.Join(c.Home.Handoffs(), key+".json"))
	if err != nil {
		return "", ""
	}
	var last home.Fallback
	if json.Unmarshal(data, &last) != nil {
		return "", ""
	}
	field, starts := last.Answers[strings.ToLower(c.Tool+"/"+c.Event)]
	if !starts || last.Session == p.Session || c.Start.Unix()-last.Updated > last.Limit {
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

// headless says whether nobody can answer: Claude Code tells by environment,
// Codex by the first line of the transcript, others on their command line only.
func (c Call) headless(p payload) bool {
	if strings.HasPrefix(c.Getenv("CLAUDE_CODE_ENTRYPOINT"), "sdk") || c.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0" {
		return true
	}
	if c.unattended() {
		return true
	}
	if c.Tool != "codex" || p.Transcript == "" {
		return false
	}
	f, err := os.Open(p.Transcript)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	first, _ := io.ReadAll(io.LimitReader(f, 4<<10))
	first, _, _ = bytes.Cut(first, []byte("\n"))
	return bytes.Contains(first, []byte(`"originator":"codex_exec"`))
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
