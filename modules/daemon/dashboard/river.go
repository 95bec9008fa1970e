package dashboard

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/picture"
	"github.com/carryover-go/carryover/modules/daemon/dashboard/words"
	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// How much the pictures of a project show.
const (
	riverSessions = 120
	tableFiles    = 20
)

// river is sessions of a project in the order in which they began.
func (p *Page) river(ctx context.Context, sessions []ledger.Session) (picture.River, error) {
	restores, err := p.Ledger.Restores(ctx, ledger.SessionKey{}, restoresLooked)
	if err != nil {
		return picture.River{}, err
	}
	from := map[ledger.SessionKey][]string{}
	add := func(to ledger.SessionKey, key string) {
		if !slices.Contains(from[to], key) {
			from[to] = append(from[to], key)
		}
	}
	for _, given := range restores {
		if given.Begins() {
			add(given.Session, keyOf(given.From))
		}
	}
	list := make([]picture.Sailed, len(sessions))
	for i, one := range sessions {
		if one.From != "" {
			add(one.SessionKey, keyOf(ledger.SessionKey{Tool: one.Tool, ID: one.From}))
		}
		list[i] = picture.Sailed{
			Key: keyOf(one.SessionKey), Tool: one.Tool, Began: one.First, Events: one.Events, URL: words.SessionURL(one.Tool, one.ID),
			Name: cmp.Or(display.Shorten(80, p.digests.name(ctx, p.Sessions, one, false)), render.ShortID(one.ID)), From: from[one.SessionKey],
		}
	}
	slices.SortStableFunc(list, func(a, b picture.Sailed) int { return a.Began.Compare(b.Began) })
	return picture.RiverOf(list), nil
}

func keyOf(key ledger.SessionKey) string { return key.Tool + " " + key.ID }

// fileTable says which sessions worked on which files.
type fileTable struct {
	Sessions []ledger.Session
	Rows     []fileRow
}

// fileRow is one file; Touched has an entry for each session, empty where it did
// not touch the file.
type fileRow struct {
	Path    string
	Touched []string
	count   int
}

// filesOf lists the files that most of some sessions worked on, below root
// relative to it.
func filesOf(root string, history []past) fileTable {
	var table fileTable
	rows := map[string]*fileRow{}
	var order []*fileRow
	for i, one := range history {
		table.Sessions = append(table.Sessions, one.Session)
		for _, file := range one.Digest.Files {
			name := relative(root, one.Session.Worktree, file.Path)
			row := rows[name]
			if row == nil {
				row = &fileRow{Path: name, Touched: make([]string, len(history))}
				rows[name] = row
				order = append(order, row)
			}
			row.Touched[i] = file.Change
			row.count++
		}
	}
	slices.SortStableFunc(order, func(a, b *fileRow) int { return b.count - a.count })
	for _, row := range order[:min(tableFiles, len(order))] {
		table.Rows = append(table.Rows, *row)
	}
	return table
}

// relative is a path below one of two roots without it: worktrees of a project
// hold the same files.
func relative(root, worktree, path string) string {
	for _, below := range []string{worktree, root} {
		if below == "" {
			continue
		}
		if rest, found := strings.CutPrefix(path, below+string(filepath.Separator)); found {
			return rest
		}
	}
	return path
}

// decided is a decision with what became of it.
type decided struct {
	view.Decision
	Superseded bool // a newer one answers the same question
}

// supersededOf marks what newer decisions answer again. The newest come first.
func supersededOf(list []view.Decision) []decided {
	answered := map[string]bool{}
	marked := make([]decided, len(list))
	for i, one := range list {
		marked[i].Decision = one
		for _, about := range []string{one.Topic, one.Question} {
			if about = strings.ToLower(strings.Join(strings.Fields(about), " ")); about != "" {
				marked[i].Superseded = marked[i].Superseded || answered[about]
				answered[about] = true
			}
		}
	}
	return marked
}
