package cli

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// Where there is no terminal a long work says in a line how far it is: not at
// once, for most work is short, and not often.
const (
	firstLine = 3 * time.Second
	lineEvery = 10 * time.Second
)

// Progress tells a person how far a work is: a bar on a terminal, plain lines
// elsewhere, nothing beside JSON.
func (a *App) Progress(doing, things string) view.Progress {
	switch {
	case a.JSON:
		return nil
	case term.IsTerminal(int(os.Stderr.Fd())):
		return a.bar(doing)
	}
	return a.lines(doing, things, time.Now)
}

func (a *App) bar(doing string) view.Progress {
	var bar *progressbar.ProgressBar
	return func(done, total int, _ string) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(a.rawErr), progressbar.OptionSetDescription(doing),
				progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
		}
		_ = bar.Set(done)
	}
}

func (a *App) lines(doing, things string, now func() time.Time) view.Progress {
	next := now().Add(firstLine)
	return func(done, total int, _ string) {
		if at := now(); !at.Before(next) {
			next = at.Add(lineEvery)
			a.Note("carryover: %s: %d of %d %s", doing, done, total, things)
		}
	}
}
