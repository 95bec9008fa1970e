package extract

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

// event is an event with what the fold knows about its surroundings.
type event struct {
	*transcript.Located
	src   distiller.Source
	seq   int
	turn  int
	calls int
	call  *openCall        // for a result: the call it answers; for a call: itself
	req   dialogue.Wording // for a prompt
	lex   *words.Lexicon

	topic      int                // number of the topic
	requestSeq int                // event that began the current request
	relation   relation           // for a prompt: how it follows from what came before
	answers    *dialogue.Question // for a prompt: the question it answers
	picked     []distiller.Option
	proposed   string            // for a prompt: what the reply before it concluded
	said       []prose.Statement // for a reply
	test       output.Report     // for the result of a test run
	verdict    verdict.Verdict   // for a result
	started    string            // for a result: id of the background job it tells of
	over       []string          // ids of the background jobs that ended
	place      paths.Resolver
}
