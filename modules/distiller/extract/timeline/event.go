// Package timeline follows a session event by event: calls with their results,
// work in the background, and the list of requests with what was done for each.
// Every section of the handoff is chosen from it.
package timeline

import (
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Event is an event with what the fold knows about its surroundings.
type Event struct {
	*transcript.Located
	Source   distiller.Source
	Seq      int
	Turn     int
	Calls    int
	ToolCall *OpenCall        // for a result: the call it answers; for a call: itself
	Wording  dialogue.Wording // for a prompt
	Lexicon  *words.Lexicon

	Topic      int                // number of the topic
	RequestSeq int                // event that began the current request
	Relation   Relation           // for a prompt: how it follows from what came before
	Answers    *dialogue.Question // for a prompt: the question it answers
	Picked     []distiller.Option
	Listed     []distiller.Option // for a prompt: the labelled entries of the reply before it that it goes through, nil for none
	Proposed   string             // for a prompt: what the reply before it concluded
	Opens      bool               // for a prompt: before it stand only commands without a word, and it says what they are for
	Reply      string             // for a prompt: the reply before it, "" for none
	SentBack   bool               // for a prompt: its words are those of a reply, and not the person's
	Said       []prose.Statement  // for a reply
	Test       output.Report      // for the result of a test run
	Verdict    verdict.Verdict    // for a result
	Beside     bool               // for a refused call: it went with another one that was refused
	Started    string             // for a result: id of the background job it tells of
	Ended      []string           // ids of the background jobs that ended
	Finished   *Finished          // the command among them of which it says how it ended
	Paths      paths.Resolver
}

// What names the call of an event: the command, or the tool with the file it was for.
func (e *Event) What() string {
	if info := e.ToolCall.Info; len(info.Paths) > 0 && info.Command == "" {
		if p := e.Paths.Rel(info.Paths[0], info.Cwd); p != "" {
			return info.Name + " " + p
		}
	}
	return e.ToolCall.What()
}
