package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// The kinds of rows in the table agent.
const (
	agentLedger   = "ledger"
	agentHandoff  = "handoff"
	agentLearning = "learning"
)

// agentRow is a row of the table agent.
type agentRow struct {
	id       int64
	project  string
	name     string
	kind     string
	uid      string
	time     int64
	archived bool
	body     string
}

const agentColumns = "id, project, name, kind, uid, time, archived, body"

func (r *agentRow) scan(rows *sql.Rows) error {
	return rows.Scan(&r.id, &r.project, &r.name, &r.kind, &r.uid, &r.time, &r.archived, &r.body)
}

// AgentLedger returns the ledger of an agent of a project.
func (l *Store) AgentLedger(ctx context.Context, project, agent string) (ledger.AgentLedger, bool, error) {
	var of ledger.AgentLedger
	rows, err := l.agentRows(ctx, "kind = ? AND project = ? AND name = ?", agentLedger, project, agent)
	if err != nil || len(rows) == 0 {
		return of, false, err
	}
	if err := json.Unmarshal([]byte(rows[0].body), &of); err != nil {
		return of, false, fmt.Errorf("read ledger of %s: %w", agent, err)
	}
	return of, true, nil
}

// PutAgentLedger replaces the ledger of an agent.
func (l *Store) PutAgentLedger(ctx context.Context, project string, of ledger.AgentLedger) error {
	body, err := json.Marshal(of.Redacted())
	if err != nil {
		return fmt.Errorf("encode ledger of %s: %w", of.AgentName, err)
	}
	return l.changeAgents(ctx, "keep ledger of "+of.AgentName, func(tx *sql.Tx) error {
		return l.putAgentRow(ctx, tx, agentRow{
			project: project, name: of.AgentName, kind: agentLedger, time: milliseconds(of.UpdatedAt), body: string(body),
		})
	})
}

// PutHandoff adds a handoff with its learnings, or replaces the one with its
// id.
func (l *Store) PutHandoff(ctx context.Context, project string, handoff ledger.AgentHandoff) error {
	handoff = handoff.Redacted()
	body, err := json.Marshal(handoff)
	if err != nil {
		return fmt.Errorf("encode handoff of %s: %w", handoff.AgentName, err)
	}
	return l.changeAgents(ctx, "keep handoff of "+handoff.AgentName, func(tx *sql.Tx) error {
		if err := removeAgentRows(ctx, tx, "uid = ? OR uid LIKE ?", handoff.ID, handoff.ID+"#%"); err != nil {
			return err
		}
		row := agentRow{
			project: project, name: handoff.AgentName, kind: agentHandoff, uid: handoff.ID,
			time: milliseconds(handoff.CreatedAt), archived: handoff.Archived, body: string(body),
		}
		if err := l.putAgentRow(ctx, tx, row); err != nil {
			return err
		}
		for i, learning := range handoff.Learnings {
			row.kind, row.uid, row.body = agentLearning, handoff.ID+"#"+strconv.Itoa(i), learning
			if err := l.putAgentRow(ctx, tx, row); err != nil {
				return err
			}
		}
		return nil
	})
}

// Handoffs lists handoffs, newest first.
func (l *Store) Handoffs(ctx context.Context, filter ledger.HandoffFilter) ([]ledger.AgentHandoff, error) {
	where, args := "kind = ?", []any{agentHandoff}
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
		args = append(args, agentHandoff, filter.After)
	}
	where += " ORDER BY time DESC, id DESC"
	if filter.Limit > 0 {
		where += " LIMIT " + strconv.Itoa(filter.Limit)
	}
	rows, err := l.agentRows(ctx, where, args...)
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
func (l *Store) ArchiveHandoffs(ctx context.Context, before time.Time, keep int) error {
	return l.changeAgents(ctx, "archive handoffs", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE agent SET archived = 1 WHERE kind IN (?, ?) AND NOT archived AND time < ?",
			agentHandoff, agentLearning, milliseconds(before))
		if err != nil || keep <= 0 {
			return err
		}
		var old []string
		err = each(ctx, tx, func(rows *sql.Rows) error {
			var uid string
			err := rows.Scan(&uid)
			old = append(old, uid)
			return err
		}, `SELECT uid FROM (SELECT uid, ROW_NUMBER() OVER (PARTITION BY project, name ORDER BY time DESC, id DESC) AS n
			FROM agent WHERE kind = ?) WHERE n > ?`, agentHandoff, keep)
		if err != nil {
			return err
		}
		for _, uid := range old {
			if err := removeAgentRows(ctx, tx, "uid = ? OR uid LIKE ?", uid, uid+"#%"); err != nil {
				return err
			}
		}
		return nil
	})
}

