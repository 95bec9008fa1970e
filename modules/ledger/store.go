// Package ledger is what Carryover remembers: events of every agent's sessions
// in one append-only store. The types here import nothing but the transcript
// types; the database lives in ledger/sqlite.
package ledger

import (
	"context"
	"iter"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Store is the ledger's database. Reading methods may run beside the one writer.
type Store interface {
	Reader
	Writer
	Agents
	Maintenance
	Originals

	Close() error
}

// Reader looks things up. It changes nothing.
type Reader interface {
	// Source returns what is known of a source, by tool and path; ok is false
	// for one never read.
	Source(ctx context.Context, tool, path string) (source Source, ok bool, err error)
	// Sources lists every source of a tool ("" for all).
	Sources(ctx context.Context, tool string) ([]Source, error)

	// EachSource visits every source with its identity, its stat and the reader's
	// revision alone, in any order.
	EachSource(ctx context.Context, visit func(Source)) error

	// Events yields a session's events in logical order: its main source by
	// offset, other sources at their parent call, else by time, else last.
	// Withdrawn events are included and flagged.
	Events(ctx context.Context, session SessionKey) iter.Seq2[transcript.Located, error]
	// EventPart returns a part of what Events yields and reads no more than
	// that, however long the session is.
	EventPart(ctx context.Context, session SessionKey, window EventWindow) (EventPart, error)
	// Sessions lists sessions, newest last event first.
	Sessions(ctx context.Context, filter SessionFilter) ([]Session, error)
	// Session finds one session by key.
	Session(ctx context.Context, key SessionKey) (Session, bool, error)
	// Decisions lists stored decisions, in order.
	Decisions(ctx context.Context, session SessionKey) ([]transcript.Located, error)
	// Projects lists all projects.
	Projects(ctx context.Context) ([]Project, error)
	// Restores lists decisions of the restore gate, newest first.
	Restores(ctx context.Context, session SessionKey, limit int) ([]Restore, error)

	Search(ctx context.Context, query Query) (Results, error)
	Digest(ctx context.Context) (Digest, error)
	Coverage(ctx context.Context) ([]ToolCoverage, error)
	Stats(ctx context.Context) (Stats, error)
}

// Writer adds what was captured.
type Writer interface {
	// Append stores the batch's events and the source's new position in one
	// transaction. Appending the same batch again changes nothing.
	Append(ctx context.Context, batch Batch) (Appended, error)
	// AppendAll is Append of many batches, in their order, in one transaction:
	// all are stored, or none is.
	AppendAll(ctx context.Context, batches []Batch) ([]Appended, error)
	// Park marks a source that cannot be read, with the reason ("" unparks).
	Park(ctx context.Context, tool, path, reason string) error
	// Project resolves an identity and learns its path.
	Project(ctx context.Context, identity ProjectIdentity) (Project, error)
	// RecordRestore keeps a decision of the restore gate.
	RecordRestore(ctx context.Context, restore Restore) error
}
