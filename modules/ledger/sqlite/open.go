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
	"os"
	"path/filepath"

	_ "github.com/glebarez/go-sqlite" // registers the driver "sqlite"
	dialect "github.com/glebarez/sqlite"
	"github.com/gofrs/flock"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
)

// Options of a ledger that is opened for writing.
type Options struct {
	// Identify tells which project a directory belongs to; false when it
	// belongs to none (the home directory, an excluded one). It is called
	// inside of Append for each directory a session starts in and must only
	// look things up. Nil takes every directory for a project of its own.
	Identify func(cwd string) (ledger.ProjectIdentity, bool)
}

// Store is a ledger in a SQLite file. It is safe for concurrent use.
type Store struct {
	path     string
	identify func(string) (ledger.ProjectIdentity, bool)
	lock     *flock.Flock // nil when open for reading
	write    *gorm.DB     // nil when open for reading; one connection
	read     *gorm.DB
	forgot   *tombstone.Tombstones
}

var _ ledger.Store = (*Store)(nil)

// readers is how many reads run beside each other.
const readers = 4

// Open opens the ledger at path for writing, and makes it when there is none.
// It fails with ledger.ErrLocked when another process has it open, and with
// ledger.ErrTooNew when a newer version has written it.
func Open(path string, options Options) (*Store, error) {
	log := &Store{path: path, identify: options.Identify}
	if log.identify == nil {
		log.identify = itself
	}
	var err error
	if log.forgot, err = tombstone.Open(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	if err := log.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("open ledger: %w", err), log.Close())
	}
	return log, nil
}

// OpenReadOnly opens the ledger at path for reading, beside a writer or
// without one. Its writing methods fail with ErrReadOnly.
func OpenReadOnly(path string) (*Store, error) {
	log := &Store{path: path}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	if err := log.openReaders(); err != nil {
		return nil, errors.Join(fmt.Errorf("open ledger: %w", err), log.Close())
	}
	return log, nil
}

func itself(cwd string) (ledger.ProjectIdentity, bool) {
	return ledger.ProjectIdentity{Common: cwd, Worktree: cwd}, true
}

func (l *Store) open() error {
	if err := l.openFiles(); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", writeDSN(l.path))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if l.write, err = mapped(db); err != nil {
		return damaged(err)
	}
	if err := migrate(l.write); err != nil {
		return damaged(err)
	}
	if err := l.openReaders(); err != nil {
		return err
	}
	return l.refreshIndex(context.Background())
}

// openFiles makes folder, lock and database with the modes they must have
// before the first byte is in them, and takes the lock.
func (l *Store) openFiles() error {
	dir := filepath.Dir(l.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	l.lock = flock.New(filepath.Join(dir, "ledger.lock"), flock.SetPermissions(0o600))
	locked, err := l.lock.TryLock()
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	if !locked {
		return ledger.ErrLocked
	}
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(file.Chmod(0o600), file.Close())
}

func (l *Store) openReaders() error {
	db, err := sql.Open("sqlite", readDSN(l.path))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(readers)
	if l.read, err = mapped(db); err != nil {
		return damaged(err)
	}
	return damaged(checkVersion(db))
}

// mapped puts gorm over a pool of connections; it closes the pool on failure.
func mapped(pool *sql.DB) (*gorm.DB, error) {
	db, err := gorm.Open(&dialect.Dialector{Conn: pool}, &gorm.Config{
		Logger:                 logger.Discard,
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
	})
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return db, nil
}

// Close ends the ledger. The last one to close it leaves a single file: the
// write-ahead log is moved into it.
func (l *Store) Close() error {
	var errs []error
	for _, db := range []*gorm.DB{l.read, l.write} {
		if db == nil {
			continue
		}
		pool, err := db.DB()
		if err == nil {
			err = pool.Close()
		}
		errs = append(errs, err)
	}
	if l.lock != nil {
		errs = append(errs, l.lock.Unlock())
	}
	return errors.Join(errs...)
}
