package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// OpenCall is a tool call whose result has not come yet.
type OpenCall struct {
	Info     transcript.CallInfo
	Source   distiller.Source
	seq      int
	turn     int
	Calls    int
	Subagent bool
	ByUser   bool                 // the person ran it, between two turns
	Folder   string               // where it was made, "" for the project's own
	Symbols  []string             // what its text shows: see package syntax
	Code     *transcript.CodeInfo // the same
	Commands []shell.Command      // of a shell call
	Changes  []paths.Change       // what they do to files
	Primary  shell.Command        // the command the call is about
	Family   string               // of primary
}

// maxOpen bounds the calls waiting for a result; real agents run a handful at
// a time.
const maxOpen = 64

// OpenCalls joins results to their calls.
type OpenCalls struct {
	List []*OpenCall
}

// Add is called twice per event: before the extractors to join, and by them,
// last, to forget what has ended.
func (o *OpenCalls) Add(e *Event) {
	switch e.Kind {
	case transcript.Call:
		if e.ToolCall == nil && e.Call != nil {
			e.ToolCall = newCall(e)
			o.List = append(bounded.Limit(o.List, maxOpen-1), e.ToolCall)
		}
	case transcript.Code:
		for _, c := range o.List {
			if c.Info.ID == e.Parent {
				c.Symbols, c.Code = e.Symbols, e.Code
			}
		}
	case transcript.Result:
		o.resolve(e)
	case transcript.Reply:
		if !e.Subagent { // it spoke again: what has no result by now runs elsewhere
			o.List = slices.DeleteFunc(slices.Clone(o.List), func(c *OpenCall) bool { return !c.Subagent && c.Info.Meaning == transcript.Other })
		}
	case transcript.Prompt, transcript.Compacted:
		if !e.Subagent && e.Wording.Words != "" && e.Origin != transcript.Queued { // what is queued ends no call
			o.List = slices.DeleteFunc(slices.Clone(o.List), func(c *OpenCall) bool { return c.turn < e.Turn && !c.Subagent })
		}
	}
}

func (o *OpenCalls) resolve(e *Event) {
	if e.Result == nil {
		return
	}
	if e.ToolCall == nil {
		for _, c := range o.List {
			if c.Info.ID == e.Result.CallID {
				e.ToolCall = c
			}
		}
		return
	}
	o.List = slices.DeleteFunc(slices.Clone(o.List), func(c *OpenCall) bool { return c == e.ToolCall })
}

// Waiting is the newest call of the main agent without a result.
func (o *OpenCalls) Waiting() *OpenCall {
	for _, c := range slices.Backward(o.List) {
		if !c.Subagent {
			return c
		}
	}
	return nil
}

// Undone is the newest call without a result, nil for one that only looks, for
// nothing is lost with its result, and for one that the agent has spoken since.
func (o *OpenCalls) Undone(repliedAt int) *OpenCall {
	c := o.Waiting()
	if c == nil || c.Info.Meaning == transcript.Read || c.Info.Meaning == transcript.Search {
		return nil
	}
	if repliedAt > c.seq || c.Family != "" && shell.Probes[c.Family] {
		return nil
	}
	return c
}

func newCall(e *Event) *OpenCall {
	c := &OpenCall{Info: *e.Call, Source: e.Source, seq: e.Seq, turn: e.Turn, Calls: e.Calls, Subagent: e.Subagent, ByUser: e.Origin == transcript.Typed}
	if cwd := cmp.Or(e.Call.Cwd, e.Paths.Cwd); cwd != "" {
		c.Folder = e.Paths.Rel(cwd, "")
	}
	if e.Call.Command == "" {
		return c
	}
	c.Commands = shell.Commands(e.Call.Command)
	c.Changes = paths.OfCommand(e.Call.Command, c.Commands)
	for _, s := range c.Commands {
		fam := shell.Family(s.Argv)
		if fam == "" || shell.Quiet[fam] {
			continue
		}
		if c.Family == "" || IsTest(fam) || IsCheck(fam) && !IsTest(c.Family) {
			c.Primary, c.Family = s, fam
		}
	}
	return c
}

