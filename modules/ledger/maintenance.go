package ledger

import (
	"context"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Maintenance changes what is stored: it removes, moves and mends. Nothing else
// does.
type Maintenance interface {
	// Forget takes a text out of everything that is stored, or whole sessions,
	// and keeps them out: what is read later from a transcript that still holds
	// them is met by the same marks. The file is rewritten, so that no page of
	// it holds what was forgotten.
	Forget(ctx context.Context, what Forgetting) (Forgotten, error)
	// Scrub takes forgotten texts out of an event that is on its way in.
	Scrub(event *transcript.Event)
	// ScrubText does so with a text.
	ScrubText(text string) string
	// MoveProject lets a project be found at another path; MergeProjects gives
	// all that one project has to another.
	MoveProject(ctx context.Context, from, to string) (Project, error)
	MergeProjects(ctx context.Context, from, into string) (Project, error)
	// Reread rebuilds the index and lets every transcript be read again from its
	// start: its events take the place of the former ones. What only the ledger
	// has stays.
	Reread(ctx context.Context) error
	// Salvage copies from a ledger that was set aside what no transcript can give
	// any more. gone says of a path that no transcript is there. It returns how
	// many events were found.
	Salvage(ctx context.Context, from string, gone func(path string) bool) (events int, err error)
}

// Forgetting says what to forget: a text, or sessions.
type Forgetting struct {
	Text     string
	Sessions []SessionKey
	// Progress gets how many of how many events were looked at for a text;
	// nil tells nobody.
	Progress func(done, total int)
}

// Forgotten says what was taken out.
type Forgotten struct {
	Events   int // changed, for a text; gone, for sessions
	Sessions int
	Agents   int // records of named agents that were changed
}

// ScrubEvent rewrites every text of an event but the folder it happened in,
// by which its project is known.
func ScrubEvent(event *transcript.Event, scrub func(string) string) {
	place := event.Place
	eachText(event, scrub)
	if place != nil {
		event.Place.Cwd = place.Cwd
	}
}
