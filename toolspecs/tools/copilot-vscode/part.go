package copilotvscode

import (
	"path"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// partName is a part of an answer as a type of record.
func partName(part any) string {
	kind := text(part, "kind")
	if kind == "" {
		kind = "markdown"
	}
	return "response/" + kind
}

// parts maps an answer by what is shown of it: all there is while it runs, when
// it was cancelled early, and in old sessions.
func (s *session) parts(parts []any) {
	var words strings.Builder
	editing := false // by a call that the edits shown belong to
	last := lastShown(parts)
	for i, part := range parts {
		if id := text(part, "toolCallId"); id != "" && last[id] != i {
			continue // shown again, as it went on
		}
		switch partName(part) {
		case "response/markdown":
			if shown := markdown(part); strings.Trim(shown, " \n") != "```" { // the frame of an edit
				words.WriteString(shown)
			}
		case "response/inlineReference":
			words.WriteString("`" + referenceName(part) + "`")
		case "response/toolInvocationSerialized":
			s.say("p"+strconv.Itoa(i), words.String())
			words.Reset()
			editing = s.invocation(part, parts[i+1:])
		case "response/textEditGroup":
			if !editing {
				s.edited(filePath(at(part, "uri")))
			}
		}
	}
	s.say("p"+strconv.Itoa(len(parts)), words.String())
}

// lastShown is where each call is shown last, by its id: newer versions append a call
// again when it has gone on.
func lastShown(parts []any) map[string]int {
	last := map[string]int{}
	for i, part := range parts {
		if id := text(part, "toolCallId"); id != "" {
			last[id] = i
		}
	}
	return last
}

func referenceName(part any) string {
	if name := text(part, "name"); name != "" {
		return name
	}
	return path.Base(filePath(at(part, "inlineReference")))
}

// invocation maps a call by the line that is shown of it. rest is what follows:
// an edit's file is shown after it. It says whether the call was one.
func (s *session) invocation(part any, rest []any) (edits bool) {
	if complete, _ := at(part, "isComplete").(bool); !complete {
		return false
	}
	tool, known := s.Calls.Lookup(text(part, "toolId"))
	info := &transcript.CallInfo{Name: text(part, "toolId"), Meaning: tool.Meaning}
	info.Command = text(part, "toolSpecificData", "commandLine", "original")
	info.Detail = markdown(at(part, "pastTenseMessage"))
	if edits = tool.Meaning == transcript.Edit || tool.Meaning == transcript.Write; edits {
		info.Paths, info.Detail = editedBefore(rest), ""
	}
	call := s.emitCall(info, known)
	result := transcript.ResultInfo{CallID: call, Text: outputOf(at(part, "resultDetails"))}
	if failed, _ := at(part, "resultDetails", "isError").(bool); failed {
		result.Failed = true
	}
	if confirmed, asked := at(part, "isConfirmed").(bool); asked && !confirmed {
		result.Outcome = transcript.Rejected
	} else if tool.Meaning == transcript.Shell && !terminal(part, &result) {
		result.Outcome = transcript.UnknownOutcome // how a command ended is only recorded with the rounds
	}
	s.emitResult(result)
	return edits
}

// terminal takes in how a command ended and what it printed, which newer versions keep
// with the call; false where they do not say it.
func terminal(part any, result *transcript.ResultInfo) bool {
	data := at(part, "toolSpecificData")
	if shown := text(data, "terminalCommandOutput", "text"); shown != "" {
		result.Text = transcript.Foreign(shown)
	}
	status, known := number(data, "terminalCommandState", "exitCode")
	if known {
		code := int(status)
		result.ExitCode, result.Failed = &code, code != 0
	}
	return known
}

// edited maps an edit that VS Code made of an answer by itself, without a call.
func (s *session) edited(file string) {
	call := s.emitCall(&transcript.CallInfo{Name: "textEdit", Meaning: transcript.Edit, Paths: []string{file}}, true)
	s.emitResult(transcript.ResultInfo{CallID: call})
}

// editedBefore are the files shown as edited before the next call.
func editedBefore(parts []any) []string {
	var files []string
	for _, part := range parts {
		switch partName(part) {
		case "response/toolInvocationSerialized":
			return files
		case "response/textEditGroup":
			files = append(files, filePath(at(part, "uri")))
		}
	}
	return files
}

// outputOf is what a call's details show as its output.
func outputOf(details any) string {
	var shown []string
	for _, output := range list(details, "output") {
		if value := text(output, "value"); value != "" {
			shown = append(shown, value)
		}
	}
	return strings.Join(shown, "\n")
}