// NamedAgents lists agents by project and name.
func (l *Store) NamedAgents(ctx context.Context) ([]ledger.NamedAgent, error) {
	pool, err := l.read.DB()
	if err != nil {
		return nil, err
	}
	var agents []ledger.NamedAgent
	err = each(ctx, pool, func(rows *sql.Rows) error {
		var agent ledger.NamedAgent
		err := rows.Scan(&agent.Project, &agent.Name)
		agents = append(agents, agent)
		return err
	}, "SELECT DISTINCT project, name FROM agent ORDER BY project, name")
	if err != nil {
		return nil, fmt.Errorf("list agents: %w", damaged(err))
	}
	return agents, nil
}

// ClearAgent removes all of an agent of a project.
func (l *Store) ClearAgent(ctx context.Context, project, agent string) error {
	return l.changeAgents(ctx, "clear "+agent, func(tx *sql.Tx) error {
		return removeAgentRows(ctx, tx, "project = ? AND name = ?", project, agent)
	})
}

func (l *Store) agentRows(ctx context.Context, where string, args ...any) (list []agentRow, err error) {
	pool, err := l.read.DB()
	if err != nil {
		return nil, err
	}
	err = each(ctx, pool, func(rows *sql.Rows) error {
		var row agentRow
		err := row.scan(rows)
		list = append(list, row)
		return err
	}, "SELECT "+agentColumns+" FROM agent WHERE "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read what agents left: %w", damaged(err))
	}
	return list, nil
}

// changeAgents runs a change in a transaction.
func (l *Store) changeAgents(ctx context.Context, what string, change func(*sql.Tx) error) error {
	if l.write == nil {
		return ledger.ErrReadOnly
	}
	pool, err := l.write.DB()
	if err != nil {
		return err
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", what, damaged(err))
	}
	if err := change(tx); err != nil {
		return fmt.Errorf("%s: %w", what, errors.Join(damaged(err), tx.Rollback()))
	}
	return tx.Commit()
}

// putAgentRow stores a row and its index entry in place of the one that is
// there.
func (l *Store) putAgentRow(ctx context.Context, tx *sql.Tx, row agentRow) error {
	row.body = scrubJSON(row.body, l.forgot.Scrub)
	err := removeAgentRows(ctx, tx, "project = ? AND name = ? AND kind = ? AND uid = ?", row.project, row.name, row.kind, row.uid)
	if err != nil {
		return err
	}
	result, err := tx.ExecContext(ctx, "INSERT INTO agent (project, name, kind, uid, time, archived, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
		row.project, row.name, row.kind, row.uid, row.time, row.archived, row.body)
	if err != nil {
		return err
	}
	if row.id, err = result.LastInsertId(); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO agent_search (rowid, terms) VALUES (?, ?)", row.id, row.terms())
	return err
}

// removeAgentRows removes rows, and their words from the index, which deletes
// by text.
func removeAgentRows(ctx context.Context, tx *sql.Tx, where string, args ...any) error {
	var gone []agentRow
	err := each(ctx, tx, func(rows *sql.Rows) error {
		var row agentRow
		err := row.scan(rows)
		gone = append(gone, row)
		return err
	}, "SELECT "+agentColumns+" FROM agent WHERE "+where, args...)
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
