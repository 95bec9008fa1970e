// Package query answers what is asked of the ledger and changes nothing: search,
// sessions, handoffs, reports, compactions, decisions, status and counts.
package query

import (
	"context"
	"iter"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Store is what is read of the ledger.
type Store interface {
	Sessions(ctx context.Context, filter ledger.SessionFilter) ([]ledger.Session, error)
	Session(ctx context.Context, key ledger.SessionKey) (ledger.Session, bool, error)
	Events(ctx context.Context, session ledger.SessionKey) iter.Seq2[transcript.Located, error]
	EventPart(ctx context.Context, session ledger.SessionKey, window ledger.EventWindow) (ledger.EventPart, error)
	Decisions(ctx context.Context, session ledger.SessionKey) ([]transcript.Located, error)
	Restores(ctx context.Context, session ledger.SessionKey, limit int) ([]ledger.Restore, error)
	Projects(ctx context.Context) ([]ledger.Project, error)
	Sources(ctx context.Context, tool string) ([]ledger.Source, error)
	Search(ctx context.Context, query ledger.Query) (ledger.Results, error)
	Coverage(ctx context.Context) ([]ledger.ToolCoverage, error)
	Stats(ctx context.Context) (ledger.Stats, error)
	Digest(ctx context.Context) (ledger.Digest, error)
}

// Sessions are what is known of sessions' work.
type Sessions interface {
	Facts(ctx context.Context, session ledger.Session) (distiller.Facts, error)
	Trail(ctx context.Context, session ledger.Session) (distiller.Trail, error)
	// Standing is the session whose handoff is the current one of those that
	// pass a filter.
	Standing(ctx context.Context, filter ledger.SessionFilter) (session ledger.Session, found bool, err error)
	// HasEnded says that the session's tool told of its end.
	HasEnded(session ledger.SessionKey) bool
}

// Reports writes the report of a session; what could not be read is in the
// warning.
type Reports interface {
	ReportText(ctx context.Context, session ledger.Session) (text, warning string, err error)
}

// Options are what a Service works with.
type Options struct {
	Home     home.Dir
	Projects config.Projects
	Table    *toolspecs.Table
	Store    Store // nil where nothing was captured: then only Status answers
	Sessions Sessions
	Reports  Reports
	Windows  *contextusage.Windows
	Now      func() time.Time
	// Degraded says what a daemon does without; nil without a daemon.
	Degraded func() []string
	// UnknownHooks counts hooks that no spec knows; nil without a daemon.
	UnknownHooks func() map[string]int
	// Vanished are, by tool, the kinds of events that its newest version no longer
	// gives; nil without a daemon.
	Vanished func() map[string][]string
}

// Service answers out of one ledger.
type Service struct {
	home         home.Dir
	projects     config.Projects
	table        *toolspecs.Table
	store        Store
	sessions     Sessions
	reports      Reports
	windows      *contextusage.Windows
	now          func() time.Time
	unknownHooks func() map[string]int
	degraded     func() []string
	vanished     func() map[string][]string
}

// New makes a service.
func New(o Options) *Service {
	if o.Degraded == nil {
		o.Degraded = func() []string { return nil }
	}
	if o.UnknownHooks == nil {
		o.UnknownHooks = func() map[string]int { return nil }
	}
	if o.Vanished == nil {
		o.Vanished = func() map[string][]string { return nil }
	}
	return &Service{
		home: o.Home, projects: o.Projects, table: o.Table, store: o.Store, sessions: o.Sessions, reports: o.Reports,
		windows: o.Windows, now: o.Now, unknownHooks: o.UnknownHooks, degraded: o.Degraded, vanished: o.Vanished,
	}
}

// Digest is a fingerprint of all events.
func (q *Service) Digest(ctx context.Context) (ledger.Digest, error) { return q.store.Digest(ctx) }

// newest is the session with the last event of those that pass a filter.
func newest(ctx context.Context, store Store, filter ledger.SessionFilter) (ledger.Session, bool, error) {
	filter.Limit = 1
	list, err := store.Sessions(ctx, filter)
	if err != nil || len(list) == 0 {
		return ledger.Session{}, false, err
	}
	return list[0], true, nil
}
