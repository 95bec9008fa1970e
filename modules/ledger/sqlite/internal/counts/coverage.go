// Package counts says how much a ledger holds: its size, what was read of the
// sources, and the digest of all events.
package counts

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Reader counts what is in a ledger. It is safe for concurrent use.
type Reader struct {
	file *db.File
	pool *sql.DB
}

// NewReader counts over the reading connections of a file.
func NewReader(file *db.File) *Reader { return &Reader{file, file.Reader()} }

// Coverage adds up, per tool, what became of the records of its sources. It
// reads one row of each source, and no event.
func (r *Reader) Coverage(ctx context.Context) ([]ledger.ToolCoverage, error) {
	var tools []ledger.ToolCoverage
	err := db.Each(ctx, r.pool, func(rows *sql.Rows) error {
		var tool ledger.ToolCoverage
		err := rows.Scan(&tool.Tool)
		tools = append(tools, tool)
		return err
	}, "SELECT name FROM tool t WHERE EXISTS (SELECT 1 FROM source s WHERE s.tool = t.id AND NOT s.hook) ORDER BY name")
	for i := range tools {
		for _, add := range []func(context.Context, *ledger.ToolCoverage) error{r.addCoverage, r.addUnprompted, r.addParked} {
			if err == nil {
				err = add(ctx, &tools[i])
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", db.Damaged(err))
	}
	return tools, nil
}

// addCoverage adds up the sources of a tool. Small transcripts have few
// different coverages: each text is decoded once.
func (r *Reader) addCoverage(ctx context.Context, total *ledger.ToolCoverage) error {
	times := map[string]int{}
	err := db.Each(ctx, r.pool, func(rows *sql.Rows) error {
		var offset int64
		var text sql.RawBytes
		err := rows.Scan(&offset, &text)
		times[string(text)]++
		total.Sources++
		total.Bytes += offset
		return err
	}, "SELECT offset, coverage FROM source WHERE tool = (SELECT id FROM tool WHERE name = ?) AND NOT hook", total.Tool)
	for text, n := range times {
		coverage, decodeErr := decode(total.Tool, text)
		if err == nil {
			err = decodeErr
		}
		for range n {
			total.Coverage.Add(coverage)
		}
	}
	return err
}

// addUnprompted names the sources of a tool in which no prompt was found, nor in
// another source of their session: some tools keep a session in many files. A ledger that was not opened by a writer of this version does not know them.
func (r *Reader) addUnprompted(ctx context.Context, total *ledger.ToolCoverage) error {
	if !r.file.Current() {
		return nil
	}
	return db.Each(ctx, r.pool, func(rows *sql.Rows) error {
		var path, text string
		var openings int64
		if err := rows.Scan(&path, &text, &openings); err != nil {
			return err
		}
		coverage, err := decode(path, text)
		if coverage.Read > openings {
			total.NoPrompt = append(total.NoPrompt, path)
		}
		return err
	}, "SELECT path, coverage, openings FROM source "+r.file.IndexedBy("source_unprompted")+`
		WHERE NOT prompted AND NOT hook AND NOT subagent AND tool = (SELECT id FROM tool WHERE name = ?)
		AND (main = '' OR main NOT IN (SELECT main FROM source WHERE prompted AND tool = (SELECT id FROM tool WHERE name = ?)))
		ORDER BY path`, total.Tool, total.Tool)
}

// addParked names the sources of a tool that could not be read.
func (r *Reader) addParked(ctx context.Context, total *ledger.ToolCoverage) error {
	return db.Each(ctx, r.pool, func(rows *sql.Rows) error {
		var parked ledger.ParkedSource
		err := rows.Scan(&parked.Path, &parked.Reason)
		total.Parked = append(total.Parked, parked)
		return err
	}, "SELECT path, parked FROM source "+r.file.IndexedBy("source_parked")+`
		WHERE parked <> '' AND NOT hook AND tool = (SELECT id FROM tool WHERE name = ?) ORDER BY path`, total.Tool)
}

// decode reads the coverage of a source; "" has none.
func decode(path, text string) (coverage transcript.Coverage, err error) {
	if text == "" {
		return coverage, nil
	}
	if err := json.Unmarshal([]byte(text), &coverage); err != nil {
		return coverage, fmt.Errorf("coverage of %s: %w", path, err)
	}
	return coverage, nil
}
