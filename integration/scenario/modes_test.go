package scenario

import (
	"path/filepath"
	"strings"
	"testing"
)

// At a terminal the header of the mode that the user chose reaches the model,
// and the gate says which one it was.
func TestTheModesReachTheModel(t *testing.T) {
	for mode, says := range map[string]string{
		"brief":  "Begin the first reply with (resuming: ",
		"silent": "do not mention it",
	} {
		t.Run(mode, func(t *testing.T) {
			s := newStage(t, "claude-code")
			s.work()
			s.Write(filepath.Join(s.Project, ".carryover.toml"), "resume = \""+mode+"\"\n")
			s.agents["claude-code"].Prompt(s.Project, request)
			s.model.Forget()
			term := s.open("claude-code")
			term.Say("What is the state of things?")
			term.Shows("Done.")
			text := s.first(t)
			handsOver(t, text)
			for _, want := range []string{"RESUME PROTOCOL: " + mode, says} {
				if !strings.Contains(text, want) {
					t.Errorf("the request lacks %q:\n%s", want, excerpt(text))
				}
			}
			s.decided(t, "claude-code", "startup", "full", "resume mode "+mode)
		})
	}
}
