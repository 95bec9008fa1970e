package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/agents"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/originals"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Scrub takes forgotten texts out of an event that is on its way in.
func (l *Store) Scrub(event *transcript.Event) {
	if l.forgot.Texts() {
		ledger.ScrubEvent(event, l.forgot.Scrub)
	}
}

// ScrubText does so with a text.
func (l *Store) ScrubText(text string) string { return l.forgot.Scrub(text) }

// Forget takes a text or sessions out of the ledger and keeps them out. The
// marks are written first: a process killed in between must find them again,
// and forgetting twice does no harm.
func (l *Store) Forget(ctx context.Context, what ledger.Forgetting) (done ledger.Forgotten, err error) {
	if err := l.file.Writable(); err != nil {
		return done, err
	}
	forgot := l.forgot
	if what.Preview {
		forgot, err = l.forgot.With(what.Text, nil)
	} else {
		err = mark(l.forgot, what)
	}
	if err != nil {
		return done, fmt.Errorf("forget: %w", err)
	}
	err = l.file.InTx(ctx, "forget", func(tx *sql.Tx) error {
		run := &forgetting{appending: appending{log: l, transaction: &transaction{tx: tx}}, forgot: forgot, done: &done, progress: what.Progress}
		if err := run.all(ctx, what); err != nil {
			return err
		}
		if what.Preview {
			return errPreview // nothing of it stays
		}
		return nil
	})
	if what.Preview && errors.Is(err, errPreview) {
		return done, nil
	}
	if err != nil {
		return done, err
	}
	return done, l.compact(ctx)
}

// errPreview rolls a preview back.
var errPreview = errors.New("a preview")

