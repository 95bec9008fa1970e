package codex

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What the tool writes around an output, and what scripts print of a status.
var (
	exitHead    = regexp.MustCompile(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)$`)
	exitPart    = regexp.MustCompile(`"exit_code":\s?(-?\d+)|^(?i:exit(?:[_ ]?code)?)[=: ]\s*(-?\d+)\s*$`)
	processHead = regexp.MustCompile(`(?m)^Process running with session ID (\d+)$`)
	processPart = regexp.MustCompile(`"session_id":\s?(\d+)|^(?i:session_?id)[=: ]\s*(\d+)\s*$`)
	wallHead    = regexp.MustCompile(`(?m)^Wall time ([0-9.]+) seconds$`)
	cellPattern = regexp.MustCompile(`^Script running with cell ID (\S+)`)
)

// edge is how long the tool's own words before an output are at most.
const edge = 600

func processKey(id string) string { return "p" + strings.Trim(id, `"`) }
func cellKey(id string) string    { return "c" + strings.Trim(id, `"`) }

// printed is an output taken apart.
type printed struct {
	Head  string   // the tool's own words
	Parts []string // what was printed
	Marks []string // parts that are a status rather than output
}

func parseOutput(raw []byte) printed {
	texts := partTexts(raw)
	if len(texts) == 0 {
		return printed{}
	}
	var out printed
	if head, body, ok := strings.Cut(texts[0], "Output:\n"); ok && len(head) <= edge {
		out.Head = head
		if texts = texts[1:]; body != "" {
			texts = append([]string{body}, texts...)
		}
	}
	for _, text := range texts {
		out.add(text)
	}
	return out
}

// add sorts one printed part. Scripts often print the record of a command, the
// output with it or apart.
func (p *printed) add(part string) {
	if strings.HasPrefix(part, `{"chunk_id"`) {
		p.Marks = append(p.Marks, part[:min(len(part), edge)])
		if output := transcript.Member([]byte(part), "output"); output != nil {
			p.Parts = append(p.Parts, transcript.Text(output))
		}
		return
	}
	if len(part) < 40 && (exitPart.MatchString(part) || processPart.MatchString(part)) {
		p.Marks = append(p.Marks, part)
		return
	}
	p.Parts = append(p.Parts, part)
}

func (p printed) text() string { return strings.Join(p.Parts, "\n") }

// exit is the status the output names, nil when it names none.
func (p printed) exit() *int {
	code, err := strconv.Atoi(p.mark(exitHead, exitPart))
	if err != nil {
		return nil
	}
	return &code
}

// process is the key of a process that was left running, "" for none.
func (p printed) process() string {
	if id := p.mark(processHead, processPart); id != "" {
		return processKey(id)
	}
	return ""
}

// returnedBefore says that an output came before the time was over that it would have
// been waited for: the process ended.
func (p printed) returnedBefore(yield int64) bool {
	found := wallHead.FindStringSubmatch(p.Head)
	if found == nil {
		return false
	}
	seconds, err := strconv.ParseFloat(found[1], 64)
	return err == nil && seconds*1000 < float64(yield)*0.9
}

// mark finds a number in the head, else in the marks.
func (p printed) mark(head, part *regexp.Regexp) string {
	if found := head.FindStringSubmatch(p.Head); found != nil {
		return found[1]
	}
	for _, mark := range p.Marks {
		if found := part.FindStringSubmatch(mark); found != nil {
			return found[1] + found[2]
		}
	}
	return ""
}

// output reads what came of a call.
func (c *calls) output(payload []byte) {
	parts := transcript.Members(payload, "call_id", "output")
	id := transcript.Text(parts[0])
	open, known := c.state.close(id)
	if !known {
		return
	}
	out := parseOutput(parts[1])
	switch {
	case c.state.Subagent && strings.HasPrefix(out.text(), spawnedHere):
		c.begins()
	case open.Name == "wait" || open.Name == "write_stdin":
		c.polled(open, out)
	case open.Name == "exec":
		c.scriptOutput(open, out)
	case open.Name == "apply_patch":
		c.patchOutput(open, out)
	case open.Event != "":
		c.callOutput(open, out)
	}
}

// spawnedHere begins the output by which a subagent that was given its parent's
// history learns that it is one: what stands before is the parent's. Verified
// on 0.118.
const spawnedHere = "You are the newly spawned agent."

// begins says that the subagent's own work starts here. The parent's open calls
// are none of its.
func (c *calls) begins() {
	c.state.Open, c.state.Running, c.state.Echoes = nil, nil, nil
	start := c.start()
	start.How = transcript.Boundary
	c.emit("", "begins", transcript.Event{Kind: transcript.Session, Start: start})
}

// callOutput reads the output of a plain call.
func (c *calls) callOutput(open openCall, out printed) {
	if known, _ := c.Calls.Lookup(open.Name); known.Meaning == transcript.Shell {
		if process := out.process(); process != "" && out.exit() == nil {
			c.state.Running = transcript.Remember(c.state.Running, running{process, []string{open.ID}}, maxRunning)
			return
		}
	}
	c.result(open.ID, open.Event, "0", out)
	c.answered(open, out.text())
	c.goalOutput(open.Name, out.text())
}

// result emits what came of a call, once.
func (c *calls) result(call, parent, part string, out printed) {
	if !c.state.firstResult(call) {
		return
	}
	text := out.text()
	info := &transcript.ResultInfo{CallID: call, ExitCode: out.exit(), Text: transcript.Foreign(text), Outcome: c.Spec.Outcome(text)}
	info.Failed = info.Outcome == "" && (info.ExitCode != nil && *info.ExitCode != 0 || strings.HasPrefix(out.Head, "Script failed"))
	c.emit("", part, transcript.Event{Kind: transcript.Result, Parent: parent, Result: info})
}

// polled reads the output of a call that asked after something running. What
// has ended gives the call that began it its result.
func (c *calls) polled(open openCall, out printed) {
	if cellPattern.MatchString(out.Head) {
		return
	}
	if strings.HasPrefix(open.Session, "p") && out.exit() == nil {
		return
	}
	calls := c.state.stopped(open.Session)
	if c.runsOn(calls, out) {
		return
	}
	c.results(calls, out)
}

// runsOn says that an output is only the beginning: it names the process that a call
// left running, whose end is told to whoever asks after it next.
func (c *calls) runsOn(calls []string, out printed) bool {
	process := out.process()
	if process == "" || out.exit() != nil || len(calls) != 1 {
		return false
	}
	c.state.Running = transcript.Remember(c.state.Running, running{process, calls}, maxRunning)
	return true
}

// results gives each call its result. Where a script prints once for each of
// its calls, each gets its own part, else the last one has it all.
func (c *calls) results(calls []string, out printed) {
	for n, call := range calls {
		own := printed{Head: out.Head, Marks: out.Marks}
		switch {
		case len(calls) == len(out.Parts):
			own.Parts = out.Parts[n : n+1]
		case n == len(calls)-1:
			own.Parts = out.Parts
		}
		c.result(call, "", strconv.Itoa(n), own)
	}
}

// scriptOutput reads the output of a script.
func (c *calls) scriptOutput(open openCall, out printed) {
	var calls []string
	for _, nested := range open.Nested {
		calls = append(calls, nested.ID)
	}
	if cell := cellPattern.FindStringSubmatch(out.Head); cell != nil {
		if open.Session != "" { // the cell asks after a process: what it prints is of that one's calls
			calls = append(calls, c.state.stopped(open.Session)...)
		}
		c.state.Running = transcript.Remember(c.state.Running, running{cellKey(cell[1]), calls}, maxRunning)
		return
	}
	c.patchOutput(open, out)
	if open.Session != "" && (out.exit() != nil || out.process() == "" && out.returnedBefore(open.Yield)) {
		c.results(c.state.stopped(open.Session), out)
	}
	if !c.runsOn(calls, out) {
		c.results(calls, out)
	}
}

// commandEnd reads the end of a command in an old rollout. Its call was
// emitted when it began, by itself or from inside a script.
func (c *calls) commandEnd(payload []byte) {
	id, run := text(payload, "call_id"), parseExecution(payload)
	call, parent := id, ""
	if open := c.state.find(id); open != nil {
		parent = open.Event
	} else if call = c.nestedCall(toolspecs.CommandLine(run.Command)); call == "" {
		if c.state.firstResult(id) {
			c.execution(id, payload)
		}
		return
	}
	if c.state.firstResult(call) {
		c.emit("", "0", transcript.Event{Kind: transcript.Result, Parent: parent, Result: executed(call, run)})
	}
}

// nestedCall finds the command among those of the scripts that still run.
func (c *calls) nestedCall(commandLine string) string {
	sum := transcript.Fingerprint(commandLine)
	for _, open := range c.state.Open {
		for _, nested := range open.Nested {
			if nested.Hash == sum {
				return nested.ID
			}
		}
	}
	return ""
}

// mcpEnd reads a call of another server's tool from inside a script; a plain
// call of one has an output of its own.
func (c *calls) mcpEnd(payload []byte) {
	parts := transcript.Members(payload, "call_id", "invocation", "result")
	id := transcript.Text(parts[0])
	if c.state.find(id) != nil || c.state.Paginated {
		return
	}
	invocation := transcript.Members(parts[1], "server", "tool", "arguments")
	name := "mcp__" + transcript.Text(invocation[0]) + "__" + transcript.Text(invocation[1])
	event := c.call(id, "0", id, name, invocation[2])
	result := transcript.Members(parts[2], "Ok", "Err")
	info := &transcript.ResultInfo{CallID: id, Failed: present(result[1])}
	if info.Failed {
		info.Text = errorText(result[1])
	} else {
		content := transcript.Members(result[0], "content", "isError")
		info.Failed = string(content[1]) == "true"
		info.Text = strings.Join(partTexts(content[0]), "\n")
	}
	c.emit(id, "1", transcript.Event{Kind: transcript.Result, Parent: event.ID, Result: info})
}

// goalOutput reads the goal as the tool has it after a call.
func (c *calls) goalOutput(name, output string) {
	if name != "create_goal" && name != "update_goal" {
		return
	}
	goal := transcript.Member([]byte(output), "goal")
	c.goal("0", text(goal, "objective"), text(goal, "status"))
}
