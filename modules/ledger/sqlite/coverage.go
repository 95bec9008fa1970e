package sqlite

import (
	"context"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Coverage adds up, per tool, what became of the records of its sources.
func (l *Store) Coverage(ctx context.Context) ([]ledger.ToolCoverage, error) {
	var rows []struct {
		Row      sourceRow `gorm:"embedded"`
		ToolName string
		Openings int64 // -1 where there is a prompt
	}
	err := l.file.Rows(ctx).Raw(`SELECT s.path, s.offset, s.coverage, s.subagent, t.name AS tool_name,
			CASE WHEN EXISTS (SELECT 1 FROM occurrence o JOIN event e ON e.key = o.event WHERE o.source = s.id AND e.kind = ?) THEN -1
			ELSE (SELECT count(*) FROM occurrence o JOIN event e ON e.key = o.event WHERE o.source = s.id AND e.kind = ?) END AS openings
		FROM source s JOIN tool t ON t.id = s.tool WHERE NOT s.hook ORDER BY t.name, s.path`, transcript.Prompt, transcript.Session).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", db.Damaged(err))
	}
	var tools []ledger.ToolCoverage
	for i := range rows {
		row := &rows[i]
		if len(tools) == 0 || tools[len(tools)-1].Tool != row.ToolName {
			tools = append(tools, ledger.ToolCoverage{Tool: row.ToolName})
		}
		total := &tools[len(tools)-1]
		coverage, err := row.Row.coverage()
		if err != nil {
			return nil, err
		}
		total.Sources++
		total.Bytes += row.Row.Offset
		total.Coverage.Add(coverage)
		if row.Openings >= 0 && !row.Row.Subagent && coverage.Read > row.Openings {
			total.NoPrompt = append(total.NoPrompt, row.Row.Path)
		}
	}
	return tools, nil
}
