// Package db is the SQLite file of the ledger: the lock, the connections, the
// schema, and the one way to change anything, File.InTx. It knows nothing of
// events.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	driver "github.com/glebarez/go-sqlite" // registers itself as "sqlite"
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
	steps Steps
	from  int    // the schema that the file had when it was opened for writing
	log   string // the salts of the write-ahead log that was named last

	damaged func() // hears of a damaged page; nil for nobody
}

// Steps are what migrations do besides their SQL, by the number of the schema that
// they lead to, each in the transaction of its migration.
type Steps map[int]func(ctx context.Context, tx *sql.Tx) error

// Open opens the file at path for writing, and makes it when there is none. It
// fails with ledger.ErrLocked when another process has it open, and with
// ledger.ErrTooNew when a newer version has written it.
func Open(path string, steps Steps) (*File, error) {
	file := &File{path: path, steps: steps}
	if err := file.open(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// OpenReadOnly opens the file at path for reading, beside a writer or without
// one. InTx fails with ledger.ErrReadOnly. A file that a writer is just making is not
// there yet: fs.ErrNotExist.
func OpenReadOnly(path string) (*File, error) {
	file := &File{path: path}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	if err := Own(path); err != nil {
		return nil, err
	}
	version, err := file.openReaders(readDSN(path))
	if isReadOnlyFolder(err) && isEmpty(path+"-wal") {
		if err = file.Close(); err == nil {
			version, err = file.openReaders(readDSN(path) + "&immutable=1")
		}
	}
	if err == nil && version == 0 {
		err = fmt.Errorf("%s is being made: %w", path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// isReadOnlyFolder says that SQLite could not make the files that readers share with
// a writer (SQLITE_READONLY, SQLITE_CANTOPEN). Without a log nobody writes, and they
// are not needed.
func isReadOnlyFolder(err error) bool {
	var failed *driver.Error
	return errors.As(err, &failed) && (failed.Code()&0xff == 8 || failed.Code()&0xff == 14)
}

func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
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
	ctx := context.Background()
	if err := f.migrate(ctx); err != nil {
		return err
	}
	if f.from == 0 { // a new file says whose log it takes from the beginning
		if err := f.nameLog(ctx); err != nil {
			return Damaged(err)
		}
		if err := f.emptyLog(ctx); err != nil {
			return err
		}
	}
	_, err = f.openReaders(readDSN(f.path))
	return err
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
	if err := Own(f.path); err != nil {
		return err
	}
	file, err := os.OpenFile(f.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(file.Chmod(0o600), file.Close())
}

// openReaders opens the pool of the reading connections, and returns the schema they see.
func (f *File) openReaders(dsn string) (version int, err error) {
	if f.read, err = sql.Open("sqlite", dsn); err != nil {
		return 0, err
	}
	f.read.SetMaxOpenConns(readers)
	f.read.SetMaxIdleConns(readers)
	if f.rows, err = mapped(f.read); err != nil {
		return 0, Damaged(err)
	}
	if version, err = schemaVersion(f.read); err != nil {
		return 0, Damaged(err)
	}
	newest := len(migrationNames())
	if f.old = version < newest; version > newest {
		return version, ledger.ErrTooNew
	}
	return version, nil
}

// Since is the number of the schema that the file had when it was opened for writing; 0
// for a new file.
func (f *File) Since() int { return f.from }

// Current says that the file has the newest schema; one that is read before a
// writer of this version opened it may not.
func (f *File) Current() bool { return !f.old }

// SourcesOfSession is a query of the sources that may hold events of the session n.
func (f *File) SourcesOfSession() string {
	if f.old {
		return "SELECT DISTINCT source FROM occurrence WHERE session = n.id"
	}
	return "SELECT source FROM session_source WHERE session = n.id"
}

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
	f.calm()
	for _, pool := range []*sql.DB{f.read, f.write} {
		if pool != nil {
			errs = append(errs, pool.Close(), ended(pool))
		}
	}
	if f.lock != nil {
		errs = append(errs, f.lock.Unlock())
	}
	return errors.Join(errs...)
}

// calm takes an interruption back that came when its statement had just ended: SQLite
// keeps it for the next statement, and would break off moving the log.
func (f *File) calm() {
	if f.write == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastReads)
	defer cancel()
	_, _ = f.write.ExecContext(ctx, "SELECT 1") // a busy connection is not calmed: its log stays
}

// lastReads is how long Close waits for reads that were interrupted: they notice it
// between two rows.
const lastReads = 5 * time.Second

// ended waits until the connections of a closed pool are closed. The pool itself leaves
// those that are in use to those who use them, and beside one of these the writer could
// not move the log.
func ended(pool *sql.DB) error {
	for deadline := time.Now().Add(lastReads); ; time.Sleep(time.Millisecond) {
		open := pool.Stats().OpenConnections
		if open == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d reads of the ledger did not end", open)
		}
	}
}
