package sqlitesource

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	_ "github.com/glebarez/go-sqlite" // registers the driver "sqlite"
)

// Database is another program's database, open for reading.
type Database struct {
	pool *sql.DB
	copy string // folder of a copy that is read instead; "" when it is read in place
}

// patience is how long a lock is waited for, in milliseconds.
const patience = "250"

// Open opens a database in place. Where that cannot be done, because it is
// locked or its folder does not let the log be read, a copy is read instead.
func Open(ctx context.Context, path string) (*Database, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db, err := open(ctx, path)
	if err == nil || !barred(err) {
		return db, err
	}
	folder, err := copied(path)
	if err != nil {
		return nil, err
	}
	if db, err = open(ctx, filepath.Join(folder, copyName)); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	db.copy = folder
	return db, nil
}

// open opens a database and looks into it, for opening alone touches no file.
func open(ctx context.Context, path string) (*Database, error) {
	pool, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	pool.SetMaxOpenConns(1)
	var tables int
	_, err = pool.ExecContext(ctx, "PRAGMA busy_timeout = "+patience)
	if err == nil {
		err = pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open database: %w", err), pool.Close())
	}
	return &Database{pool: pool}, nil
}

// Close closes the database and removes the copy, if one was read.
func (d *Database) Close() error {
	err := d.pool.Close()
	if d.copy != "" {
		err = errors.Join(err, os.RemoveAll(d.copy))
	}
	return err
}

// Tables are the names of the database's tables.
func (d *Database) Tables(ctx context.Context) (names []string, err error) {
	rows, err := d.pool.QueryContext(ctx, "SELECT name FROM sqlite_schema WHERE type = 'table'")
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("list tables: %w", err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	return names, nil
}

// Answers says that the database gives a row to a query. One that it does not
// understand has none.
func (d *Database) Answers(ctx context.Context, query string) bool {
	rows, err := d.pool.QueryContext(ctx, query)
	if err != nil {
		return false
	}
	defer func() { _ = rows.Close() }()
	return rows.Next() && rows.Err() == nil
}

// Document is the one text that a query gives for a session (:session).
func (d *Database) Document(ctx context.Context, query, session string) (text string, found bool, err error) {
	var value sql.NullString
	err = d.pool.QueryRowContext(ctx, query, sql.Named("session", session)).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read session %s: %w", session, err)
	}
	return value.String, value.Valid, nil
}

// Codes of SQLite with which a database cannot be read where it lies.
const (
	busy       = 5
	locked     = 6
	readOnly   = 8
	cannotOpen = 14
)

// barred says that a copy may be read where the database cannot.
func barred(err error) bool {
	var coded interface{ Code() int }
	if !errors.As(err, &coded) {
		return false
	}
	switch coded.Code() & 0xff { // the rest says more of the same
	case busy, locked, readOnly, cannotOpen:
		return true
	}
	return false
}

// copyName is what a copy is called in its folder.
const copyName = "copy.db"

// copyPrefix begins the names of the folders of copies.
const copyPrefix = "carryover-copy-"

// abandonedAfter is the age of a copy that nobody can still be reading.
const abandonedAfter = time.Hour

// RemoveAbandoned removes the copies that a killed process left in the temporary
// folder: what they hold has gone through no redaction.
func RemoveAbandoned() {
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), copyPrefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range folders {
		if info, err := os.Lstat(folder); err == nil && info.IsDir() && time.Since(info.ModTime()) > abandonedAfter {
			_ = os.RemoveAll(folder)
		}
	}
}

// copyTries is how often a database that is being written is copied again.
const copyTries = 3

// copied copies a database and its log to a folder that only this user reads.
// A copy during which either was written may fit together badly, and is made
// again.
func copied(path string) (folder string, err error) {
	folder, err = os.MkdirTemp("", copyPrefix)
	if err != nil {
		return "", fmt.Errorf("copy database: %w", err)
	}
	for range copyTries {
		var still bool
		if still, err = copyOnce(path, filepath.Join(folder, copyName)); err == nil && still {
			return folder, nil
		}
		if err != nil {
			break
		}
		err = errors.New("it is being written")
	}
	return "", errors.Join(fmt.Errorf("copy database: %w", err), os.RemoveAll(folder))
}

// copyOnce says whether the database stood still while it was copied.
func copyOnce(from, to string) (still bool, err error) {
	size, modified, err := Stat(from)
	if err != nil {
		return false, err
	}
	for _, end := range []string{"", log} {
		if err := copyFile(from+end, to+end); err != nil && (end == "" || !errors.Is(err, fs.ErrNotExist)) {
			return false, err
		}
	}
	sizeNow, modifiedNow, err := Stat(from)
	return size == sizeNow && modified.Equal(modifiedNow), err
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
