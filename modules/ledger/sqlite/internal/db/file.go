// Package db is the SQLite file of the ledger: the lock, the connections, the
// schema, and the one way to change anything, File.InTx. It knows nothing of
// events.
package db

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
)

// readers is how many reads run beside each other.
const readers = 4

// File is an open ledger file. It is safe for concurrent use.
type File struct {
	path  string
	lock  *flock.Flock // nil when open for reading
	write *sql.DB      // nil when open for reading; one connection
	read  *sql.DB
	rows  *gorm.DB // over read
	old   bool     // of an earlier schema: open for reading only

	damaged func() // is told of a damaged page; nil for nobody
}

// Open opens the file at path for writing, and makes it when there is none. It
// fails with ledger.ErrLocked when another process has it open, and with
// ledger.ErrTooNew when a newer version has written it.
func Open(path string) (*File, error) {
	file := &File{path: path}
	if err := file.open(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// OpenReadOnly opens the file at path for reading, beside a writer or without
// one. InTx fails with ledger.ErrReadOnly.
func OpenReadOnly(path string) (*File, error) {
	file := &File{path: path}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	if err := file.openReaders(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Connect opens a file for reading that may be damaged or of any version. The
// caller closes the pool.
func Connect(path string) (*sql.DB, error) { return sql.Open("sqlite", readDSN(path)) }

func (f *File) open() (err error) {
	if err := f.prepare(); err != nil {
		return err
	}
	if f.write, err = sql.Open("sqlite", writeDSN(f.path)); err != nil {
		return err
	}
	f.write.SetMaxOpenConns(1)
	if err := f.migrate(context.Background()); err != nil {
		return err
	}
	return f.openReaders()
}

// prepare makes folder, lock and database with the modes they must have before
// the first byte is in them, and takes the lock.
func (f *File) prepare() error {
	dir := filepath.Dir(f.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f.lock = flock.New(filepath.Join(dir, "ledger.lock"), flock.SetPermissions(0o600))
	locked, err := f.lock.TryLock()
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	if !locked {
		return ledger.ErrLocked
	}
	file, err := os.OpenFile(f.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(file.Chmod(0o600), file.Close())
}

func (f *File) openReaders() (err error) {
	if f.read, err = Connect(f.path); err != nil {
		return err
	}
	f.read.SetMaxOpenConns(readers)
	f.read.SetMaxIdleConns(readers)
	if f.rows, err = mapped(f.read); err != nil {
		return Damaged(err)
	}
	f.old, err = checkVersion(f.read)
	return Damaged(err)
}

// Current says that the file has the newest schema; one that is read before a
// writer of this version opened it may not.
func (f *File) Current() bool { return !f.old }

// IndexedBy names the index of a query; "" where the file does not have it yet.
func (f *File) IndexedBy(index string) string {
	if f.old {
		return ""
	}
	return "INDEXED BY " + index
}

// mapped puts gorm over a pool of connections or a transaction. It sends
// nothing: gorm's own transactions and pings are off.
func mapped(pool gorm.ConnPool) (*gorm.DB, error) {
	return gorm.Open(&dialect.Dialector{Conn: pool}, &gorm.Config{
		Logger:                 logger.Discard,
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
	})
}

// OnDamage has somebody told when a change meets a damaged page. It comes
// before the file is used.
func (f *File) OnDamage(damaged func()) { f.damaged = damaged }

// Path is where the file is.
func (f *File) Path() string { return f.path }

// Reader is the pool of the reading connections.
func (f *File) Reader() *sql.DB { return f.read }

// Rows maps rows of the small tables, over the reading connections.
func (f *File) Rows(ctx context.Context) *gorm.DB { return f.rows.WithContext(ctx) }

// RowsIn maps rows of the small tables inside a transaction.
func (f *File) RowsIn(ctx context.Context, tx *sql.Tx) *gorm.DB {
	rows := f.rows.Session(&gorm.Session{NewDB: true, Context: ctx})
	rows.Statement.ConnPool = tx
	return rows
}

// Close ends the use of the file. The last one to close it leaves a single
// file: the write-ahead log is moved into it.
func (f *File) Close() error {
	var errs []error
	for _, pool := range []*sql.DB{f.read, f.write} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	if f.lock != nil {
		errs = append(errs, f.lock.Unlock())
	}
	return errors.Join(errs...)
}
