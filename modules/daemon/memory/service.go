// Package memory answers what outlives a session: threads of work, and what became of
// a file. It changes nothing.
package memory

import (
	"context"
	"iter"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/query"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Store is what is read of the ledger.
type Store interface {
	Restores(ctx context.Context, session ledger.SessionKey, limit int) ([]ledger.Restore, error)
	Search(ctx context.Context, query ledger.Query) (ledger.Results, error)
	Session(ctx context.Context, key ledger.SessionKey) (ledger.Session, bool, error)
	Events(ctx context.Context, session ledger.SessionKey) iter.Seq2[transcript.Located, error]
}

// Edits tells sessions as their transcripts do.
type Edits interface {
	// EachEvent visits the events of a session with the texts of its edits.
	EachEvent(ctx context.Context, session ledger.Session, visit func(transcript.Located)) error
}

// Sessions are what is known of sessions' work.
type Sessions interface {
	// FactsAlone are those of a session's own events, without those it continues.
	FactsAlone(ctx context.Context, session ledger.Session) (distiller.Facts, error)
}

// Options are what a Service works with.
type Options struct {
	Store    Store // nil where nothing was captured
	Query    *query.Service
	Sessions Sessions
	Edits    Edits
	Now      func() time.Time
}

// Service answers out of one ledger.
type Service struct {
	store    Store
	query    *query.Service
	sessions Sessions
	edits    Edits
	now      func() time.Time
	outlines outlines
}

// New makes a service.
func New(o Options) *Service {
	return &Service{store: o.Store, query: o.Query, sessions: o.Sessions, edits: o.Edits, now: o.Now}
}
