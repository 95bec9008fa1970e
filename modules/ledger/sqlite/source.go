package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// openSource finds the source of the batch, or makes it.
func (a *appending) openSource(ctx context.Context) (err error) {
	if a.tool, err = a.toolID(a.batch.Source.Tool); err != nil {
		return err
	}
	a.source, a.unread, err = sourceOf(a.rows, a.tool, a.batch.Source.Path)
	if err == nil && a.unread {
		a.source.ID, err = a.nextID(ctx, "source")
	}
	return err
}

// saveSource moves the position. It never goes back but for a re-read: a batch
// that is appended again must change nothing.
func (a *appending) saveSource(context.Context) error {
	position := a.batch.Source.Position.Offset
	moved := a.batch.Replace || position > a.source.Offset
	if moved {
		if err := a.source.addCoverage(a.batch.Coverage); err != nil {
			return err
		}
	}
	if moved || position == a.source.Offset {
		a.source.take(a.batch.Source)
		scrubSource(&a.source, a.batch.Source.Tool, a.log.forgot)
	}
	a.source.Hook = a.batch.Hook
	for _, at := range a.occurrences {
		a.source.Prompted = a.source.Prompted || at.event.kind == transcript.Prompt
	}
	if a.unread {
		return a.rows.Create(&a.source).Error
	}
	return a.rows.Save(&a.source).Error
}

// scrubSource keeps what was forgotten out of what a reader remembers. Of a
// session that was forgotten it remembers nothing.
func scrubSource(source *sourceRow, tool string, forgot *tombstone.Tombstones) {
	if forgot.Session(tool, source.Main) {
		source.State, source.Coverage = "", ""
	}
	if forgot.Texts() {
		source.State, source.Parked = redact.Strings(source.State, forgot.Scrub), forgot.Scrub(source.Parked)
	}
}

// sourceOf finds a source, or begins a new one, which is not stored yet.
func sourceOf(rows *gorm.DB, tool int64, path string) (row sourceRow, isNew bool, err error) {
	err = rows.Where("tool = ? AND path = ?", tool, path).Take(&row).Error
	if isNew = errors.Is(err, gorm.ErrRecordNotFound); isNew {
		return sourceRow{Tool: tool, Path: path}, true, nil
	}
	return row, false, err
}

// toolID finds the number of a tool, or gives it one.
func toolID(rows *gorm.DB, name string) (int64, error) {
	row := toolRow{Name: name}
	err := rows.Where("name = ?", name).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		row = toolRow{Name: name}
		err = rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
	}
	return row.ID, err
}

// Source returns what is known of a source.
func (l *Store) Source(ctx context.Context, tool, path string) (ledger.Source, bool, error) {
	found, err := l.sources(ctx, "t.name = ? AND s.path = ?", tool, path)
	if err != nil || len(found) == 0 {
		return ledger.Source{}, false, err
	}
	return found[0], true, nil
}

// Sources lists every source of a tool, or of all, by tool and path.
func (l *Store) Sources(ctx context.Context, tool string) ([]ledger.Source, error) {
	return l.sources(ctx, "? IN ('', t.name)", tool)
}

func (l *Store) sources(ctx context.Context, where string, args ...any) ([]ledger.Source, error) {
	var rows []struct {
		Row      sourceRow `gorm:"embedded"`
		ToolName string
	}
	err := l.file.Rows(ctx).Raw(`SELECT s.*, t.name AS tool_name FROM source s JOIN tool t ON t.id = s.tool
		WHERE NOT s.hook AND `+where+` ORDER BY t.name, s.path`, args...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list sources: %w", db.Damaged(err))
	}
	sources := make([]ledger.Source, len(rows))
	for i := range rows {
		sources[i] = rows[i].Row.source(rows[i].ToolName)
	}
	return sources, nil
}

// Park marks a source that cannot be read.
func (l *Store) Park(ctx context.Context, tool, path, reason string) error {
	return l.file.InTx(ctx, "park "+path, func(tx *sql.Tx) error {
		rows := l.file.RowsIn(ctx, tx)
		id, err := toolID(rows, tool)
		if err != nil {
			return err
		}
		row, isNew, err := sourceOf(rows, id, path)
		if err != nil {
			return err
		}
		if row.Parked = l.forgot.Scrub(redact.Text(reason)); isNew {
			return rows.Create(&row).Error
		}
		return rows.Model(&row).Update("parked", row.Parked).Error
	})
}
