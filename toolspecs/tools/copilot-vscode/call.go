package copilotvscode

import (
	"regexp"
	"strconv"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/patch"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// exited is how the terminal tells a command's exit status.
var exited = regexp.MustCompile(`[Cc]ommand exited with code (-?\d+)`)

// call maps a call of the model and its result, nil when there is none.
func (s *session) call(name string, arguments []byte, result any) {
	tool, known := s.Calls.Lookup(name)
	info := tool.Info("", name, arguments)
	edit := editText(tool, info, arguments)
	call := s.emitCall(info, known)
	if edit != nil {
		s.Events[len(s.Events)-1].Edit = edit
		s.Decisions(s.Events[len(s.Events)-1].Event, edit.After)
	}
	if result == nil {
		return
	}
	output := transcript.Foreign(written(at(result, "content")))
	ended := transcript.ResultInfo{CallID: call, Text: output}
	if found := exited.FindStringSubmatch(output); found != nil && tool.Meaning == transcript.Shell {
		if code, err := strconv.Atoi(found[1]); err == nil {
			ended.ExitCode, ended.Failed = &code, code != 0
		}
	}
	if outcome := s.Spec.Outcome(output); outcome != "" {
		ended.Outcome, ended.Failed = outcome, false
	}
	s.emitResult(ended)
}

// emitCall emits the next call of a request and returns its id: its number,
// which is the same in the parts that are shown and in the rounds.
func (s *session) emitCall(info *transcript.CallInfo, known bool) string {
	if !known {
		s.batch.Coverage.CountUnknown("", "call "+info.Name, 1)
	}
	info.ID = s.from.id + "#c" + strconv.Itoa(s.from.calls)
	s.from.calls++
	s.emit(info.ID, transcript.Event{Kind: transcript.Call, Call: info})
	return info.ID
}

func (s *session) emitResult(result transcript.ResultInfo) {
	s.emit(result.CallID+".result", transcript.Event{Kind: transcript.Result, Result: &result})
}

// editText is the text around an edit, and fills in the files of a patch.
func editText(tool toolspecs.Call, info *transcript.CallInfo, arguments []byte) *transcript.EditText {
	if tool.Meaning != transcript.Edit && tool.Meaning != transcript.Write {
		return nil
	}
	parts := transcript.Members(arguments, tool.Before, tool.After, "input")
	if len(info.Paths) > 0 {
		return &transcript.EditText{Path: info.Paths[0], Before: transcript.Text(parts[0]), After: transcript.Text(parts[1])}
	}
	changes := patch.Parse(transcript.Text(parts[2]))
	if len(changes) == 0 {
		return nil
	}
	edit := &transcript.EditText{Path: changes[0].Path}
	for _, change := range changes {
		info.Paths = append(info.Paths, change.Paths()...)
		edit.Before += change.Before
		edit.After += change.After
	}
	return edit
}
