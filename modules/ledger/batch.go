package ledger

import "github.com/carryover-go/carryover/toolspecs/transcript"

// Batch is a run of events of one source.
type Batch struct {
	Source Source // identity, revision and the new position
	Events []transcript.Located
	// Replace empties the source's former occurrences first, in the same
	// transaction: the file was rewritten, or the reader has a new revision.
	// Only the first batch of a re-read carries it. Events that the new
	// reading does not find again stay, as former ones; when the revision has
	// risen, those that no other source holds are removed instead, because
	// the old reader made them and the new one will make its own.
	Replace bool
	// Hook says that the events come from a hook and not from a transcript.
	// They are an unordered set: Ref is not looked at, an event of a
	// transcript with the same id replaces them and never the reverse, and
	// they are left out of the digest. So are events of kind Git.
	Hook bool
	// Coverage is added to the source's when the batch moves its position.
	Coverage transcript.Coverage
}

// Appended counts what a batch changed.
type Appended struct {
	Events      int // new rows
	Occurrences int // new places of known events included
	Replaced    int // bodies that gave way to another
}
