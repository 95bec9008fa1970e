package dashboard

import (
	"context"
	"sync"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
)

// digest is a session's handoff in two lines.
type digest struct {
	Task, Next string
}

// keptDigests bounds how many are kept.
const keptDigests = 512

// digests keeps the digests of sessions that did not go on since: making one
// reads all of a session.
type digests struct {
	mu   sync.Mutex
	kept map[ledger.SessionKey]struct {
		events int
		digest digest
	}
}

// of is the digest of a session.
func (d *digests) of(ctx context.Context, p *daemon.Pipeline, session ledger.Session) (digest, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known, ok := d.kept[session.SessionKey]; ok && known.events == session.Events {
		return known.digest, nil
	}
	facts, err := p.Distil(ctx, session)
	if err != nil {
		return digest{}, err
	}
	made := digestOf(facts)
	if d.kept == nil || len(d.kept) >= keptDigests {
		d.kept = map[ledger.SessionKey]struct {
			events int
			digest digest
		}{}
	}
	d.kept[session.SessionKey] = struct {
		events int
		digest digest
	}{session.Events, made}
	return made, nil
}

// name is what a session without a title is called: its task, where that is
// known already, or all of them may be waited for.
func (d *digests) name(ctx context.Context, p *daemon.Pipeline, session ledger.Session, wait bool) string {
	if session.Title != "" {
		return session.Title
	}
	if !wait {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.kept[session.SessionKey].digest.Task
	}
	made, err := d.of(ctx, p, session)
	if err != nil {
		return "" // its id will do
	}
	return made.Task
}

func digestOf(facts distiller.Facts) digest {
	var made digest
	if facts.Task != nil {
		made.Task = facts.Task.Text
	}
	if facts.Next != nil {
		made.Next = facts.Next.Text
	}
	return made
}
