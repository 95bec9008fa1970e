package cursor

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// tool is a tool call with its outcome. Arguments, result and error are JSON
// written as text.
type tool struct {
	Name     string `json:"name"`
	Raw      string `json:"rawArgs"` // as the model gave them
	Params   string `json:"params"`  // as the tool took them
	Result   string `json:"result"`
	Status   string `json:"status"`
	Error    string `json:"error"`
	Decision string `json:"userDecision"`
}

// Words of the tool.
const (
	rejected = "rejected"
	aborted  = "_ABORTED" // how the reason ends for which a command was stopped
)

// tool tells of a call and, once it is over, of its outcome.
func (r *record) tool(b bubble, coverage *transcript.Coverage) {
	t := *b.Tool
	if t.Name == "" {
		return
	}
	known, found := r.Calls.Lookup(t.Name)
	if !found {
		coverage.CountUnknown("", "call "+t.Name, 1)
	}
	info := known.Info(b.ID, t.Name, []byte(t.Raw))
	if info.Command == "" && len(info.Paths) == 0 {
		taken := known.Info(b.ID, t.Name, []byte(t.Params))
		info.Command, info.Paths, info.Detail = taken.Command, taken.Paths, cmp.Or(info.Detail, taken.Detail)
	}
	call := r.emit(transcript.Event{ID: b.ID + "#call", Kind: transcript.Call, Call: info})
	r.around(call, known, []byte(t.Raw))
	if result := t.outcome(known, b.ID); result != nil {
		result.Text = transcript.Foreign(result.Text)
		r.emit(transcript.Event{ID: b.ID + "#result", Parent: b.ID + "#call", Kind: transcript.Result, Result: result})
	}
}

// around passes the text of an edit along, and tells the decisions in it.
func (r *record) around(call *transcript.Located, known toolspecs.Call, arguments []byte) {
	if known.After == "" || len(call.Call.Paths) == 0 {
		return
	}
	texts := transcript.Members(arguments, known.Before, known.After)
	call.Edit = &transcript.EditText{Path: call.Call.Paths[0], Before: transcript.Text(texts[0]), After: transcript.Text(texts[1])}
	r.Decisions(call.Event, call.Edit.After)
}

// result is what of a call's result says how it ended.
type result struct {
	Output   string `json:"output"`
	Contents string `json:"contents"`
	Rejected bool   `json:"rejected"`
	Exit     *int   `json:"exitCodeV2"`
	OldExit  *int   `json:"exitCode"` // written only when it is not 0
	Ended    string `json:"endedReason"`
	Failed   bool   `json:"applyFailed"`
	Error    string `json:"error"`
}

// outcome is how a call ended; nil while it runs.
func (t tool) outcome(known toolspecs.Call, id string) *transcript.ResultInfo {
	var out result
	_ = json.Unmarshal([]byte(t.Result), &out) // a result of another shape says nothing
	info := &transcript.ResultInfo{CallID: id, Text: cmp.Or(out.Output, out.Contents)}
	switch {
	case out.Rejected, t.Decision == rejected && t.Status != "loading":
		info.Outcome = transcript.Rejected
	case t.Status == "error":
		info.Failed, info.Text = true, cmp.Or(t.errorText(), out.Error, info.Text)
	case t.Status == "cancelled", strings.HasSuffix(out.Ended, aborted):
		info.Outcome = transcript.Interrupted
	case t.Status != "completed":
		return nil
	case known.Meaning == transcript.Shell:
		if info.ExitCode = out.Exit; info.ExitCode == nil {
			info.ExitCode = out.OldExit
		}
		info.Failed = info.ExitCode != nil && *info.ExitCode != 0
	default:
		info.Failed = out.Failed
	}
	return info
}

// errorText is the error of a call as the model was given it, else the user.
func (t tool) errorText() string {
	var out struct {
		Model  string `json:"modelVisibleErrorMessage"`
		Client string `json:"clientVisibleErrorMessage"`
		Actual string `json:"actualErrorMessage"`
	}
	if json.Unmarshal([]byte(t.Error), &out) != nil {
		return t.Error
	}
	return cmp.Or(out.Model, out.Client, out.Actual)
}
