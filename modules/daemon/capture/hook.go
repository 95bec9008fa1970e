package capture

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/toolspecs"
)

// Hook is one call of a hook, with the fields of the payload under our names.
// For a tool with a transcript it is a signal only: it says what to read.
type Hook struct {
	Tool       string // the tool that really called
	Event      string // the tool's own name of the event, as its spec writes it
	Role       string // session_start, prompt, …; "" for an event no spec knows
	Session    string
	Transcript string
	Cwd        string
	Source     string // of a session start
	Prompt     string // what was typed, where the payload says so
	Trigger    string // of a compaction
	ToolUse    string
	Agent      string // set inside a subagent
	Version    string // of the tool
	Model      string
	Summary    string // of what a compaction took away
	Called     string // tool of the call that ran, as the agent calls it
	Body       []byte // the payload, where it holds a decision or steps that the transcript has not yet; else nil
	Marks      map[string]string
	Time       time.Time
	Payload    []byte         // whole, on one line, of a tool without a transcript; else nil
	Hook       toolspecs.Hook // the spec's entry, zero for an unknown event
}

// Key is the session that a hook is about.
func (h Hook) Key() ledger.SessionKey { return ledger.SessionKey{Tool: h.Tool, ID: h.Session} }

// ParseHook reads a payload. The path of the request names the tool whose
// settings hold the hook; the payload decides which tool ran it.
func ParseHook(table *toolspecs.Table, claimed, event string, body []byte, marks map[string]string, now time.Time) (Hook, error) {
	payload := map[string]json.RawMessage{}
	body = bytes.TrimPrefix(body, []byte(home.BOM))
	if len(body) > 0 {
		if err := json.Unmarshal(body, &payload); err != nil {
			return Hook{}, err
		}
	}
	hook := Hook{Tool: table.Identify(claimed, payload, marks), Event: event, Marks: marks, Time: now}
	entry, ok := entryOf(table, hook.Tool, event)
	if !ok {
		return hook, nil
	}
	hook.Hook, hook.Event, hook.Role = entry, entry.Event, entry.Role
	said := func(name string) string { return entry.Text(payload, marks, name) }
	text := func(name string) string { return redact.Text(said(name)) } // ids are kept as they come
	hook.Session, hook.Transcript, hook.Cwd = text("session"), said("transcript"), said("cwd")
	hook.Source, hook.Trigger, hook.Prompt = text("source"), text("trigger"), text("prompt")
	hook.ToolUse, hook.Agent = text("tool_use_id"), text("agent")
	hook.Version, hook.Model = text("version"), text("model")
	hook.Summary = text("summary")
	hook.Called = text("tool")
	hook.Cwd, hook.Transcript = withoutSlash(pathOf(hook.Cwd)), pathOf(hook.Transcript)
	if tells(table, hook) {
		hook.Body = body
	}
	if spec, err := table.Lookup(hook.Tool); err == nil && spec.Capture == "hook" {
		var line bytes.Buffer
		if err := json.Compact(&line, body); err != nil {
			return Hook{}, err
		}
		hook.Payload = append(line.Bytes(), '\n')
	}
	return hook, nil
}

// tells says whether a payload tells a decision, or steps, before the transcript
// does or in its stead.
func tells(table *toolspecs.Table, hook Hook) bool {
	spec, err := table.Lookup(hook.Tool)
	return err == nil && slices.ContainsFunc(spec.HookFacts, func(fact toolspecs.HookFact) bool {
		return (fact.Keeps == "decision" || fact.Keeps == "todo") && strings.EqualFold(fact.Event, hook.Event) && fact.Tool == hook.Called
	})
}

// pathOf is a path that can exist, or "".
func pathOf(text string) string {
	if strings.ContainsRune(text, 0) {
		return ""
	}
	return text
}

// withoutSlash takes off what some tools write before the drive of a path on
// Windows: /c:/work.
func withoutSlash(path string) string {
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		return path[1:]
	}
	return path
}

// FromEnvelope is a hook that found no daemon.
func FromEnvelope(table *toolspecs.Table, e home.Envelope) Hook {
	if len(e.Payload) > 0 {
		if hook, err := ParseHook(table, e.Tool, e.Event, e.Payload, e.Marks, time.UnixMilli(e.Time).UTC()); err == nil {
			return hook
		}
	}
	hook := Hook{
		Tool: e.Tool, Event: e.Event, Session: e.Session, Transcript: e.Transcript, Cwd: e.Cwd,
		ToolUse: e.ToolUse, Source: e.Source, Marks: e.Marks, Time: time.UnixMilli(e.Time).UTC(),
	}
	if entry, ok := entryOf(table, e.Tool, e.Event); ok {
		hook.Hook, hook.Role, hook.Event = entry, entry.Role, entry.Event
	}
	return hook
}

func entryOf(table *toolspecs.Table, tool, event string) (toolspecs.Hook, bool) {
	spec, err := table.Lookup(tool)
	if err != nil {
		return toolspecs.Hook{}, false
	}
	return spec.Hook(event)
}

// ParseMarks reads the X-Carryover-Mark headers of a request.
func ParseMarks(headers []string) map[string]string {
	marks := map[string]string{}
	for _, header := range headers {
		name, value, found := strings.Cut(header, "=")
		if value, err := url.QueryUnescape(value); found && err == nil {
			marks[name] = value
		}
	}
	return marks
}
