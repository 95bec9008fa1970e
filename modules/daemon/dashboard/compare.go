package dashboard

import (
	"cmp"
	"context"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/timeline"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// comparison is two handoffs of a project, line by line.
type comparison struct {
	Project       project
	Older, Newer  *handoff
	Edit          timeline.Edit
	First, Second string // what was asked for
}

// allLines is more than any handoff has: none is left out between two that differ.
const allLines = 1000

// compare shows what changed between the handoffs of two sessions, the earlier one
// first.
func (p *Page) compare(r *http.Request) (screen, error) {
	ctx, asked := r.Context(), r.URL.Query()
	known, err := p.known(ctx, r.PathValue("project"))
	if err != nil {
		return screen{}, err
	}
	data := comparison{First: asked.Get("a"), Second: asked.Get("b")}
	data.Project.Project = known
	if data.Older, err = p.handoffNamed(ctx, known, data.First); err != nil {
		return screen{}, err
	}
	if data.Newer, err = p.handoffNamed(ctx, known, data.Second); err != nil {
		return screen{}, err
	}
	if data.Older.Session.Last.After(data.Newer.Session.Last) {
		data.Older, data.Newer = data.Newer, data.Older
	}
	data.Edit = timeline.Compare(data.Older.Text, data.Newer.Text, allLines)
	return screen{template: "compare", title: "Two handoffs", at: "projects", data: data}, nil
}

// handoffNamed is the handoff of a session of a project that is named by its id.
func (p *Page) handoffNamed(ctx context.Context, project ledger.Project, id string) (*handoff, error) {
	if id == "" {
		return nil, view.Invalid("two sessions are compared: choose both")
	}
	session, err := p.sessionIn(ctx, project, id)
	if err != nil {
		return nil, err
	}
	found, err := p.handoffOf(ctx, session)
	if err == nil && found == nil {
		err = view.ErrNotFound
	}
	return found, err
}

// Named is what a session is called in a list to choose from.
func (p past) Named() string {
	return cmp.Or(p.Session.Title, p.Digest.Task, p.Session.ID)
}
