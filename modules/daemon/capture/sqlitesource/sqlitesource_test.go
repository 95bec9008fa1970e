package sqlitesource_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// notes is a reader of a table of notes; it keeps what it is handed.
type notes struct{ handed []string }

func (n *notes) Revision() int { return 1 }

func (n *notes) Decode(transcript.Source, io.Reader, transcript.Position) (transcript.Decoder, error) {
	return nil, errors.ErrUnsupported
}

func (n *notes) Queries() []transcript.RowQuery {
	return []transcript.RowQuery{{Name: "note", SQL: `SELECT book AS "group", rowid AS "key", changed AS mark, text FROM note
		WHERE (book > :group OR book = :group AND rowid > :key) AND changed >= :mark ORDER BY book, rowid`}}
}

func (n *notes) MapRows(rows []transcript.Row) (events []transcript.Located, coverage transcript.Coverage) {
	for _, row := range rows {
		n.handed = append(n.handed, row.Text("text"))
	}
	coverage.Records, coverage.Read = int64(len(rows)), int64(len(rows))
	return nil, coverage
}

// agent is a program at work on its database.
type agent struct {
	*testing.T
	*sql.DB
	path string
}

func start(t *testing.T, path string, pragmas ...string) agent {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	a := agent{T: t, DB: db, path: path}
	for _, pragma := range pragmas {
		a.do("PRAGMA " + pragma)
	}
	a.do("CREATE TABLE note (book TEXT, changed INTEGER, text TEXT)")
	return a
}

func (a agent) do(statement string, values ...any) {
	a.Helper()
	if _, err := a.Exec(statement, values...); err != nil {
		a.Fatal(err)
	}
}

func (a agent) note(book string, changed int64, text string) {
	a.Helper()
	a.do("INSERT INTO note VALUES (?, ?, ?)", book, changed, text)
}

// read reads on from a position, as the daemon does when the file changes.
func (a agent) read(pos transcript.Position) (handed []string, next transcript.Position) {
	a.Helper()
	ctx := context.Background()
	db, err := sqlitesource.Open(ctx, a.path)
	if err != nil {
		a.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			a.Error(err)
		}
	}()
	reader := &notes{}
	decoder, err := db.Decode(ctx, reader, pos, time.UnixMilli(1<<40), "")
	if err != nil {
		a.Fatal(err)
	}
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return reader.handed, pos
		}
		if err != nil {
			a.Fatal(err)
		}
		pos = batch.Position
	}
}

// What an agent at work has written stands in its log alone. It is read from
// there; the log and the database stay as they are, byte for byte.
func TestALiveDatabaseIsReadAndNotTouched(t *testing.T) {
	a := start(t, filepath.Join(t.TempDir(), "live.db"), "journal_mode=wal", "wal_autocheckpoint=0")
	a.note("a", 10_000, "one")
	a.note("a", 15_000, "old")
	a.note("a", 20_000, "two")
	before := contents(t, a.path, a.path+"-wal")
	handed, pos := a.read(transcript.Position{})
	if !slices.Equal(handed, []string{"one", "old", "two"}) {
		t.Errorf("handed %q", handed)
	}
	if after := contents(t, a.path, a.path+"-wal"); !slices.Equal(before, after) {
		t.Error("reading has changed the database or its log")
	}

	a.note("b", 30_000, "three")
	a.do("UPDATE note SET text = 'one, longer', changed = 30000 WHERE text = 'one'")
	handed, pos = a.read(pos)
	if !slices.Equal(handed, []string{"one, longer", "two", "three"}) {
		t.Errorf("of four rows, of which one is new, one changed, and one at the mark, %q were handed", handed)
	}
	a.note("c", 29_000, "written first, committed last")
	if handed, _ = a.read(pos); !slices.Contains(handed, "written first, committed last") {
		t.Errorf("a row a little older than the mark was missed: %q", handed)
	}
}

func contents(t *testing.T, paths ...string) (all []string) {
	t.Helper()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(data))
	}
	return all
}

