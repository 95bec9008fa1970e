// Package sqlite keeps the ledger in one SQLite file. Rows and gorm stay in
// here; what comes out are the types of package ledger.
//
// One process writes, over one connection, and holds ledger.lock beside the
// file for as long as the ledger is open. Readers, in this process or another,
// use connections of their own that SQLite opens read-only.
//
// The views v_sessions, v_decisions and v_failures are for anybody who opens
// the file with another program; their columns are kept. All other tables are
// private and change with a migration.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/agents"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/counts"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/events"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/fulltext"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/originals"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/projects"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/restores"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
)

// Options of a ledger that is opened for writing.
type Options struct {
	// Identify tells which project a directory belongs to; false when it
	// belongs to none (the home directory, an excluded one). It is called
	// inside of Append for each directory a session starts in and must only
	// look things up. Nil takes every directory for a project of its own.
	Identify func(cwd string) (ledger.ProjectIdentity, bool)
	// Same makes, of a directory of which no path is known, what says whether it is a
	// known project all the same: one that was moved, or is reached in another way. It
	// must only look things up. Nil says no.
	Same func(identity ledger.ProjectIdentity) func(known ledger.KnownProject) bool
	// Damaged is told when a change meets a damaged page. It must not wait for
	// the ledger. Nil is told nothing.
	Damaged func()
}

// Store is a ledger in a SQLite file. It is safe for concurrent use.
type Store struct {
	*agentStore
	*eventReader
	*countReader
	*originalStore
	*restoreStore

	file     *db.File
	identify func(string) (ledger.ProjectIdentity, bool)
	same     projects.Same         // nil: none is
	forgot   *tombstone.Tombstones // nil when open for reading
}

// Embedded under names of this package, which keeps the fields private.
type (
	agentStore    = agents.Store
	eventReader   = events.Reader
	countReader   = counts.Reader
	originalStore = originals.Store
	restoreStore  = restores.Store
)

var _ ledger.Store = (*Store)(nil)

// Open opens the ledger at path for writing, and makes it when there is none.
// It fails with ledger.ErrLocked when another process has it open, and with
// ledger.ErrTooNew when a newer version has written it.
func Open(path string, options Options) (*Store, error) {
	forgot, err := tombstone.Open(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	file, err := db.Open(path, db.Steps{bodies.Migration: bodies.Adopt})
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	err = file.InTx(context.Background(), "search index", func(tx *sql.Tx) error {
		return fulltext.Refresh(context.Background(), tx)
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open ledger: %w", err), file.Close())
	}
	file.OnDamage(options.Damaged)
	log := newStore(file, forgot)
	if log.identify = options.Identify; log.identify == nil {
		log.identify = itself
	}
	log.same = options.Same
	if err := log.refreshRedaction(context.Background()); err != nil {
		return nil, errors.Join(fmt.Errorf("open ledger: %w", err), file.Close())
	}
	if since := file.Since(); since > 0 && since < bodies.Migration {
		// Bodies took four times as much room. Where the file cannot be made smaller,
		// what is written next takes the free pages.
		_ = file.GiveBack(context.Background())
	}
	return log, nil
}

// OpenReadOnly opens the ledger at path for reading, beside a writer or
// without one. Its writing methods fail with ErrReadOnly.
func OpenReadOnly(path string) (*Store, error) {
	file, err := db.OpenReadOnly(path)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	return newStore(file, nil), nil
}

func newStore(file *db.File, forgot *tombstone.Tombstones) *Store {
	return &Store{
		agentStore:  agents.New(file, forgot.Scrub),
		eventReader: events.NewReader(file),
		countReader: counts.NewReader(file),
		file:        file,
		forgot:      forgot, originalStore: originals.New(file, forgot), restoreStore: restores.New(file, forgot.Scrub),
	}
}

func itself(cwd string) (ledger.ProjectIdentity, bool) {
	return ledger.ProjectIdentity{Common: cwd, Worktree: cwd}, true
}

// Close ends the ledger. The last one to close it leaves a single file: the
// write-ahead log is moved into it.
func (l *Store) Close() error { return l.file.Close() }

// Search finds the events, and what named agents left, that meet every term of
// a query.
func (l *Store) Search(ctx context.Context, query ledger.Query) (ledger.Results, error) {
	results, err := fulltext.Search(ctx, l.file, query, agents.Others(l.agentStore))
	if err != nil {
		return ledger.Results{}, fmt.Errorf("search: %w", db.Damaged(err))
	}
	return results, nil
}
