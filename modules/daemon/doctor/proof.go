package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/daemon/speccheck"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// manyRestores is how far back the last handoff of a tool is looked for.
const manyRestores = 500

// restoreChecks say of each tool when a session of it was given something last,
// and whether it arrived: a reader knows our own text when it meets it.
func restoreChecks(ctx context.Context, p checkContext, log ledger.Store) []Check {
	restores, err := log.Restores(ctx, ledger.SessionKey{}, manyRestores)
	if err != nil {
		return []Check{{"restored", Error, err.Error(), "run `carryover daemon restart`"}}
	}
	var checks []Check
	checked := map[string]bool{}
	for _, given := range restores { // newest first
		if tool := given.Session.Tool; given.Decision != restore.Nothing && !checked[tool] {
			checked[tool] = true
			checks = append(checks, restoreCheck(ctx, p, log, given))
		}
	}
	return checks
}

func restoreCheck(ctx context.Context, p checkContext, log ledger.Store, given ledger.Restore) Check {
	name := given.Session.Tool + "-restored"
	what := fmt.Sprintf("%s delivered to session %s at %s, %s ago", given.Decision, render.ShortID(given.Session.ID), given.Event, display.Duration(time.Since(given.Time)))
	switch seen, later, err := arrived(ctx, log, given); {
	case err != nil:
		return Check{name, Error, err.Error(), "run `carryover daemon restart`"}
	case seen:
		return ok(name, "%s; seen in the transcript: yes", what)
	case unrecorded(p, given):
		return ok(name, "%s; this agent's transcripts do not always hold it", what)
	case later:
		return Check{name, Warning, what + "; seen in the transcript: no", "ask the session about its handoff, or run `carryover toolspecs check` to see which hooks fire"}
	}
	return Check{name, Info, what + "; seen in the transcript: no, nothing was written since", ""}
}

// unrecorded says that what was given there need not stand in a transcript of the tool.
func unrecorded(p checkContext, given ledger.Restore) bool {
	spec, err := p.table.Lookup(given.Session.Tool)
	if err != nil {
		return false
	}
	hook, known := spec.Hook(given.Event)
	return known && hook.Unrecorded
}

// arrived says whether our text stands in the session's transcript, and whether
// anything was written there after it was given.
func arrived(ctx context.Context, log ledger.Store, given ledger.Restore) (seen, later bool, err error) {
	for event, err := range log.Events(ctx, given.Session) {
		if err != nil {
			return false, false, err
		}
		// The tool's record may be older by a moment: it starts the hook first.
		after := event.Time.IsZero() || event.Time.After(given.Time.Add(-time.Minute))
		seen = seen || after && event.Kind == transcript.Restored
		later = later || after && event.Kind == transcript.Reply
	}
	return seen, later, nil
}

// firedChecks hold the hooks that came against what the transcripts prove.
func hookStatsChecks(ctx context.Context, p checkContext, log ledger.Store) []Check {
	tools, err := speccheck.LookAtHooks(ctx, p.home, p.table, log)
	if err != nil {
		return []Check{{"hooks-fired", Error, err.Error(), ""}}
	}
	var checks []Check
	for _, tool := range tools {
		if len(tool.Hooks) > 0 {
			checks = append(checks, hookStatsCheck(tool))
		}
	}
	return append(checks, driftChecks(ctx, p, log)...)
}

// driftChecks name the kinds of events that the newest version of a tool no longer gives.
func driftChecks(ctx context.Context, p checkContext, log ledger.Store) []Check {
	vanished, err := speccheck.Vanished(ctx, p.table, log)
	if err != nil {
		return []Check{{"drift", Error, err.Error(), ""}}
	}
	var checks []Check
	for _, tool := range slices.Sorted(maps.Keys(vanished)) {
		for _, gone := range vanished[tool] {
			checks = append(checks, Check{tool + "-drift", Warning, "no longer in its transcripts: " + gone, "upgrade carryover to a newer tool table"})
		}
	}
	return checks
}

func hookStatsCheck(tool speccheck.Tool) Check {
	name := tool.Spec.Tool + "-fired"
	byVerdict := map[string][]string{}
	for _, hook := range tool.Hooks {
		byVerdict[hook.Verdict()] = append(byVerdict[hook.Verdict()], hook.Event)
	}
	var parts []string
	for _, part := range []struct{ verdict, text string }{
		{speccheck.Fires, "fire: "},
		{speccheck.Silent, "should have fired and did not: "},
		{speccheck.Stopped, "stopped firing: "},
		{speccheck.Unproven, "had no occasion to fire: "},
	} {
		if events := byVerdict[part.verdict]; len(events) > 0 {
			parts = append(parts, part.text+strings.Join(events, " "))
		}
	}
	message := strings.Join(parts, "; ")
	switch {
	case len(byVerdict[speccheck.Silent])+len(byVerdict[speccheck.Stopped]) > 0:
		return Check{name, Warning, message, trustHint(tool) + "run `carryover toolspecs check`; transcripts are still read"}
	case len(byVerdict[speccheck.Fires]) == 0:
		return Check{name, Info, message, ""}
	}
	return ok(name, "%s", message)
}

func trustHint(tool speccheck.Tool) string {
	for _, versions := range tool.Spec.Versions {
		if versions.Trust.Needed {
			return versions.Trust.How + "; "
		}
	}
	return ""
}
