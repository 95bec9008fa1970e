package codex

import (
	"encoding/json"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// item reads one item of a paginated rollout.
func (t *thread) item(raw []byte) {
	parts := transcript.Members(raw, "type", "id", "content", "text")
	id := transcript.Text(parts[1])
	switch transcript.Text(parts[0]) {
	case "UserMessage":
		if texts := partTexts(parts[2]); len(texts) > 0 {
			t.prompt(id, strings.Join(texts, "\n"))
		}
	case "AgentMessage":
		t.reply(id, strings.Join(partTexts(parts[2]), "\n"), text(raw, "phase"))
	case "Plan":
		if plan := transcript.Text(parts[3]); plan != "" {
			t.emit(id, "0", transcript.Event{Kind: transcript.Plan, Text: plan})
		}
	case "CommandExecution":
		t.execution(id, raw)
	case "FileChange":
		t.fileChange(id, raw)
	}
}

// execution reads a command that has ended; the call and its result are one
// record. The fields are those of exec_command_end too.
func (c *calls) execution(id string, raw []byte) {
	run := parseExecution(raw)
	call, _ := c.Calls.Lookup("exec_command")
	event := c.emit(id, "0", transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{
		ID: id, Name: "exec_command", Meaning: call.Meaning, Command: toolspecs.CommandLine(run.Command), Cwd: c.elsewhere(run.Cwd),
	}})
	c.emit(id, "1", transcript.Event{Kind: transcript.Result, Parent: event.ID, Result: executed(id, run)})
}

// execution is a command as its end tells it.
type execution struct {
	Command  []string `json:"command"`
	Cwd      string   `json:"cwd"`
	Status   string   `json:"status"`
	Exit     *int     `json:"exit_code"`
	Output   string   `json:"aggregated_output"`
	Standard string   `json:"stdout"`
	Error    string   `json:"stderr"`
}

func parseExecution(raw []byte) execution {
	var run execution
	if json.Unmarshal(raw, &run) != nil {
		return execution{}
	}
	if run.Output == "" {
		run.Output = run.Standard + run.Error
	}
	return run
}

// killed is the status of a command that the end of its session ended.
const killed = -1

// executed is what came of a command.
func executed(call string, run execution) *transcript.ResultInfo {
	info := &transcript.ResultInfo{CallID: call, ExitCode: run.Exit, Text: transcript.Foreign(run.Output)}
	switch {
	case run.Status == "declined":
		info.Outcome = transcript.Rejected
	case run.Exit != nil && *run.Exit == killed:
		info.Outcome = transcript.Interrupted
	case run.Exit != nil:
		info.Failed = *run.Exit != 0
	default:
		info.Failed = run.Status == "failed"
	}
	return info
}

// elsewhere is a directory, when it is not the session's.
func (c *calls) elsewhere(cwd string) string {
	if cwd = filePath(cwd); cwd == c.state.Cwd {
		return ""
	}
	return cwd
}
