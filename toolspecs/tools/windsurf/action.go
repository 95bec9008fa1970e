package windsurf

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Read implements kit.Format.
func (p *payloads) Read(string) {
	p.open()
	switch p.Action {
	case "pre_user_prompt":
		p.prompt(p.text("user_prompt"))
	case "post_cascade_response":
		p.answer(p.text("response"))
	case "post_setup_worktree":
		p.emitWorkDir("worktree", p.text("worktree_path"))
	case "post_mcp_tool_use":
		p.mcp()
	default:
		p.call()
	}
}

func (p *payloads) text(member string) string {
	return transcript.Text(transcript.Member(p.Info, member))
}

// open tells a conversation and where it is held. Only commands name a
// directory; the hook's own is the root of the workspace.
func (p *payloads) open() {
	cwd := p.cwd
	if p.Action == "post_run_command" && cwd == "" {
		cwd = p.text("cwd")
	}
	if p.state.Session == p.Session && (cwd == "" || p.state.Open != "") {
		return
	}
	p.state = state{Session: p.Session, Open: cwd}
	p.emit("start", transcript.Event{
		Kind: transcript.Session, Start: &transcript.Start{Model: p.Model}, WorkDir: &transcript.WorkDir{Cwd: cwd},
	})
}

func (p *payloads) emitWorkDir(part, cwd string) {
	if cwd != "" {
		p.emit(part, transcript.Event{Kind: transcript.Session, Start: &transcript.Start{Model: p.Model}, WorkDir: &transcript.WorkDir{Cwd: cwd}})
	}
}

func (p *payloads) prompt(text string) {
	switch {
	case strings.TrimSpace(text) == "":
	case transcript.Ours(text):
		p.emit("0", transcript.Event{Kind: transcript.Restored})
	default:
		p.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Typed})
	}
}

// call maps an action that is reported once it is done. How a command ended is not
// reported.
func (p *payloads) call() {
	tool, _ := p.Calls.Lookup(p.Action)
	info := tool.Info(p.id("0"), p.Action, p.Info)
	event := p.emit("0", transcript.Event{Kind: transcript.Call, Call: info})
	if tool.Meaning == transcript.Edit && len(info.Paths) > 0 {
		p.edit(event, info.Paths[0])
	}
	result := transcript.ResultInfo{CallID: info.ID}
	if tool.Meaning == transcript.Shell {
		result.Outcome, result.Unseen = transcript.UnknownOutcome, true
	}
	p.result(result)
}

// edit passes the edited text along, and reads the decisions written into it.
func (p *payloads) edit(event transcript.Event, path string) {
	var before, after []string
	for _, edit := range transcript.Elements(transcript.Member(p.Info, "edits")) {
		parts := transcript.Members(edit, "old_string", "new_string")
		before = append(before, transcript.Text(parts[0]))
		after = append(after, transcript.Text(parts[1]))
	}
	written := strings.Join(after, "\n")
	p.Edited(path, strings.Join(before, "\n"), written)
	p.Decisions(event, written)
}

func (p *payloads) mcp() {
	name := "mcp__" + p.text("mcp_server_name") + "__" + p.text("mcp_tool_name")
	tool, _ := p.Calls.Lookup(name)
	info := tool.Info(p.id("0"), name, transcript.Member(p.Info, "mcp_tool_arguments"))
	p.emit("0", transcript.Event{Kind: transcript.Call, Call: info})
	p.result(transcript.ResultInfo{CallID: info.ID, Text: transcript.Foreign(p.text("mcp_result"))})
}

func (p *payloads) result(result transcript.ResultInfo) {
	p.emit("", transcript.Event{ID: result.CallID + ".result", Kind: transcript.Result, Result: &result})
}

// Marks of what Cascade writes around an answer.
const (
	ruleMark = ") Triggered Rule: "
	saidMark = "### Planner Response" // what follows was said
	doneMark = "### Code Action"      // what follows was done, and has a hook of its own
)

// answer reads all that was said since the last prompt, and ends the turn.
func (p *payloads) answer(response string) {
	if words := said(response); words != "" {
		event := p.emit("0", transcript.Event{Kind: transcript.Reply, Text: words})
		p.Decisions(event, words)
	}
	p.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
}

// said is an answer without its frame.
func said(response string) string {
	var words []string
	skip := false
	for line := range strings.SplitSeq(response, "\n") {
		switch mark := strings.TrimSpace(line); {
		case mark == doneMark:
			skip = true
		case strings.HasPrefix(mark, "### "):
			skip = false
		}
		framed := strings.TrimSpace(line) == saidMark || strings.HasPrefix(line, "- (") && strings.Contains(line, ruleMark)
		twoBlank := strings.TrimSpace(line) == "" && (len(words) == 0 || words[len(words)-1] == "")
		if !skip && !framed && !twoBlank {
			words = append(words, strings.TrimRight(line, " \r"))
		}
	}
	return strings.TrimSpace(strings.Join(words, "\n"))
}
