package extract

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// openCall is a tool call whose result has not come yet.
type openCall struct {
	info     transcript.CallInfo
	src      distiller.Source
	seq      int
	turn     int
	calls    int
	subagent bool
	symbols  []string             // what its text shows: see package syntax
	code     *transcript.CodeInfo // the same
	cmds     []shell.Command      // of a shell call
	primary  shell.Command        // the command the call is about
	family   string               // of primary
}

// maxOpen bounds the calls waiting for a result; real agents run a handful at
// a time.
const maxOpen = 64

// openCalls joins results to their calls.
type openCalls struct {
	calls []*openCall
}

// Add is called twice per event: before the extractors to join, and by them,
// last, to forget what is settled.
func (o *openCalls) Add(e *event) {
	switch e.Kind {
	case transcript.Call:
		if e.call == nil && e.Call != nil {
			e.call = newCall(e)
			o.calls = append(bounded.Limit(o.calls, maxOpen-1), e.call)
		}
	case transcript.Code:
		for _, c := range o.calls {
			if c.info.ID == e.Parent {
				c.symbols, c.code = e.Symbols, e.Code
			}
		}
	case transcript.Result:
		o.settle(e)
	case transcript.Reply:
		if !e.Subagent { // it spoke again: what has no result by now runs elsewhere
			o.calls = slices.DeleteFunc(slices.Clone(o.calls), func(c *openCall) bool { return !c.subagent && c.info.Meaning == transcript.Other })
		}
	case transcript.Prompt, transcript.Compacted:
		if !e.Subagent && e.req.Words != "" {
			o.calls = slices.DeleteFunc(slices.Clone(o.calls), func(c *openCall) bool { return c.turn < e.turn && !c.subagent })
		}
	}
}

func (o *openCalls) settle(e *event) {
	if e.Result == nil {
		return
	}
	if e.call == nil {
		for _, c := range o.calls {
			if c.info.ID == e.Result.CallID {
				e.call = c
			}
		}
		return
	}
	o.calls = slices.DeleteFunc(slices.Clone(o.calls), func(c *openCall) bool { return c == e.call })
}

// waiting is the newest call of the main agent without a result.
func (o *openCalls) waiting() *openCall {
	for _, c := range slices.Backward(o.calls) {
		if !c.subagent {
			return c
		}
	}
	return nil
}

// undone is the newest call without a result, nil for one that only looks, for
// nothing is lost with its result, and for one that the agent has spoken since.
func (o *openCalls) undone(repliedAt int) *openCall {
	c := o.waiting()
	if c == nil || c.info.Meaning == transcript.Read || c.info.Meaning == transcript.Search {
		return nil
	}
	if repliedAt > c.seq || c.family != "" && shell.Probes[c.family] {
		return nil
	}
	return c
}

func newCall(e *event) *openCall {
	c := &openCall{info: *e.Call, src: e.src, seq: e.seq, turn: e.turn, calls: e.calls, subagent: e.Subagent}
	if e.Call.Command == "" {
		return c
	}
	c.cmds = shell.Commands(e.Call.Command)
	for _, s := range c.cmds {
		fam := family(s.Argv)
		if fam == "" || shell.Quiet[fam] {
			continue
		}
		if c.family == "" || isTest(fam) || isCheck(fam) && !isTest(c.family) {
			c.primary, c.family = s, fam
		}
	}
	return c
}

// failed says whether a result is a failure of the work: see verdict.
func failed(e *event) bool { return e.verdict.Kind == verdict.Failed }

// passed says whether a result is a success that proves something.
func passed(e *event) bool { return e.verdict.Kind == verdict.Passed }

// happened says whether a call took place and did not fail, be its result kept
// by the tool or not: enough for a file that was written, not for a check.
func happened(e *event) bool { return passed(e) || e.Result != nil && e.Result.Unseen }

// judge gives a result its verdict, and a test run its report.
func judge(e *event) {
	if e.Result == nil {
		return
	}
	var info transcript.CallInfo
	var cmds []shell.Command
	if e.call != nil {
		info, cmds = e.call.info, e.call.cmds
	}
	e.verdict = verdict.Of(info, cmds, *e.Result, output.StripANSI(prose.Excerpt(e.Result.Text)))
	if e.verdict.Check == verdict.Test {
		e.test = output.ReadReport(e.Result.Text)
	}
}

// what names a call the way a person would: its command, else tool and object.
func (c *openCall) what() string {
	switch {
	case c.info.Command != "":
		return commandKey(c.info.Command)
	case len(c.info.Paths) > 0:
		return c.info.Name + " " + c.info.Paths[0]
	case c.info.Detail != "":
		return c.info.Name + " " + prose.Clip(prose.OneLine(c.info.Detail), 120)
	}
	return c.info.Name
}

// edits says whether a call changes files.
func edits(m transcript.Meaning) bool {
	return m == transcript.Edit || m == transcript.Write || m == transcript.Delete
}
