// Package codex reads the rollouts of Codex CLI: one JSONL file per thread,
// appended to. Two histories are told apart by the first record: "paginated"
// rollouts (0.169) say everything in items, older ones in a mixture of events
// and of what went to and came from the model.
package codex

import (
	"encoding/json"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 4

// Reader reads rollouts by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	return &Reader{kit.For(spec)}
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	thread := &thread{}
	thread.Reader = r
	if err := transcript.DecodeState(pos.State, &thread.state); err != nil {
		return nil, err
	}
	if thread.state.Thread == "" {
		thread.state.Thread = threadOf(src.Path)
	}
	return kit.Decode(in, pos, thread), nil
}

var threadPattern = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)

// threadOf is the id in a rollout's name, for files whose head is missing.
func threadOf(file string) string {
	return threadPattern.FindString(path.Base(filepath.ToSlash(file)))
}

// thread is one rollout being read.
type thread struct{ calls }

// State implements kit.Format.
func (t *thread) State() (json.RawMessage, error) {
	return transcript.EncodeState(&t.state, t.state.forget)
}

// Parse implements kit.Format.
func (t *thread) Parse(line []byte) (err error) {
	t.record, err = parseRecord(line)
	return err
}

// Version implements kit.Format.
func (t *thread) Version() string { return t.state.Version }

// Read implements kit.Format.
func (t *thread) Read(name string) {
	payload := t.record.Payload
	switch name {
	case "session_meta":
		t.meta(payload)
	case "turn_context":
		t.context(payload)
	case "compacted":
		t.compacted(payload)
	case "retained_context/verified_answer":
		t.verifiedAnswer(payload)
	case "event_msg/user_message":
		t.oldPrompt(fromEvent, transcript.Text(transcript.Member(payload, "message")))
	case "event_msg/agent_message":
		t.said(fromEvent, text(payload, "message"), text(payload, "phase"))
	case "event_msg/exec_command_end":
		t.commandEnd(payload)
	case "event_msg/patch_apply_end":
		t.patchEnd(payload)
	case "event_msg/mcp_tool_call_end":
		t.mcpEnd(payload)
	case "event_msg/token_count":
		t.usage(payload)
	case "event_msg/task_started":
		t.started()
	case "event_msg/task_complete", "event_msg/turn_aborted", "event_msg/thread_rolled_back":
		t.turn(name, payload)
	case "event_msg/thread_name_updated":
		if name := text(payload, "thread_name"); name != "" {
			t.emit("", "0", transcript.Event{Kind: transcript.Title, Text: name})
		}
	case "response_item/message":
		t.message(payload)
	case "response_item/agent_message":
		t.agentMessage(payload)
	case "response_item/function_call":
		t.functionCall(payload)
	case "response_item/custom_tool_call":
		t.customCall(payload)
	case "response_item/function_call_output", "response_item/custom_tool_call_output":
		if from := delegation(strings.Join(partTexts(transcript.Member(payload, "output")), "")); from != "" {
			t.emit("", "0", transcript.Event{Kind: transcript.Prompt, Text: from, Origin: transcript.Injected})
			return
		}
		t.output(payload)
	default:
		t.item(transcript.Member(payload, "item"))
	}
}
