package opencode

import (
	"cmp"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// message is one of the user or of a model, without its parts.
type message struct {
	ID     string `json:"id"`
	Role   string `json:"role"`
	Mode   string `json:"mode"`
	Model  string `json:"modelID"`
	Parent string `json:"parentID"`
	Finish string `json:"finish"`
	Time   struct {
		Created   int64 `json:"created"`
		Completed int64 `json:"completed"`
	} `json:"time"`
	Tokens struct {
		Total     int64 `json:"total"`
		Input     int64 `json:"input"`
		Output    int64 `json:"output"`
		Reasoning int64 `json:"reasoning"`
		Cache     struct {
			Read  int64 `json:"read"`
			Write int64 `json:"write"`
		} `json:"cache"`
	} `json:"tokens"`
	Error *struct {
		Name string `json:"name"`
		Data struct {
			Message    string `json:"message"`
			StatusCode int    `json:"statusCode"` // of HTTP, as the service answered
		} `json:"data"`
	} `json:"error"`
}

// Words of the tool.
const (
	user            = "user"
	assistant       = "assistant"
	compaction      = "compaction" // a part that asks for a compaction, and the mode of the message with the summary
	toolCalls       = "tool-calls" // how a message ends that another of the same turn follows
	aborted         = "MessageAbortedError"
	tooManyRequests = 429
)

// ended tells how full the context was after a message, and of the end of a
// turn. A subagent's context is not the session's.
func (r *record) ended(m message) {
	if m.Role != assistant || m.Time.Completed == 0 || r.session.parent != "" || m.Mode == compaction {
		return
	}
	t := m.Tokens
	if total := max(t.Total, t.Input+t.Output+t.Reasoning+t.Cache.Read+t.Cache.Write); total > 0 {
		r.emit(transcript.Event{
			ID: m.ID + "#usage", Time: at(m.Time.Completed), Kind: transcript.UsageRead,
			Usage: &transcript.UsageInfo{Context: total, Window: r.Spec.Window(m.Model), Model: m.Model},
		})
	}
	turn := transcript.Event{ID: m.ID + "#turn", Time: at(m.Time.Completed), Kind: transcript.Turn, Text: transcript.TurnCompleted}
	switch {
	case m.Error != nil && m.Error.Name == aborted:
		turn.Text = transcript.TurnInterrupted
	case m.Error != nil:
		turn.Text = transcript.TurnFailed
		turn.Result = &transcript.ResultInfo{Failed: true, Text: cmp.Or(m.Error.Data.Message, m.Error.Name)}
		if m.Error.Data.StatusCode == tooManyRequests {
			turn.Result.Outcome = transcript.Limited
		}
	case m.Finish == toolCalls || m.Finish == "":
		return
	}
	r.emit(turn)
}
