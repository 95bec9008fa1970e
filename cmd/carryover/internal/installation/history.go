package installation

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// readHistory ends an install: the daemon reads what the agents wrote before, and
// what was found is said with the next steps. What fails here fails no install.
func readHistory(ctx context.Context, a *cli.App) {
	service, err := a.Holder(ctx)
	if err != nil {
		return
	}
	if _, err := service.Import(ctx, view.ImportRequest{}, a.Progress("reading your sessions", "files")); err != nil {
		if ctx.Err() != nil {
			a.Note("the daemon goes on reading your sessions; `carryover` shows how far it is")
		}
		return
	}
	stats, err := service.Stats(ctx)
	if err != nil || stats.Sessions == 0 {
		a.Print("No sessions yet: start one of your agents in a project, and the next one continues it.")
		return
	}
	a.Print("\nFound %s in %s, %s", cli.Count(stats.Sessions, "session"), cli.Count(len(stats.Projects), "project"), since(stats))
	a.Print("Next:")
	if document, err := service.Handoff(ctx, view.HandoffRequest{Last: true}); err == nil && document.Facts.Task != nil {
		suggest(a, document)
	}
	a.Print("  carryover dashboard")
}

// suggest names the newest work, and a search of the user's own words.
func suggest(a *cli.App, newest render.Document) {
	task := cli.OneLine(newest.Facts.Task.Text, 70)
	choices, _ := config.Load(a.Home) // what is wrong with it was said before
	if at, err := time.Parse(time.RFC3339, newest.Updated); err == nil && time.Since(at) < choices.StaleAfter {
		a.Print("  open any agent in %s: it knows of \"%s\"", cli.HomePath(newest.Project), task)
	} else {
		a.Print("  carryover handoff --last    your newest work, %s old: \"%s\"", cli.Since(newest.Updated), task)
	}
	if word := longest(newest.Facts.Task.Text); word != "" {
		a.Print("  carryover search %s", word)
	}
}

// since says from when on there are sessions.
func since(stats view.Stats) string {
	first := ""
	for _, tool := range stats.Tools {
		if tool.First != "" && (first == "" || tool.First < first) {
			first = tool.First
		}
	}
	if first == "" {
		return "of unknown time"
	}
	return "since " + first[:10]
}

// longest is the longest plain word of a text, to be searched for.
func longest(text string) string {
	best := ""
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 0x80 }) {
		if n := utf8.RuneCountInString(word); n > utf8.RuneCountInString(best) && n <= 24 {
			best = word
		}
	}
	return best
}
