package openhands

import (
	"slices"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// message reads what the user or the agent said.
func (e *event) message() {
	said := text(e.record.Message.Content)
	if e.record.Source != "user" {
		if said != "" {
			e.Decisions(e.emit("0", transcript.Event{Kind: transcript.Reply, Text: said}), said)
		}
		e.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
		return
	}
	if e.cwd != "" {
		e.emit("place", transcript.Event{Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: e.cwd}})
	}
	if slices.ContainsFunc(e.record.Extended, func(beside piece) bool { return transcript.Ours(beside.Text) }) {
		e.emit("restored", transcript.Event{Kind: transcript.Restored})
	}
	if event, spoken := e.Prompted(said); spoken {
		e.emit("0", event)
	}
}

// finish is the call with which a turn ends; what it says is the last reply.
const finish = "finish"

// action reads what the agent thought aloud and called.
func (e *event) action() {
	if said := text(e.record.Thought); said != "" {
		e.Decisions(e.emit("0", transcript.Event{Kind: transcript.Reply, Text: said}), said)
	}
	if e.record.ToolName == finish {
		if said := transcript.Text(transcript.Member(e.record.Action, "message")); said != "" {
			e.Decisions(e.emit("said", transcript.Event{Kind: transcript.Reply, Text: said}), said)
		}
		e.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
		return
	}
	known, found := e.known()
	if !found {
		e.UnknownCall("", e.record.ToolName)
	}
	call := e.emit("call", transcript.Event{Kind: transcript.Call, Call: known.Info(e.record.CallID, e.record.ToolName, e.record.Action)})
	e.EditedBy(known, call, e.record.Action)
	if known.Meaning == transcript.Todos {
		e.todos(call)
	}
}

// known is what a call means: one tool does several things with files, and its
// argument command says which.
func (e *event) known() (toolspecs.Call, bool) {
	command := transcript.Text(transcript.Member(e.record.Action, "command"))
	if known, found := e.Calls.Lookup(e.record.ToolName + " " + command); found {
		return known, true
	}
	return e.Calls.Lookup(e.record.ToolName)
}

// todoStates are the tool's words for the states of a todo.
var todoStates = map[string]string{"todo": "todo", "in_progress": "doing", "done": "done"}

func (e *event) todos(call transcript.Event) {
	var items []transcript.Item
	for _, task := range transcript.Elements(transcript.Member(e.record.Action, "task_list")) {
		members := transcript.Members(task, "title", "status")
		items = append(items, transcript.Item{Text: transcript.Text(members[0]), State: todoStates[transcript.Text(members[1])]})
	}
	if items != nil {
		e.emit("todo", transcript.Event{Parent: call.ID, Kind: transcript.Todo, Items: items})
	}
}

// result reads what came of a call.
func (e *event) result(kind string) {
	if e.record.ToolName == finish {
		return
	}
	seen := e.record.Result
	info := &transcript.ResultInfo{CallID: e.record.CallID, Failed: seen.IsError, Text: transcript.Foreign(text(seen.Content))}
	switch {
	case kind == "UserRejectObservation":
		info.Outcome, info.Text = transcript.Rejected, e.record.Rejection
	case kind == "AgentErrorEvent":
		info.Failed, info.Text = true, e.record.Error
	case seen.ExitCode != nil && *seen.ExitCode >= 0:
		info.ExitCode, info.Failed = seen.ExitCode, *seen.ExitCode != 0
	}
	parent := ""
	if e.record.ActionID != "" {
		parent = e.record.ActionID + "#call"
	}
	e.emit("0", transcript.Event{Parent: parent, Kind: transcript.Result, Result: info})
}
