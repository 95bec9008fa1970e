package codex

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// meta reads the record that opens a thread. Further ones are repeats, or in
// the rollout of a subagent those of the thread it was forked from.
func (t *thread) meta(payload []byte) {
	if t.state.Known {
		return
	}
	var meta struct {
		ID         string          `json:"id"`
		Cwd        string          `json:"cwd"`
		Originator string          `json:"originator"`
		Version    string          `json:"cli_version"`
		Source     json.RawMessage `json:"source"`
		Thread     string          `json:"thread_source"`
		Parent     string          `json:"parent_thread_id"`
		Nickname   string          `json:"agent_nickname"`
		Role       string          `json:"agent_role"`
		Forked     string          `json:"forked_from_id"`
		History    string          `json:"history_mode"`
		Base       struct {
			Thread string `json:"thread_id"`
			Offset int64  `json:"end_byte_offset"`
		} `json:"history_base"`
		Git struct {
			Commit string `json:"commit_hash"`
			Branch string `json:"branch"`
		} `json:"git"`
	}
	if err := json.Unmarshal(payload, &meta); err != nil || meta.ID == "" {
		t.Coverage().Read--
		t.Coverage().Broken++
		return
	}
	state := &t.state
	state.Known, state.Thread, state.Paginated = true, meta.ID, meta.History == "paginated"
	state.Version, state.Originator, state.Cwd, state.Branch = meta.Version, meta.Originator, meta.Cwd, meta.Git.Branch
	state.Headless = t.Spec.HeadlessRecord("originator", meta.Originator) || t.Spec.HeadlessRecord("source", transcript.Text(meta.Source))
	origin := originOf(meta.Source)
	parent := cmp.Or(meta.Parent, origin.parent)
	state.Subagent = meta.Thread == "subagent" || parent != "" || origin.kind != ""
	state.Own = origin.kind == guardian || origin.kind == consolidation
	start := t.start()
	switch {
	case state.Subagent:
		start.From, start.How, start.Internal = parent, "subagent", state.Own
		start.Agent = agentName(cmp.Or(origin.role, meta.Role, strings.TrimPrefix(origin.kind, spawned)), cmp.Or(origin.name, meta.Nickname))
	case meta.Base.Thread != "":
		start.From, start.How, start.FromOffset = meta.Base.Thread, "fork", meta.Base.Offset
	case meta.Forked != "" && meta.Forked != meta.ID:
		start.From, start.How = meta.Forked, "fork"
	}
	t.emit("", "start", transcript.Event{
		Kind: transcript.Session, Start: start,
		WorkDir: &transcript.WorkDir{Cwd: meta.Cwd, Branch: meta.Git.Branch, Head: meta.Git.Commit},
	})
}

// started tells, once, that this thread records its turns: versions that write down where
// one begins write down where it ends.
func (t *thread) started() {
	if t.state.Turns {
		return
	}
	t.state.Turns = true
	t.emit("", "turns", transcript.Event{Kind: transcript.Session, Start: t.start()})
}

// The threads that the tool opens for itself: they check a command before it
// runs, or keep its memory.
const (
	guardian      = "guardian"
	consolidation = "memory_consolidation"
)

// spawned is the kind of a thread that another one opened for a task.
const spawned = "thread"

// origin is where a thread comes from that no user opened.
type origin struct {
	kind   string // review, compact, memory_consolidation, guardian, spawned
	parent string
	role   string
	name   string
}

// originOf reads a source that is no word: {"subagent": "review"}, {"subagent":
// {"thread_spawn": {…}}}, {"subagent": {"other": "guardian"}}, {"internal": …}.
func originOf(source []byte) origin {
	parts := transcript.Members(source, "subagent", "internal")
	spec := parts[0]
	if spec == nil {
		return origin{kind: transcript.Text(parts[1])}
	}
	if word := transcript.Text(spec); word != "" {
		return origin{kind: word}
	}
	if other := text(spec, "other"); other != "" {
		return origin{kind: other}
	}
	spawn := transcript.Member(spec, "thread_spawn")
	return origin{
		kind: spawned, parent: text(spawn, "parent_thread_id"), role: text(spawn, "agent_role"), name: text(spawn, "agent_nickname"),
	}
}

