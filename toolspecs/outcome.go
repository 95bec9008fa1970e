package toolspecs

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Outcome tells from a result's text whether it was something else than a
// failure of the work: "" when it was not.
func (s *Spec) Outcome(text string) transcript.Outcome {
	head := text[:min(len(text), 500)]
	for _, ending := range s.Outcomes {
		if ending.Prefix != "" && strings.HasPrefix(text, ending.Prefix) || ending.Contains != "" && strings.Contains(head, ending.Contains) {
			return ending.Outcome
		}
	}
	return ""
}

// Limits are parts of what a failed turn says at a limit of the service, in lower case.
type Limits []string

// Hit says that a failed turn ended at a limit.
func (l Limits) Hit(text string) bool {
	text = strings.ToLower(text[:min(len(text), 2000)])
	for _, part := range l {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// MachinePrompt says that a prompt begins as only programs begin one.
func (s *Spec) MachinePrompt(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	for _, prefix := range s.Machine {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
