package setup

import (
	"context"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// Refresh makes what is wired follow the choices and the installed versions:
// the chosen tools are wired as an install would, what an earlier version had
// elsewhere is moved, and the entries of all other tools are removed. A second
// run changes nothing.
func Refresh(ctx context.Context, table *toolspecs.Table, options Options) ([]Outcome, error) {
	record, err := prepare(options)
	if err != nil {
		return nil, err
	}
	record.Unchoose()
	wired := wireAll(ctx, options, &record)
	outcomes := slices.Concat(wired, leave(table, options, &record, wired))
	if options.DryRun {
		return outcomes, nil
	}
	if err := record.Write(options.Home); err != nil {
		return outcomes, err
	}
	return outcomes, options.remember(options.names())
}

// leave takes our entries out of the files of tools that were not chosen, and
// out of those that a chosen tool was wired in before and is no more.
func leave(table *toolspecs.Table, options Options, record *wiring.Record, wired []Outcome) []Outcome {
	var left []Outcome
	for _, file := range slices.Clone(record.Files) {
		keep := slices.ContainsFunc(wired, func(o Outcome) bool {
			return o.Path == file.Path || o.Err != nil && slices.Contains(file.Serves(), o.Tool)
		})
		if !keep {
			left = append(left, unwire(table, options.Home, record, file, options.DryRun))
		}
	}
	return left
}