// CommandKey is a command without what does not change what it does.
func CommandKey(text string) string { return prose.Clip(shell.Key(text), 300) }

// IsCheck says whether a family of commands builds, tests, lints or checks types.
func IsCheck(fam string) bool { return fam != "" && verdict.CheckOf(strings.Fields(fam)) != "" }

// IsTest says whether a family of commands runs tests.
func IsTest(fam string) bool {
	return fam != "" && verdict.CheckOf(strings.Fields(fam)) == verdict.Test
}

// Before says that a call was made before an event.
func (c *OpenCall) Before(seq int) bool { return c.seq < seq }

// Commits says that a call is to commit.
func (c *OpenCall) Commits() bool {
	return slices.ContainsFunc(c.Commands, func(cmd shell.Command) bool { return shell.Family(cmd.Argv) == "git commit" })
}

// Failed says whether a result is a failure of the work: see verdict.
func Failed(e *Event) bool { return e.Verdict.Kind == verdict.Failed }

// Passed says whether a result is a success that proves something.
func Passed(e *Event) bool { return e.Verdict.Kind == verdict.Passed }

// Happened says whether a call took place and did not fail, be its result kept
// by the tool or not: enough for a file that was written, not for a check.
func Happened(e *Event) bool { return Passed(e) || e.Result != nil && e.Result.Unseen }

// Judge gives a result its verdict, and a test run its report.
func Judge(e *Event) {
	if e.Result == nil {
		return
	}
	var info transcript.CallInfo
	var cmds []shell.Command
	if e.ToolCall != nil {
		info, cmds = e.ToolCall.Info, e.ToolCall.Commands
	}
	e.Verdict = verdict.Of(info, cmds, *e.Result, output.StripANSI(prose.Excerpt(e.Result.Text)))
	if e.Verdict.Check != "" && triesOut(e) {
		e.Verdict.Check = ""
	}
	if e.Verdict.Check == verdict.Test {
		e.Test = output.ReadReport(e.Result.Text)
	}
}

// triesOut says that a check ran in a temporary folder outside the project: it says nothing of that.
func triesOut(e *Event) bool {
	dir := e.Paths.Rel(cmp.Or(e.ToolCall.Primary.Dir, e.ToolCall.Info.Cwd), e.ToolCall.Info.Cwd)
	return dir != "" && paths.Scratch(dir+"/")
}

// What names a call the way a person would: its command, else tool and object.
func (c *OpenCall) What() string {
	switch {
	case c.Info.Command != "":
		return CommandKey(c.Info.Command)
	case len(c.Info.Paths) > 0:
		return c.Info.Name + " " + c.Info.Paths[0]
	case c.Info.Detail != "":
		return c.Info.Name + " " + prose.Clip(prose.OneLine(c.Info.Detail), 120)
	}
	return c.Info.Name
}

// OnlyLooks says that a call is a shell text whose commands change nothing.
func (c *OpenCall) OnlyLooks() bool {
	return c.Info.Command != "" && !slices.ContainsFunc(c.Commands, func(cmd shell.Command) bool {
		family := shell.Family(cmd.Argv)
		writes := len(cmd.Writes) > 0 || family == "xargs" || family == "sed" && slices.Contains(cmd.Argv, "-i")
		return writes || family != "" && !shell.Probes[family] && !shell.Quiet[family]
	})
}

// acts says that a call is a command that does more than look, or of a tool that nobody knows.
func (c *OpenCall) acts() bool {
	return c.Info.Command != "" && !c.OnlyLooks() || c.Info.Meaning == transcript.Other
}

// Edits says whether a call changes files.
func Edits(m transcript.Meaning) bool {
	return m == transcript.Edit || m == transcript.Write || m == transcript.Delete
}