// agentName is a kind with the name that tells it from others of the kind.
func agentName(kind, name string) string {
	if name == "" {
		return kind
	}
	return strings.TrimSpace(kind + " " + strconv.Quote(name))
}

// context reads where and with which model a turn runs, when that changes.
func (t *thread) context(payload []byte) {
	cwd, model := text(payload, "cwd"), text(payload, "model")
	if (cwd == "" || cwd == t.state.Cwd) && (model == "" || model == t.state.Model) {
		return
	}
	if cwd != "" && cwd != t.state.Cwd {
		t.state.Cwd, t.state.Branch = cwd, ""
	}
	if model != "" {
		t.state.Model = model
	}
	t.emit("", "place", transcript.Event{
		Kind: transcript.Session, Start: t.start(), WorkDir: &transcript.WorkDir{Cwd: t.state.Cwd, Branch: t.state.Branch},
	})
}

// compacted reads a compaction. The summary is readable only where the model's
// provider did not encrypt it.
func (t *thread) compacted(payload []byte) {
	t.emit("", "0", transcript.Event{
		Kind: transcript.Compacted, Text: text(payload, "message"), Compaction: &transcript.CompactionInfo{},
	})
}

// usage reads how full the context is; the record is repeated whenever the
// limits of the account change.
func (t *thread) usage(payload []byte) {
	var count struct {
		Info struct {
			Last struct {
				Total int64 `json:"total_tokens"`
			} `json:"last_token_usage"`
			Window int64 `json:"model_context_window"`
		} `json:"info"`
	}
	if json.Unmarshal(payload, &count) != nil || count.Info.Last.Total == 0 || count.Info.Last.Total == t.state.Usage {
		return
	}
	t.state.Usage = count.Info.Last.Total
	t.emit("", "0", transcript.Event{Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
		Context: count.Info.Last.Total, Window: count.Info.Window, Model: t.state.Model,
	}})
}

// limitExceeded is what the tool calls the failure of a turn at a limit of the account.
const limitExceeded = "usage_limit_exceeded"

func (t *thread) turn(name string, payload []byte) {
	event := transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted}
	switch name {
	case "event_msg/turn_aborted":
		event.Text = transcript.TurnInterrupted
	case "event_msg/thread_rolled_back":
		var back struct {
			Turns int `json:"num_turns"`
		}
		if json.Unmarshal(payload, &back) != nil || back.Turns == 0 {
			return
		}
		event = transcript.Event{Kind: transcript.Rollback, Turns: back.Turns}
	default:
		t.lastMessage(payload)
		if failure := transcript.Member(payload, "error"); present(failure) {
			event.Text = transcript.TurnFailed
			event.Result = &transcript.ResultInfo{Failed: true, Text: errorText(failure)}
			if text(failure, "codex_error_info") == limitExceeded {
				event.Result.Outcome = transcript.Limited
			}
		}
	}
	t.emit("", "turn", event)
}

// lastMessage reads what the tool keeps as the last reply of a turn, where no
// record of the reply itself came before.
func (t *thread) lastMessage(payload []byte) {
	last := text(payload, "last_agent_message")
	if strings.TrimSpace(last) == "" || transcript.Fingerprint(strings.TrimSpace(last)) == t.state.Reply {
		return
	}
	t.emit("", "last", transcript.Event{Kind: transcript.Recap, Recap: transcript.LastMessage, Text: last})
}

// errorText is an error as text: a string, or an object with a message.
func errorText(raw []byte) string {
	if plain := transcript.Text(raw); plain != "" {
		return plain
	}
	if message := text(raw, "message"); message != "" {
		return message
	}
	return string(raw)
}

// filePath turns the URL an item gives its directory as into a path.
func filePath(address string) string {
	if !strings.HasPrefix(address, "file://") {
		return address
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return address
	}
	return parsed.Path
}
