package codex

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/patch"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// covered are calls whose outcome the items of a paginated rollout tell.
var covered = map[string]bool{"exec_command": true, "shell": true, "shell_command": true, "apply_patch": true, "exec": true}

// calls reads what the agent asked for, and what came of it. Those whose
// output has not come are a part of the state.
type calls struct{ patches }

// functionCall reads a call with arguments.
func (c *calls) functionCall(payload []byte) {
	parts := transcript.Members(payload, "call_id", "name", "arguments")
	id, name := transcript.Text(parts[0]), transcript.Text(parts[1])
	arguments := []byte(transcript.Text(parts[2]))
	open := openCall{ID: id, Name: name}
	switch {
	case name == "wait":
		open.Session = cellKey(string(transcript.Member(arguments, "cell_id")))
	case name == "write_stdin":
		open.Session = processKey(string(transcript.Member(arguments, "session_id")))
	case c.state.Paginated && covered[name]:
	default:
		open.Event = c.call("", "0", id, name, arguments).ID
		open.Asked = c.asked(name, arguments)
	}
	c.state.Open = transcript.Remember(c.state.Open, open, maxOpen)
}

// call emits a call and what follows from its arguments at once.
func (c *calls) call(record, part, id, name string, arguments []byte) transcript.Event {
	known, ok := c.Calls.Lookup(name)
	if !ok {
		c.UnknownCall(c.state.Version, name)
	}
	info := known.Info(id, name, arguments)
	info.Cwd = c.elsewhere(info.Cwd)
	event := c.emit(record, part, transcript.Event{Kind: transcript.Call, Call: info})
	switch known.Meaning {
	case transcript.Todos:
		c.todo(event, arguments)
	case transcript.Ask:
		c.questions(event, id, transcript.Member(arguments, known.Question))
	}
	return event
}

// customCall reads a call with free text: a patch, or a script.
func (c *calls) customCall(payload []byte) {
	parts := transcript.Members(payload, "call_id", "name", "input")
	id, name, input := transcript.Text(parts[0]), transcript.Text(parts[1]), transcript.Text(parts[2])
	open := openCall{ID: id, Name: name}
	switch name {
	case "apply_patch":
		open.Nested = c.patch(id, patch.Parse(input))
	case "exec":
		c.script(&open, input)
	default:
		open.Event = c.call("", "0", id, name, nil).ID
	}
	open.Patches = open.Patches[:min(len(open.Patches), maxFiles)]
	c.state.Open = transcript.Remember(c.state.Open, open, maxOpen)
}

// script reads the calls inside a script. A patch is held back until a record
// tells what came of it, a poll of a process until its output does.
func (c *calls) script(open *openCall, source string) {
	for n, nested := range scanScript(source) {
		arguments, err := json.Marshal(nested.Argument)
		if err != nil {
			continue
		}
		part := strconv.Itoa(n)
		id := open.ID
		if n > 0 {
			id += "." + part
		}
		known, _ := c.Calls.Lookup(nested.Name)
		switch {
		case nested.Name == "apply_patch":
			open.Patches = append(open.Patches, withoutText(patch.Parse(patchText(nested.Argument)))...)
		case nested.Name == "write_stdin":
			open.Session = processKey(string(transcript.Member(arguments, "session_id")))
			open.Yield, _ = strconv.ParseInt(string(transcript.Member(arguments, "yield_time_ms")), 10, 64)
		case nested.Name == "create_goal" || nested.Name == "update_goal":
			c.goalCall(part, arguments)
		case known.Meaning == transcript.Todos:
			c.call("", part, id, nested.Name, arguments)
			open.Nested = append(open.Nested, command{ID: id})
		case strings.HasPrefix(nested.Name, "mcp__"): // has a record of its own
		case !c.state.Paginated && len(open.Nested) < maxCells:
			event := c.call("", part, id, nested.Name, arguments)
			open.Nested = append(open.Nested, command{ID: id, Hash: transcript.Fingerprint(event.Call.Command)})
		}
	}
}

// patchText is the text of a patch, given alone or as the member input.
func patchText(argument any) string {
	switch value := argument.(type) {
	case string:
		return value
	case map[string]any:
		for _, name := range []string{"input", "patch", "command"} {
			if text, ok := value[name].(string); ok {
				return text
			}
		}
	}
	return ""
}

// todo emits the plan that a call has set.
func (c *calls) todo(event transcript.Event, arguments []byte) {
	if items := steps(arguments); items != nil {
		c.derived(event, "todo", transcript.Event{Kind: transcript.Todo, Items: items})
	}
}

// steps are those of a plan, nil when there is none.
func steps(arguments []byte) []transcript.Item {
	var update struct {
		Plan []struct {
			Step   string `json:"step"`
			Status string `json:"status"`
		} `json:"plan"`
	}
	if json.Unmarshal(arguments, &update) != nil || len(update.Plan) == 0 {
		return nil
	}
	items := make([]transcript.Item, 0, len(update.Plan))
	for _, step := range update.Plan {
		items = append(items, transcript.Item{Text: step.Step, State: stepStates[step.Status]})
	}
	return items
}

// stepStates are the tool's words for the states of a step.
var stepStates = map[string]string{"pending": "todo", "in_progress": "doing", "completed": "done"}

// goalCall reads a goal out of a script, where no output tells of it.
func (c *calls) goalCall(part string, arguments []byte) {
	objective, status := text(arguments, "objective"), text(arguments, "status")
	if status == "" {
		status = "active"
	}
	c.goal(part, objective, status)
}

// goal emits a goal, or the known one in a new state.
func (c *calls) goal(part, objective, status string) {
	if objective == "" {
		objective = c.state.Goal
	}
	if objective == "" {
		return
	}
	c.state.Goal = transcript.Truncate(objective, maxGoal)
	c.emit("", part+".goal", transcript.Event{
		Kind: transcript.Goal, Text: objective, Items: []transcript.Item{{Text: objective, State: goalStates[status]}},
	})
}

// goalStates are the tool's words for the states of a goal.
var goalStates = map[string]string{"active": "doing", "paused": "todo", "blocked": "blocked", "complete": "done"}
