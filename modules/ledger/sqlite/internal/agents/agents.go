// Package agents keeps what named agents leave, in the ledger's file: their
// ledgers, handoffs and learnings, each a row with an index entry of its own.
package agents

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// Store is what named agents left. It is safe for concurrent use. Its methods
// are those of ledger.Agents; functions do what the rest of the ledger asks.
type Store struct {
	file  *db.File
	scrub func(string) string
}

var _ ledger.Agents = (*Store)(nil)

// New is the store in an open ledger file. Scrub takes forgotten texts out of
// what is stored.
func New(file *db.File, scrub func(string) string) *Store { return &Store{file, scrub} }

// The kinds of rows in the table agent.
const (
	kindLedger   = "ledger"
	kindHandoff  = "handoff"
	kindLearning = "learning"
)

// record is a row of the table agent.
type record struct {
	id       int64
	project  string
	name     string
	kind     string
	uid      string
	time     int64
	archived bool
	body     string
}

const columns = "id, project, name, kind, uid, time, archived, body"

func (r *record) scan(rows *sql.Rows) error {
	return rows.Scan(&r.id, &r.project, &r.name, &r.kind, &r.uid, &r.time, &r.archived, &r.body)
}

// AgentLedger returns the ledger of an agent of a project.
func (s *Store) AgentLedger(ctx context.Context, project, agent string) (ledger.AgentLedger, bool, error) {
	var of ledger.AgentLedger
	rows, err := s.rows(ctx, "kind = ? AND project = ? AND name = ?", kindLedger, project, agent)
	if err != nil || len(rows) == 0 {
		return of, false, err
	}
	if err := json.Unmarshal([]byte(rows[0].body), &of); err != nil {
		return of, false, fmt.Errorf("read ledger of %s: %w", agent, err)
	}
	return of, true, nil
}

// PutAgentLedger replaces the ledger of an agent.
func (s *Store) PutAgentLedger(ctx context.Context, project string, of ledger.AgentLedger) error {
	body, err := json.Marshal(of.Redacted())
	if err != nil {
		return fmt.Errorf("encode ledger of %s: %w", of.AgentName, err)
	}
	return s.file.InTx(ctx, "keep ledger of "+of.AgentName, func(tx *sql.Tx) error {
		return s.put(ctx, tx, record{
			project: project, name: of.AgentName, kind: kindLedger, time: db.Milliseconds(of.UpdatedAt), body: string(body),
		})
	})
}

// PutHandoff adds a handoff with its learnings, or replaces the one with its
// id.
func (s *Store) PutHandoff(ctx context.Context, project string, handoff ledger.AgentHandoff) error {
	handoff = handoff.Redacted()
	body, err := json.Marshal(handoff)
	if err != nil {
		return fmt.Errorf("encode handoff of %s: %w", handoff.AgentName, err)
	}
	return s.file.InTx(ctx, "keep handoff of "+handoff.AgentName, func(tx *sql.Tx) error {
		if err := remove(ctx, tx, "uid = ? OR uid LIKE ?", handoff.ID, handoff.ID+"#%"); err != nil {
			return err
		}
		row := record{
			project: project, name: handoff.AgentName, kind: kindHandoff, uid: handoff.ID,
			time: db.Milliseconds(handoff.CreatedAt), archived: handoff.Archived, body: string(body),
		}
		if err := s.put(ctx, tx, row); err != nil {
			return err
		}
		for i, learning := range handoff.Learnings {
			row.kind, row.uid, row.body = kindLearning, handoff.ID+"#"+strconv.Itoa(i), learning
			if err := s.put(ctx, tx, row); err != nil {
				return err
			}
		}
		return nil
	})
}

// Handoffs lists handoffs, newest first.
func (s *Store) Handoffs(ctx context.Context, filter ledger.HandoffFilter) ([]ledger.AgentHandoff, error) {
	where, args := "kind = ?", []any{kindHandoff}
	for column, value := range map[string]string{"project": filter.Project, "name": filter.Agent, "uid": filter.ID} {
		if value != "" {
			where += " AND " + column + " = ?"
			args = append(args, value)
		}
	}
	if !filter.Archived && filter.ID == "" {
		where += " AND NOT archived"
	}
	if filter.After != "" {
		where += " AND (time, id) < (SELECT time, id FROM agent WHERE kind = ? AND uid = ?)"
		args = append(args, kindHandoff, filter.After)
	}
	where += " ORDER BY time DESC, id DESC"
	if filter.Limit > 0 {
		where += " LIMIT " + strconv.Itoa(filter.Limit)
	}
	rows, err := s.rows(ctx, where, args...)
	if err != nil {
		return nil, err
	}
	handoffs := make([]ledger.AgentHandoff, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal([]byte(row.body), &handoffs[i]); err != nil {
			return nil, fmt.Errorf("read handoff %s: %w", row.uid, err)
		}
		handoffs[i].Archived = row.archived
	}
	return handoffs, nil
}

