package render

import (
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const wordsNotice = "Its state is saved and comes back after a compaction. What may be worth it now: finish the step at hand, and write a choice that was not said yet as one line, DECISION: use B over A because C. Nothing else is needed; go on."

// Notice tells a session, in two lines, how full its context is. It asks for
// nothing that Carryover needs.
func Notice(u distiller.Usage) string {
	return transcript.Sentinel + " " + SharedNotice(u)
}

// SharedNotice is Notice for a file that begins with a header of its own.
func SharedNotice(u distiller.Usage) string {
	return "This context holds " + usage(u) + ".\n" + wordsNotice + "\n"
}
