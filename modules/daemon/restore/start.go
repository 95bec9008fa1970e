package restore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"go.uber.org/zap"
)

// start answers a session start: load what it depends on, decide, compose the
// text, record the decision.
func (s *Service) start(ctx context.Context, hook capture.Hook, at gitrepo.Checkout, past []ledger.Restore) (Reply, error) {
	m, err := s.load(ctx, hook, at, past)
	if err != nil {
		return Reply{}, err
	}
	row := Decide(m.start())
	if row.Give != Nothing && row.Give != Opened {
		if err := s.complete(ctx, &m, row); err != nil {
			return Reply{}, err
		}
	}
	text, err := Compose(m, row)
	if err != nil {
		return Reply{}, err
	}
	decision := decisionOf(m, row, text)
	if err := s.Store.RecordRestore(ctx, decision); err != nil { // a full disk is no reason to deliver nothing
		s.Logger.Warn("restore decision not recorded", zap.String("tool", hook.Tool), zap.String("session", hook.Session), zap.Error(err))
		s.unrecorded.add(decision)
	}
	if decision.Begins() {
		s.Sessions.Drop(hook.Key()) // its predecessor is known now
	}
	return Reply{text, s.seen(ctx, m, row, text)}, nil
}

// Compose puts the text together that one hook answer carries, within bounds.
func Compose(m Material, row Row) (string, error) {
	switch row.Give {
	case Nothing, Opened:
		return "", nil
	case Pointer:
		if row.Name == otherPartRow {
			return OtherPartPointer(m.Facts, m.age(), m.OtherPart)
		}
		return StalePointer(m.Facts, m.age()), nil
	}
	parts := render.Split(m.Facts, render.Options{Mode: render.Mode(m.Choices.Resume)})
	head := parts.Head
	switch row.Head {
	case HeadSeam:
		head = m.Head
	case HeadSilent:
		head = render.Head(m.Facts, render.Silent)
	}
	return render.Compose(head, m.Since, parts.Body)
}

// decisionOf is the record of a decision, for `carryover status --why`.
func decisionOf(m Material, row Row, text string) ledger.Restore {
	decision := ledger.Restore{
		Session: m.Hook.Key(), From: m.From.SessionKey, Project: m.From.Project.ID, Event: m.Hook.Event, Source: m.Hook.Source,
		Decision: row.Give, Reason: reason(m, row), Lines: strings.Count(text, "\n"), Bytes: len(text), Time: m.Hook.Time.UTC(),
	}
	if text != "" {
		sum := sha256.Sum256([]byte(text))
		decision.SHA256 = hex.EncodeToString(sum[:])
	}
	return decision
}

// reason is why a row decided, with the configured resume mode where that was
// the header, and what is wrong with the project's own configuration.
func reason(m Material, row Row) string {
	if row.Give != Full {
		return row.Why
	}
	why := row.Why + "; resume mode " + m.Choices.Resume
	if row.Head == HeadSilent {
		why = row.Why + "; resume mode silent"
	}
	if m.Broken != nil {
		why += "; " + m.Broken.Error() + ", so the defaults are used"
	}
	return why
}
