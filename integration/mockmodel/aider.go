package mockmodel

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// How Aider's requests are known: it offers no tools and asks for edits in the
// text of the answer, and it tells what happened in the user's name.
const (
	aiderEdits  = "*SEARCH/REPLACE block*"
	aiderOutput = "I ran this command:"
)

var aiderNotes = []string{aiderOutput, "I updated the files.", "I have *added these files to the chat*"}

// edits says whether the agent takes edits from the text.
func (r chatRequest) edits() bool {
	return len(r.Tools) == 0 && len(r.Messages) > 0 && strings.Contains(r.Messages[0].text(), aiderEdits)
}

// lastPrompt is what the user typed last, and whether the output of a test
// followed it.
func (r chatRequest) lastPrompt() (prompt string, tested bool) {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role != "user" {
			continue
		}
		text := r.Messages[i].text()
		if !slices.ContainsFunc(aiderNotes, func(note string) bool { return strings.HasPrefix(text, note) }) {
			return text, tested
		}
		tested = tested || strings.HasPrefix(text, aiderOutput)
	}
	return "", tested
}

// textStep is the answer for an agent whose model has no tools: all files of
// the script at once, and the last word after the user has run the test. The
// script's commands are the user's to run.
func (s *Server) textStep(prompt string, tested bool) Step {
	var files []string
	for answered := 0; ; answered++ {
		step := s.step(prompt, answered)
		if len(step.Calls) == 0 {
			if len(files) == 0 || tested {
				return step
			}
			return Step{Say: strings.Join(files, "\n")}
		}
		for _, call := range step.Calls {
			if call.Write != nil {
				files = append(files, block(call.Write.Path, "", call.Write.Content))
			}
			if call.Edit != nil {
				files = append(files, block(call.Edit.Path, call.Edit.Old, call.Edit.New))
			}
		}
	}
}

// block is an edit in the text of an answer. The file lies in the folder that
// Aider was started in.
func block(path, old, now string) string {
	return fmt.Sprintf("%s\n```\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n```\n", filepath.Base(path), ended(old), ended(now))
}

func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