// mark remembers what is to be forgotten.
func mark(forgot *tombstone.Tombstones, what ledger.Forgetting) error {
	if what.Text != "" {
		if err := forgot.AddText(what.Text, time.Now()); err != nil {
			return err
		}
	}
	for _, session := range what.Sessions {
		if err := forgot.AddSession(session.Tool, session.ID, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

func (f *forgetting) all(ctx context.Context, what ledger.Forgetting) error {
	if what.Text != "" {
		if err := f.text(ctx); err != nil {
			return err
		}
	}
	if err := f.sessions(ctx, what.Sessions); err != nil {
		return err
	}
	n, err := agents.Remove(ctx, f.tx, what.Agents)
	f.done.Agents += n
	if err != nil {
		return err
	}
	for _, uid := range what.Projects {
		const empty = "FROM project WHERE uid = ? AND NOT EXISTS (SELECT 1 FROM session WHERE session.project = project.id)"
		for _, statement := range []string{"DELETE FROM project_path WHERE project IN (SELECT id " + empty + ")", "DELETE " + empty} {
			if _, err := f.tx.ExecContext(ctx, statement, uid); err != nil {
				return err
			}
		}
	}
	return nil
}

// compact rewrites the file, so that no free page holds what was deleted, and
// empties the write-ahead log.
func (l *Store) compact(ctx context.Context) error {
	const what = "rewrite the ledger after forgetting"
	err := l.file.InTx(ctx, what, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO search (search) VALUES ('optimize'); INSERT INTO agent_search (agent_search) VALUES ('optimize')")
		return err
	})
	if err != nil {
		return err
	}
	if err := l.file.Compact(ctx); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// forgetting is one Forget. What it does to the index is what an append does.
type forgetting struct {
	appending
	forgot   *tombstone.Tombstones
	done     *ledger.Forgotten
	progress func(done, total int)
}

// scrubbed is how many events are held in memory at a time.
const scrubbed = 2048

// text rewrites every record that holds a forgotten text.
func (f *forgetting) text(ctx context.Context) error {
	total, looked := 0, 0
	if err := f.tx.QueryRowContext(ctx, "SELECT count(*) FROM event").Scan(&total); err != nil {
		return err
	}
	for last := int64(-1); ; {
		if f.progress != nil {
			f.progress(looked, total)
		}
		list, err := f.records(ctx, "key > ? ORDER BY key LIMIT ?", last, scrubbed)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			break
		}
		for _, r := range list {
			last = r.key
			// A text may stand there in another form: JSON escapes quotes and line ends.
			if f.forgot.Scrub(r.body) != r.body || strings.Contains(r.body, `\`) {
				if err := f.rewrite(ctx, r); err != nil {
					return err
				}
			}
		}
		if err := f.write(ctx); err != nil {
			return err
		}
		looked += len(list)
	}
	if err := f.titles(ctx); err != nil {
		return err
	}
	changed, err := agents.RewriteAll(ctx, f.log.agentStore, f.tx, func(body string) string { return redact.Strings(body, f.forgot.Scrub) })
	if f.done.Agents += changed; err == nil {
		_, err = f.log.Rewrite(ctx, f.tx, redact.Revision+1, f.forgot.Scrub)
	}
	return err
}

func (f *forgetting) rewrite(ctx context.Context, r toolRecord) error {
	var event transcript.Event
	if err := ledger.DecodeBody([]byte(r.body), &event); err != nil {
		return nil //nolint:nilerr // a body nobody can read is in no index and is found by nobody
	}
	ledger.ScrubEvent(&event, f.forgot.Scrub)
	body, err := ledger.EncodeBody(&event)
	if err != nil {
		return err
	}
	if string(body) == r.body {
		return nil
	}
	f.done.Events++
	return f.rewriteBody(ctx, r.record, r.tool, string(body))
}

// textColumn is a column, beside the bodies of events, with text of a person,
// an agent or a program.
type textColumn struct{ table, name string }

var textColumns = []textColumn{
	{"session", "title"}, {"session", "branch"}, {"restore", "reason"}, {"source", "state"}, {"source", "parked"},
}

// titles scrubs what sessions and restores are called.
func (f *forgetting) titles(ctx context.Context) error {
	for _, column := range textColumns {
		if _, err := db.RewriteColumn(ctx, f.tx, column.table, column.name, func(text string) string { return redact.Strings(text, f.forgot.Scrub) }); err != nil {
			return err
		}
	}
	return nil
}

// sessions deletes sessions: their places, and the events that stand in no
// other session.
func (f *forgetting) sessions(ctx context.Context, keys []ledger.SessionKey) error {
	for _, key := range keys {
		var id, tool int64
		err := f.tx.QueryRowContext(ctx, "SELECT s.id, s.tool FROM session s JOIN tool t ON t.id = s.tool WHERE t.name = ? AND s.name = ?", key.Tool, key.ID).Scan(&id, &tool)
		if errors.Is(err, sql.ErrNoRows) {
			continue // never stored; the mark keeps it out
		}
		if err != nil {
			return err
		}
		if err := f.session(ctx, key, id, tool); err != nil {
			return err
		}
		f.done.Sessions++
	}
	return nil
}

func (f *forgetting) session(ctx context.Context, key ledger.SessionKey, id, tool int64) error {
	gone, err := f.records(ctx, "key IN (SELECT event FROM occurrence WHERE "+ofSession+`
		AND NOT EXISTS (SELECT 1 FROM occurrence x WHERE x.event = occurrence.event AND x.session <> occurrence.session))`, id)
	if err != nil {
		return err
	}
	for _, r := range gone {
		if err := f.deleteEvent(ctx, r); err != nil {
			return err
		}
	}
	if err := f.write(ctx); err != nil {
		return err
	}
	// A file that holds a part of the session is not kept at all, whose ever it is.
	if err := originals.Refuse(ctx, f.tx, "SELECT source FROM session_source WHERE session = ? UNION SELECT id FROM source WHERE tool = ? AND main = ?", id, tool, key.ID); err != nil {
		return err
	}
	for _, statement := range []string{"DELETE FROM occurrence WHERE " + ofSession, "DELETE FROM session_source WHERE session = ?1"} {
		if _, err := f.tx.ExecContext(ctx, statement, id); err != nil {
			return err
		}
	}
	f.done.Events += len(gone)
	if _, err := f.tx.ExecContext(ctx, "DELETE FROM restore WHERE tool = ? AND session = ? OR from_tool = ? AND from_id = ?", key.Tool, key.ID, key.Tool, key.ID); err != nil {
		return err
	}
	// What a reader remembers of a session is of it: titles, queued prompts. The
	// path stays, so that the transcript is known to have been read.
	if _, err := f.tx.ExecContext(ctx, "UPDATE source SET state = '', parked = '', coverage = '' WHERE tool = ? AND main = ?", tool, key.ID); err != nil {
		return err
	}
	_, err = f.tx.ExecContext(ctx, "DELETE FROM session WHERE id = ?", id)
	return err
}
