package doctor

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// soonDeleted is how far ahead transcripts that their tool will delete are named.
const soonDeleted = 7 * 24 * time.Hour

// behind is how much younger than what was read of it a transcript may be before
// capture counts as stopped.
const behind = 10 * time.Minute

// keptChecks say of each tool which sessions it will delete soon and whether they are
// kept, and whether it writes what can be read.
func keptChecks(ctx context.Context, p checkContext, store ledger.Store) []Check {
	kept, err := store.Originals(ctx, ledger.SessionKey{})
	if err != nil {
		return []Check{{"kept", Error, err.Error(), "run `carryover daemon restart`"}}
	}
	length := map[[2]string]int64{}
	for _, one := range kept {
		length[[2]string{one.Session.Tool, one.Path}] = one.Length
	}
	var checks []Check
	for _, spec := range p.table.All() {
		sources, err := store.Sources(ctx, spec.Tool)
		if err != nil {
			return []Check{{"kept", Error, err.Error(), "run `carryover daemon restart`"}}
		}
		if len(sources) == 0 {
			continue
		}
		checks = append(checks, behindCheck(spec, sources)...)
		if spec.Rescue != nil && spec.Rescue.Cleanup != nil {
			checks = append(checks, deletedSoon(spec, sources, length)...)
		}
	}
	return checks
}

// behindCheck looks for a transcript that was written after it was read.
func behindCheck(spec *toolspecs.Spec, sources []ledger.Source) []Check {
	for _, source := range sources {
		info, err := os.Stat(source.Path)
		if err != nil || source.Parked != "" || source.Size < 0 {
			continue
		}
		if late := info.ModTime().Sub(source.ModTime); late > behind && info.Size() > source.Size && time.Since(info.ModTime()) > behind {
			return []Check{{
				spec.Tool + "-capture", Warning, fmt.Sprintf("%s was written %s ago and not read since %s ago", source.Path, display.Duration(time.Since(info.ModTime())), display.Duration(time.Since(source.ModTime))),
				"run `carryover daemon restart`",
			}}
		}
	}
	return nil
}

// deletedSoon counts the sessions that a tool will delete by itself.
func deletedSoon(spec *toolspecs.Spec, sources []ledger.Source, length map[[2]string]int64) []Check {
	name := spec.Tool + "-kept"
	days := cleanupDays(spec)
	if days == 0 {
		return []Check{{name, Warning, fmt.Sprintf("%s keeps no transcripts: %s is 0", spec.Name, spec.Rescue.Cleanup.Key), "set " + spec.Rescue.Cleanup.Key + " to a number of days, or nothing can be handed over"}}
	}
	leaving, without := 0, 0
	for _, source := range sources {
		info, err := os.Stat(source.Path)
		if err != nil || source.Subagent {
			continue
		}
		if left := time.Until(info.ModTime().AddDate(0, 0, days)); left > soonDeleted {
			continue
		}
		leaving++
		if length[[2]string{spec.Tool, source.Path}] < source.Position.Offset {
			without++
		}
	}
	switch {
	case leaving == 0:
		return nil
	case without == 0:
		return []Check{ok(name, "%s of %s will be deleted in %s; all are kept: `carryover rescue` gives one back", counted(leaving, "session"), spec.Name, display.Duration(soonDeleted))}
	}
	return []Check{{name, Warning, fmt.Sprintf("%s of %s will be deleted in %s; %d are not kept", counted(leaving, "session"), spec.Name, display.Duration(soonDeleted), without), "run `carryover daemon start`, or `carryover import`"}}
}

// cleanupDays is after how many days a tool deletes a session, by its settings.
func cleanupDays(spec *toolspecs.Spec) int {
	said := wiring.SettingOf(spec, spec.Rescue.Cleanup.Key)
	if days, err := strconv.Atoi(strings.TrimSuffix(said, "d")); err == nil {
		return days
	}
	return spec.Rescue.Cleanup.Days
}
