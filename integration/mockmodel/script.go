// Package mockmodel is a stand-in for the services behind the agents: it
// speaks Anthropic's Messages, OpenAI's Responses and Chat Completions, and
// Gemini's generateContent, streaming, follows a script, and records every
// request. It is stateless: what it answers depends on the request alone, so
// an agent may be stopped, resumed or killed at will.
package mockmodel

import (
	"fmt"
	"slices"
	"strings"
)

// Script says what the model does after a prompt that contains Prompt: Steps
// one after another, each after the results of the one before.
type Script struct {
	Prompt string
	Steps  []Step
}

// Step is one answer of the model: tool calls, or a last word that ends the
// turn.
type Step struct {
	Say    string
	Calls  []Call
	Tokens int // input tokens the usage record reports; 1,000 when 0
	// When holds the answer back until it is true, as a real model takes its
	// seconds; nil answers at once.
	When func() bool `json:"-"`
}

// Call is a tool call, in terms every agent has.
type Call struct {
	Run   string // a shell command
	Write *File  // create or overwrite a file
	Edit  *Edit
	Read  string // a path
	Task  string // what a subagent is asked to do
	Own   *Own   // a tool that only this agent has
}

// Own is a call of an agent's own tool, by its name.
type Own struct {
	Name  string
	Input map[string]any
}

// File is a whole file; Path is absolute.
type File struct{ Path, Content string }

// Edit replaces Old by New in a file.
type Edit struct{ Path, Old, New string }

// Run is a step with one shell command.
func Run(command string) Step { return Step{Calls: []Call{{Run: command}}} }

// Write is a step that writes one file.
func Write(path, content string) Step {
	return Step{Calls: []Call{{Write: &File{path, content}}}}
}

// Change is a step that edits one file.
func Change(path, old, now string) Step {
	return Step{Calls: []Call{{Edit: &Edit{path, old, now}}}}
}

// Delegate is a step that has a subagent do something.
func Delegate(task string) Step { return Step{Calls: []Call{{Task: task}}} }

// Use is a step with one call of an agent's own tool.
func Use(name string, input map[string]any) Step {
	return Step{Calls: []Call{{Own: &Own{name, input}}}}
}

// PlanFile as the path of a Write stands for the file that the agent names for
// its plan.
const PlanFile = "{plan file}"

// PlanName is what it is called where the agent only names a folder.
const PlanName = "plan.md"

// named puts the agent's plan file into the step.
func (s Step) named(path string) Step {
	calls := slices.Clone(s.Calls)
	for i, call := range calls {
		if call.Write != nil && call.Write.Path == PlanFile {
			calls[i].Write = &File{path, call.Write.Content}
		}
	}
	s.Calls = calls
	return s
}

// Say is a step that ends the turn with a text.
func Say(format string, args ...any) Step { return Step{Say: fmt.Sprintf(format, args...)} }

// Summary is what the model answers when it is asked to compact.
const Summary = "SUMMARY-OF-THE-MODEL: the work so far was about the parser."

// After is the step that is given once a condition holds.
func (s Step) After(when func() bool) Step {
	s.When = when
	return s
}

// pick finds the step for a conversation: the script whose prompt comes last,
// and the step after as many answers as followed it.
func pick(scripts []Script, prompt string, answered int) Step {
	best, at := -1, -1
	for i, script := range scripts {
		if where := strings.LastIndex(prompt, script.Prompt); where > at {
			best, at = i, where
		}
	}
	if best < 0 || answered >= len(scripts[best].Steps) {
		return Step{Say: "Done."}
	}
	return scripts[best].Steps[answered]
}