// ArchiveHandoffs marks handoffs made before a time as archived, and removes of
// each agent all but the newest keep; 0 keeps all.
func (s *Store) ArchiveHandoffs(ctx context.Context, before time.Time, keep int) error {
	return s.file.InTx(ctx, "archive handoffs", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE agent SET archived = 1 WHERE kind IN (?, ?) AND NOT archived AND time < ?",
			kindHandoff, kindLearning, db.Milliseconds(before))
		if err != nil || keep <= 0 {
			return err
		}
		var old []string
		err = db.Each(ctx, tx, func(rows *sql.Rows) error {
			var uid string
			err := rows.Scan(&uid)
			old = append(old, uid)
			return err
		}, `SELECT uid FROM (SELECT uid, ROW_NUMBER() OVER (PARTITION BY project, name ORDER BY time DESC, id DESC) AS n
			FROM agent WHERE kind = ?) WHERE n > ?`, kindHandoff, keep)
		if err != nil {
			return err
		}
		for _, uid := range old {
			if err := remove(ctx, tx, "uid = ? OR uid LIKE ?", uid, uid+"#%"); err != nil {
				return err
			}
		}
		return nil
	})
}

// NamedAgents lists agents by project and name.
func (s *Store) NamedAgents(ctx context.Context) ([]ledger.NamedAgent, error) {
	var agents []ledger.NamedAgent
	err := db.Each(ctx, s.file.Reader(), func(rows *sql.Rows) error {
		var agent ledger.NamedAgent
		err := rows.Scan(&agent.Project, &agent.Name)
		agents = append(agents, agent)
		return err
	}, "SELECT DISTINCT project, name FROM agent ORDER BY project, name")
	if err != nil {
		return nil, fmt.Errorf("list agents: %w", db.Damaged(err))
	}
	return agents, nil
}

// ClearAgent removes all of an agent of a project.
func (s *Store) ClearAgent(ctx context.Context, project, agent string) error {
	return s.file.InTx(ctx, "clear "+agent, func(tx *sql.Tx) error {
		return remove(ctx, tx, "project = ? AND name = ?", project, agent)
	})
}

// rows reads the rows that meet a condition.
func (s *Store) rows(ctx context.Context, where string, args ...any) ([]record, error) {
	list, err := read(ctx, s.file.Reader(), where, args...)
	if err != nil {
		return nil, fmt.Errorf("read what agents left: %w", db.Damaged(err))
	}
	return list, nil
}

// read reads the rows that meet a condition, and returns those before an error
// with it.
func read(ctx context.Context, from db.Querier, where string, args ...any) (list []record, err error) {
	err = db.Each(ctx, from, func(rows *sql.Rows) error {
		var row record
		if err := row.scan(rows); err != nil {
			return err
		}
		list = append(list, row)
		return nil
	}, "SELECT "+columns+" FROM agent WHERE "+where, args...)
	return list, err
}

// put stores a row and its index entry in place of the one that is
// there.
func (s *Store) put(ctx context.Context, tx *sql.Tx, row record) error {
	row.body = scrubJSON(row.body, s.scrub)
	err := remove(ctx, tx, "project = ? AND name = ? AND kind = ? AND uid = ?", row.project, row.name, row.kind, row.uid)
	if err != nil {
		return err
	}
	result, err := tx.ExecContext(ctx, "INSERT INTO agent (project, name, kind, uid, time, archived, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		row.project, row.name, row.kind, row.uid, row.time, row.archived, row.body, db.Sum(row.name, row.kind, row.uid, row.body))
	if err != nil {
		return err
	}
	if row.id, err = result.LastInsertId(); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO agent_search (rowid, terms) VALUES (?, ?)", row.id, row.terms())
	return err
}

// remove removes rows, and their words from the index, which deletes
// by text.
func remove(ctx context.Context, tx *sql.Tx, where string, args ...any) error {
	gone, err := read(ctx, tx, where, args...)
	if err != nil {
		return err
	}
	for _, row := range gone {
		_, err := tx.ExecContext(ctx, "INSERT INTO agent_search (agent_search, rowid, terms) VALUES ('delete', ?, ?)", row.id, row.terms())
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM agent WHERE id = ?", row.id); err != nil {
			return err
		}
	}
	return nil
}
