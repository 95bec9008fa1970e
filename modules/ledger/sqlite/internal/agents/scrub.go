package agents

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/carryover-go/carryover/modules/ledger"
)

// Remove removes all of some agents, and returns how many records it were.
func Remove(ctx context.Context, tx *sql.Tx, agents []ledger.NamedAgent) (removed int, err error) {
	for _, agent := range agents {
		rows, err := read(ctx, tx, "project = ? AND name = ?", agent.Project, agent.Name)
		if err != nil {
			return removed, err
		}
		removed += len(rows)
		if err := remove(ctx, tx, "project = ? AND name = ?", agent.Project, agent.Name); err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// RewriteAll makes other bodies of the bodies of all rows, and returns how many
// changed.
func RewriteAll(ctx context.Context, s *Store, tx *sql.Tx, of func(body string) string) (changed int, err error) {
	rows, err := read(ctx, tx, "TRUE")
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		body := of(row.body)
		if body == row.body {
			continue
		}
		row.body = body
		if err := s.put(ctx, tx, row); err != nil {
			return changed, err
		}
		changed++
	}
	return changed, nil
}

// Salvaged is a row of a ledger that was set aside.
type Salvaged struct {
	Project, Name, Kind, UID, Body string
	Time                           int64
	Archived                       bool
}

// Salvage stores rows of a ledger that was set aside, but those of which there is
// a newer one, and returns how many they were.
func Salvage(ctx context.Context, s *Store, rows []Salvaged) (stored int, err error) {
	err = s.file.InTx(ctx, "salvage what agents left", func(tx *sql.Tx) error {
		for _, row := range rows {
			known, err := read(ctx, tx, "project = ? AND name = ? AND kind = ? AND uid = ? AND time >= ?", row.Project, row.Name, row.Kind, row.UID, row.Time)
			if err != nil {
				return err
			}
			if len(known) > 0 {
				continue
			}
			stored++
			err = s.put(ctx, tx, record{
				project: row.Project, name: row.Name, kind: row.Kind, uid: row.UID, time: row.Time, archived: row.Archived, body: row.Body,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return stored, err
}

// scrubJSON scrubs every string of a JSON text; a text that is none is
// scrubbed as it stands.
func scrubJSON(body string, scrub func(string) string) string {
	var value any
	if json.Unmarshal([]byte(body), &value) != nil {
		return scrub(body)
	}
	changed := false
	clean, err := json.Marshal(eachString(value, func(s string) string {
		out := scrub(s)
		changed = changed || out != s
		return out
	}))
	if err != nil || !changed {
		return body
	}
	return string(clean)
}

func eachString(value any, of func(string) string) any {
	switch v := value.(type) {
	case string:
		return of(v)
	case []any:
		for i := range v {
			v[i] = eachString(v[i], of)
		}
	case map[string]any:
		for name := range v {
			v[name] = eachString(v[name], of)
		}
	}
	return value
}
