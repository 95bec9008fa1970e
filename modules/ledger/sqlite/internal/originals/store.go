package originals

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// Marks are what was forgotten.
type Marks interface {
	Scrub(text string) string
	Texts() bool
	Session(tool, id string) bool
}

// Store keeps originals in a ledger's file.
type Store struct {
	file  *db.File
	marks Marks
	coder *coder
}

// New keeps originals in a file; marks may be of nothing.
func New(file *db.File, marks Marks) *Store { return &Store{file: file, marks: marks, coder: &coder{}} }

// never is the from_byte of a source of which nothing is to be kept.
const never = -1

const ofSource = "source = (SELECT s.id FROM source s JOIN tool t ON t.id = s.tool WHERE t.name = ? AND s.path = ?)"

// OriginalEnd is how many bytes of a source are kept.
func (s *Store) OriginalEnd(ctx context.Context, tool, path string) (end int64, err error) {
	err = s.file.Reader().QueryRowContext(ctx, "SELECT COALESCE(CASE WHEN MIN(from_byte) < 0 THEN -1 ELSE MAX(from_byte + length) END, 0) FROM original WHERE "+ofSource, tool, path).Scan(&end)
	if err != nil {
		return 0, fmt.Errorf("look for the original of %s: %w", path, db.Damaged(err))
	}
	return end, nil
}

// KeepOriginals adds pieces in one transaction. Most of the work comes before it, and
// the writer does not wait for that.
func (s *Store) KeepOriginals(ctx context.Context, pieces []ledger.OriginalPiece) error {
	if err := s.file.Writable(); err != nil {
		return err
	}
	cleaned := make([][]byte, len(pieces))
	for i, piece := range pieces {
		cleaned[i] = cleanBeside(piece.Text)
	}
	return s.file.InTx(ctx, "keep originals", func(tx *sql.Tx) error {
		for i, piece := range pieces {
			source, main, err := sourceFor(ctx, tx, piece)
			if errors.Is(err, sql.ErrNoRows) || err == nil && s.marks.Session(piece.Tool, main) {
				continue
			}
			if err == nil {
				err = s.keep(ctx, tx, source, piece, cleaned[i])
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// sourceFor is the source of a piece. That of a document of a database is made: it is
// marked as one of hooks, so that nobody takes it for a file to read.
func sourceFor(ctx context.Context, tx *sql.Tx, piece ledger.OriginalPiece) (source int64, main string, err error) {
	if piece.Session != "" {
		const add = "INSERT OR IGNORE INTO source (tool, path, main, hook) SELECT id, ?, ?, 1 FROM tool WHERE name = ?"
		if _, err := tx.ExecContext(ctx, add, piece.Path, piece.Session, piece.Tool); err != nil {
			return 0, "", err
		}
	}
	err = tx.QueryRowContext(ctx, "SELECT s.id, s.main FROM source s JOIN tool t ON t.id = s.tool WHERE t.name = ? AND s.path = ?", piece.Tool, piece.Path).Scan(&source, &main)
	return source, main, err
}

func (s *Store) keep(ctx context.Context, tx *sql.Tx, source int64, piece ledger.OriginalPiece, text []byte) error {
	if piece.Replace {
		if _, err := tx.ExecContext(ctx, "DELETE FROM original WHERE source = ? AND from_byte >= 0", source); err != nil {
			return err
		}
	}
	last, err := lastPiece(ctx, tx, source)
	if err != nil || last.from == never || last.from+last.length != piece.Offset {
		return err
	}
	if scrub := s.scrub(); scrub != nil { // only now is it sure that nothing more is forgotten
		text, _ = clean(text, scrub)
	}
	length := int64(len(piece.Text))
	if last.id != 0 && last.length < small && last.length+length <= largest {
		before, err := s.coder.unpacked(last.packed)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM original WHERE id = ?", last.id); err != nil {
			return err
		}
		text, piece.Offset, length = append(before, text...), last.from, last.length+length
	}
	packed, err := s.coder.packed(text)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, insert, source, piece.Offset, length, redact.Revision, packed)
	return err
}

// piece is a row of the table.
type piece struct {
	id, from, length int64
	packed           []byte
}

// lastPiece is the last piece of a source, or that nothing of it is to be kept; the
// zero one where there is none.
func lastPiece(ctx context.Context, tx *sql.Tx, source int64) (last piece, err error) {
	var refused bool
	if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM original WHERE source = ? AND from_byte < 0)", source).Scan(&refused); err != nil {
		return last, err
	}
	if refused {
		return piece{from: never}, nil
	}
	err = tx.QueryRowContext(ctx, "SELECT id, from_byte, length, packed FROM original WHERE source = ? ORDER BY from_byte DESC LIMIT 1", source).Scan(&last.id, &last.from, &last.length, &last.packed)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return last, err
}

func (s *Store) scrub() func(string) string {
	if !s.marks.Texts() {
		return nil
	}
	return s.marks.Scrub
}

// Original yields what is kept of a source.
func (s *Store) Original(ctx context.Context, tool, path string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var stopped bool
		err := db.Each(ctx, s.file.Reader(), func(rows *sql.Rows) error {
			var packed []byte
			if err := rows.Scan(&packed); err != nil {
				return err
			}
			text, err := s.coder.unpacked(packed)
			if err == nil && !yield(text, nil) {
				stopped = true
				return errStopped
			}
			return err
		}, "SELECT packed FROM original WHERE from_byte >= 0 AND "+ofSource+" ORDER BY from_byte", tool, path)
		if err != nil && !stopped {
			yield(nil, fmt.Errorf("read the original of %s: %w", path, db.Damaged(err)))
		}
	}
}

