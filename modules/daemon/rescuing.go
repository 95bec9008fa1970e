package daemon

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/rescue"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// Rescue writes the transcripts of a session back, into a folder or, with "", to where
// they were. view.CodeUnchanged when one of them is there.
func (p *Services) Rescue(ctx context.Context, session, to string) (view.Rescued, error) {
	found, err := p.SessionNamed(ctx, session)
	if err != nil {
		return view.Rescued{}, err
	}
	spec, err := p.Table.Lookup(found.Tool)
	if err != nil {
		return view.Rescued{}, err
	}
	return rescue.Session(ctx, p.Store, spec, rescue.Request{Session: found, To: to, Documents: p.Home.Path("rescued")})
}
