package dashboard

import (
	"context"
	"net/http"
	"sync"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
)

// digest is what lists say of a session: its handoff in two lines, whose turn it
// is, and the files it changed.
type digest struct {
	Task, Next string
	Turn       string // "user", "agent" or "done"; "" when nothing was asked
	Files      []changedFile
	Failures   []distiller.Failure
	Pending    bool // not made yet: it comes after the page
}

// changedFile is a file that a session worked on.
type changedFile struct {
	Path, Change string
}

// digestFiles bounds the files of a digest.
const digestFiles = 20

// IsOpen says whether something waits: for the user, or for an agent.
func (d digest) IsOpen() bool { return d.Turn == "user" || d.Turn == "agent" }

// keptDigests bounds how many are kept.
const keptDigests = 512

// digests keeps the digests of sessions that did not go on since: making one
// reads all of a session.
type digests struct {
	mu   sync.Mutex
	kept map[ledger.SessionKey]keptDigest
}

// keptDigest is a digest of a session when it had so many events.
type keptDigest struct {
	digest
	events int
}

// quickFold is up to how many events are folded while a page is waited for: folding
// takes some 10 ms for a thousand. What is made of more comes after the page.
const quickFold = 2000

// quick says whether a page is made at once with all that it shows: the events that it
// has to be folded from are few, or it is asked for as a whole.
func quick(r *http.Request, events int) bool {
	return events <= quickFold || r.URL.Query().Has("whole")
}

// whole is the address of a page with all that it shows.
func whole(r *http.Request) string {
	asked := r.URL.Query()
	asked.Set("whole", "1")
	return r.URL.Path + "?" + asked.Encode()
}

// unread counts the events of the sessions that are to be folded for their digests.
func (d *digests) unread(sessions []ledger.Session) int {
	events := 0
	for _, one := range sessions {
		if known, ok := d.get(one.SessionKey); !ok || known.events != one.Events {
			events += one.Events
		}
	}
	return events
}

// shown is the digest of a session: as it is when it may be waited for, else as it was.
func (d *digests) shown(ctx context.Context, p Sessions, session ledger.Session, wait bool) (digest, error) {
	if wait {
		return d.of(ctx, p, session)
	}
	known, ok := d.get(session.SessionKey)
	if !ok {
		return digest{Pending: true}, nil
	}
	return known.digest, nil
}

// of is the digest of a session.
func (d *digests) of(ctx context.Context, p Sessions, session ledger.Session) (digest, error) {
	if known, ok := d.get(session.SessionKey); ok && known.events == session.Events {
		return known.digest, nil
	}
	facts, err := p.Distil(ctx, session)
	if err != nil {
		return digest{}, err
	}
	made := digestOf(facts)
	d.put(session.SessionKey, keptDigest{made, session.Events})
	return made, nil
}

func (d *digests) get(key ledger.SessionKey) (keptDigest, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.kept[key]
	return known, ok
}

func (d *digests) put(key ledger.SessionKey, made keptDigest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept == nil || len(d.kept) >= keptDigests {
		d.kept = map[ledger.SessionKey]keptDigest{}
	}
	d.kept[key] = made
}

// name is what a session is called: its title, else its task. A task that is
// not known yet is waited for, or "".
func (d *digests) name(ctx context.Context, p Sessions, session ledger.Session, wait bool) string {
	if session.Title != "" {
		return session.Title
	}
	if !wait {
		known, _ := d.get(session.SessionKey)
		return known.Task
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
	if facts.Turn != nil {
		made.Turn = facts.Turn.Who
	}
	for _, file := range facts.Files[:min(digestFiles, len(facts.Files))] {
		made.Files = append(made.Files, changedFile{file.Path, file.Change})
	}
	made.Failures = facts.Failures[:min(digestFailures, len(facts.Failures))]
	return made
}
