package codex

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/patch"
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
		t.reply(id, strings.Join(partTexts(parts[2]), "\n"))
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
func (t *thread) execution(id string, raw []byte) {
	run := parseExecution(raw)
	call, _ := t.Calls.Lookup("exec_command")
	event := t.emit(id, "0", transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{
		ID: id, Name: "exec_command", Meaning: call.Meaning, Command: toolspecs.CommandLine(run.Command), Cwd: t.elsewhere(run.Cwd),
	}})
	t.emit(id, "1", transcript.Event{Kind: transcript.Result, Parent: event.ID, Result: t.executed(id, run)})
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

func (t *thread) executed(call string, run execution) *transcript.ResultInfo {
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
func (t *thread) elsewhere(cwd string) string {
	if cwd = filePath(cwd); cwd == t.state.Cwd {
		return ""
	}
	return cwd
}

// fileChange reads a patch that was applied or refused. The fields are those
// of patch_apply_end too.
func (t *thread) fileChange(id string, raw []byte) {
	parts := transcript.Members(raw, "changes", "status", "success", "stderr", "stdout")
	var byPath map[string]json.RawMessage
	if json.Unmarshal(parts[0], &byPath) != nil {
		return
	}
	var changes []patch.Change
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		changes = append(changes, diffChange(path, byPath[path]))
	}
	status := transcript.Text(parts[1])
	result := transcript.ResultInfo{Failed: status == "failed" || string(parts[2]) == "false"}
	if status == "declined" {
		result = transcript.ResultInfo{Outcome: transcript.Rejected}
	}
	if result.Text = transcript.Text(parts[4]); result.Failed {
		result.Text = transcript.Text(parts[3])
	}
	if open := t.state.find(id); open != nil && len(open.Nested) > 0 {
		t.patched(open.Nested, result)
		return
	}
	t.changed(id, changes, result)
	t.settlePatches(changes)
}

// patched emits the result of every file of a patch whose calls were emitted.
func (t *thread) patched(files []command, result transcript.ResultInfo) {
	for n, file := range files {
		if !t.state.firstResult(file.ID) {
			continue
		}
		outcome := result
		if outcome.CallID = file.ID; n > 0 {
			outcome.Text = ""
		}
		t.emit(file.ID, "1", transcript.Event{
			Kind: transcript.Result, Parent: t.state.Thread + "/" + file.ID + "#0", Result: &outcome,
		})
	}
}

// changed emits the calls of a patch and their results at once.
func (t *thread) changed(id string, changes []patch.Change, result transcript.ResultInfo) {
	for n, change := range changes {
		call := id
		if n > 0 {
			call += "." + strconv.Itoa(n)
		}
		t.change(call, change)
		outcome := result
		if n > 0 {
			outcome.Text = ""
		}
		t.patched([]command{{ID: call}}, outcome)
	}
}

// settlePatches takes what a record has told of off the patches that scripts
// carry.
func (t *thread) settlePatches(done []patch.Change) {
	for i := range t.state.Open {
		open := &t.state.Open[i]
		open.Patches = slices.DeleteFunc(open.Patches, func(waiting patch.Change) bool {
			return slices.ContainsFunc(done, func(c patch.Change) bool { return samePath(c.Path, waiting.Path) })
		})
	}
}

// samePath compares a path as a record gives it, absolute, with one as a patch
// gives it, mostly relative.
func samePath(full, given string) bool {
	return full == given || strings.HasSuffix(full, "/"+strings.TrimPrefix(given, "./"))
}