// Of a large table every row comes once, in the order of the query, also where
// a page ends within a group.
func TestEveryRowComesOnce(t *testing.T) {
	a := start(t, filepath.Join(t.TempDir(), "large.db"))
	var want []string
	for n := range 901 {
		text := fmt.Sprintf("%c%03d", 'a'+rune(n/301), n)
		want = append(want, text)
		a.note(text[:1], 5, text)
	}
	if handed, _ := a.read(transcript.Position{}); !slices.Equal(handed, want) {
		t.Errorf("%d rows of %d", len(handed), len(want))
	}
}

// A database that its agent has locked is copied, and the copy is gone after.
func TestALockedDatabaseIsCopied(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	a := start(t, filepath.Join(t.TempDir(), "locked.db"), "locking_mode=exclusive")
	a.note("a", 1, "behind a lock")
	handed, _ := a.read(transcript.Position{})
	if !slices.Equal(handed, []string{"behind a lock"}) {
		t.Errorf("handed %q", handed)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A path may hold whatever a file system allows.
func TestAnOddPathIsOpened(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b %20 #ä&mode=rw")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	plain := start(t, filepath.Join(t.TempDir(), "plain.db"))
	plain.note("a", 1, "x")
	if err := os.Rename(plain.path, filepath.Join(dir, "odd.db")); err != nil {
		t.Fatal(err)
	}
	plain.path = filepath.Join(dir, "odd.db")
	if handed, _ := plain.read(transcript.Position{}); len(handed) != 1 {
		t.Errorf("handed %q", handed)
	}
}

// A mark never rises above the time the database was written last: what is
// changed while it is read comes the next time.
func TestMarksStayBelowTheLastWrite(t *testing.T) {
	a := start(t, filepath.Join(t.TempDir(), "x.db"))
	a.note("a", 99_000, "from the future")
	ctx := context.Background()
	db, err := sqlitesource.Open(ctx, a.path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	decoder, err := db.Decode(ctx, &notes{}, transcript.Position{}, time.UnixMilli(50_000), "")
	if err != nil {
		t.Fatal(err)
	}
	var state string
	for batch, err := decoder.Next(); err == nil; batch, err = decoder.Next() {
		state = string(batch.Position.State)
	}
	if state != `{"note":50000}` {
		t.Errorf("state %s", state)
	}
	if _, err := db.Decode(ctx, &notes{}, transcript.Position{State: []byte("[]")}, time.Now(), ""); !errors.Is(err, transcript.ErrState) {
		t.Errorf("a state that is none: %v", err)
	}
}

func TestADatabaseIsKnownByItsContent(t *testing.T) {
	a := start(t, filepath.Join(t.TempDir(), "x.db"), "journal_mode=wal", "wal_autocheckpoint=0")
	text := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database", 9)), 0o600); err != nil {
		t.Fatal(err)
	}
	if !sqlitesource.Is(a.path) || sqlitesource.Is(text) || sqlitesource.Is(text+".none") {
		t.Error("a database was not distinguished from what is none")
	}
	if got := sqlitesource.Main(a.path + "-wal"); got != a.path {
		t.Errorf("the log belongs to %s", got)
	}
	size, _, err := sqlitesource.Stat(a.path)
	log, statErr := os.Stat(a.path + "-wal")
	if err != nil || statErr != nil || size <= log.Size() {
		t.Errorf("size %d with a log of %v: %v, %v", size, log, err, statErr)
	}
}

// A copy holds what no redaction has seen: one that a killed process left is
// removed, one that may still be read is not.
func TestRemoveAbandoned_RemovesOldCopies(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	old, young := filepath.Join(os.TempDir(), "carryover-copy-1"), filepath.Join(os.TempDir(), "carryover-copy-2")
	for _, folder := range []string{old, young} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	sqlitesource.RemoveAbandoned()
	if _, err := os.Stat(old); err == nil {
		t.Error("the old copy is still there")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error("the young copy is gone")
	}
}