// errStopped says that nobody wants more.
var errStopped = errors.New("stopped")

// Originals lists the sources of which something is kept.
func (s *Store) Originals(ctx context.Context, session ledger.SessionKey) ([]ledger.Original, error) {
	list := []ledger.Original{}
	err := db.Each(ctx, s.file.Reader(), func(rows *sql.Rows) error {
		var o ledger.Original
		var last int64
		if err := rows.Scan(&o.Session.Tool, &o.Session.ID, &o.Path, &o.Subagent, &last, &o.Length, &o.Packed); err != nil {
			return err
		}
		if last != 0 {
			o.Last = time.UnixMilli(last).UTC()
		}
		list = append(list, o)
		return nil
	}, `SELECT t.name, s.main, s.path, s.subagent, s.latest, SUM(o.length), SUM(LENGTH(o.packed))
		FROM original o JOIN source s ON s.id = o.source JOIN tool t ON t.id = s.tool
		WHERE o.from_byte >= 0 AND ? IN ('', s.main) AND ? IN ('', t.name) GROUP BY o.source ORDER BY t.name, s.subagent, s.path`, session.ID, session.Tool)
	if err != nil {
		return nil, fmt.Errorf("list originals: %w", db.Damaged(err))
	}
	return list, nil
}

// TrimOriginals deletes the oldest.
func (s *Store) TrimOriginals(ctx context.Context, limit int64) (gone int, err error) {
	err = s.file.InTx(ctx, "trim originals", func(tx *sql.Tx) error {
		type kept struct{ source, packed int64 }
		var list []kept
		var total int64
		err := db.Each(ctx, tx, func(rows *sql.Rows) error {
			var k kept
			err := rows.Scan(&k.source, &k.packed)
			total += k.packed
			list = append(list, k)
			return err
		}, "SELECT o.source, SUM(LENGTH(o.packed)) FROM original o JOIN source s ON s.id = o.source WHERE o.from_byte >= 0 GROUP BY o.source ORDER BY s.latest, o.source")
		if err != nil {
			return err
		}
		for _, k := range list {
			if total <= limit {
				break
			}
			if err := Refuse(ctx, tx, "SELECT ?", k.source); err != nil {
				return err
			}
			total -= k.packed
			gone++
		}
		return nil
	})
	return gone, err
}

// Refuse deletes what is kept of the sources that a query names, and keeps nothing of
// them from now on.
func Refuse(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	var sources []int64
	err := db.Each(ctx, tx, func(rows *sql.Rows) error {
		var source int64
		err := rows.Scan(&source)
		sources = append(sources, source)
		return err
	}, query, args...)
	if err != nil {
		return err
	}
	for _, source := range sources {
		if _, err := tx.ExecContext(ctx, "DELETE FROM original WHERE source = ?", source); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, insert, source, never, 0, redact.Revision, []byte{}); err != nil {
			return err
		}
	}
	return nil
}

// Adopt takes over pieces of a source, in order, from another ledger. What is kept of
// the source here stays.
func (s *Store) Adopt(ctx context.Context, tool, path string, pieces []Packed) error {
	if end, err := s.OriginalEnd(ctx, tool, path); err != nil || end != 0 {
		return err
	}
	return s.file.InTx(ctx, "take over the original of "+path, func(tx *sql.Tx) error {
		var source, end int64
		err := tx.QueryRowContext(ctx, "SELECT s.id FROM source s JOIN tool t ON t.id = s.tool WHERE t.name = ? AND s.path = ?", tool, path).Scan(&source)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		for _, p := range pieces {
			if err != nil || p.From != end {
				return err // what follows a gap is no transcript
			}
			if _, broken := s.coder.unpacked(p.Data); broken != nil {
				return nil //nolint:nilerr // damage: what stood before it is kept
			}
			_, err = tx.ExecContext(ctx, insert, source, p.From, p.Length, p.Redacted, p.Data)
			end = p.From + p.Length
		}
		return err
	})
}

// Packed is a piece as it lies in a ledger.
type Packed struct {
	From, Length, Redacted int64
	Data                   []byte
}

const insert = "INSERT INTO original (source, from_byte, length, redact_rev, packed) VALUES (?, ?, ?, ?, ?)"

// Rewrite cleans the pieces that were kept below a revision of the redaction, with
// scrub too where it is not nil, and says how many changed.
func (s *Store) Rewrite(ctx context.Context, tx *sql.Tx, below int, scrub func(string) string) (changed int, err error) {
	for last := int64(-1); ; {
		var p piece
		err := tx.QueryRowContext(ctx, "SELECT id, packed FROM original WHERE id > ? AND from_byte >= 0 AND redact_rev < ? ORDER BY id LIMIT 1", last, below).Scan(&p.id, &p.packed)
		if errors.Is(err, sql.ErrNoRows) {
			return changed, nil
		}
		if err != nil {
			return changed, err
		}
		last = p.id
		text, err := s.coder.unpacked(p.packed)
		if err != nil {
			return changed, err
		}
		text, dirty := clean(text, scrub)
		if dirty {
			if p.packed, err = s.coder.packed(text); err != nil {
				return changed, err
			}
			changed++
		}
		if _, err := tx.ExecContext(ctx, "UPDATE original SET packed = ?, redact_rev = ? WHERE id = ?", p.packed, redact.Revision, p.id); err != nil {
			return changed, err
		}
	}
}
