package look

import (
	"fmt"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/effect"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// shownDays is how many lines of tokens are printed; --json has them all.
const shownDays = 20

// printEffects prints each comparison: median and quartiles on both sides.
func printEffects(a *cli.App, effects view.Effects) {
	if len(effects.Items) == 0 {
		a.Print("no sessions to compare yet: %d with a handoff and %d without one are needed, each after earlier work in its project", effect.TooFew, effect.TooFew)
	} else {
		a.Print("median (quartiles) of sessions with a handoff | without one, where there was work before")
	}
	shown := 0
	for _, e := range effects.Items {
		if e.TooFew && e.By != "all" {
			continue
		}
		shown++
		name := e.By
		if e.Name != "" {
			name += " " + cli.HomePath(e.Name)
		}
		a.Print("\n%s: n = %d | %d", name, e.With.Sessions, e.Without.Sessions)
		if e.TooFew {
			a.Print("  too few sessions: %d on each side are needed", effect.TooFew)
			continue
		}
		for _, row := range []struct {
			what          string
			with, without view.Spread
		}{
			{"calls before the first edit", e.With.Calls, e.Without.Calls},
			{"minutes before the first edit", e.With.Minutes, e.Without.Minutes},
			{"failures repeated", e.With.Repeated, e.Without.Repeated},
			{"files read again", e.With.ReadAgain, e.Without.ReadAgain},
		} {
			a.Print("  %-30s %16s | %s", row.what, spreadText(row.with), spreadText(row.without))
		}
		a.Print("  %-30s %s, about %d tokens", "given", cli.Size(int64(e.Bytes)), e.Tokens)
	}
	if rest := len(effects.Items) - shown; rest > 0 {
		a.Print("\n%s with too few sessions left out", cli.Count(rest, "group"))
	}
	if len(effects.Tokens) > 0 {
		a.Print("\ntokens of context sent, by day")
	}
	for _, line := range effects.Tokens[:min(shownDays, len(effects.Tokens))] {
		a.Print("  %s  %-12s %-24s %12d in %s", line.Day, line.Tool, line.Model, line.Tokens, cli.Count(line.Replies, "reply record"))
	}
}

func spreadText(s view.Spread) string {
	return fmt.Sprintf("%.1f (%.1f to %.1f)", s.Median, s.Low, s.High)
}
