// Package agents is the continuity of named agents: their notes and handoffs, and
// what is typed into those that run under `carryover run`.
package agents

import (
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// Store is what is kept of agents, and read of sessions.
type Store interface {
	ledger.Agents
	Session(ctx context.Context, key ledger.SessionKey) (ledger.Session, bool, error)
	Sessions(ctx context.Context, filter ledger.SessionFilter) ([]ledger.Session, error)
	// Project resolves an identity and learns its path; Projects lists all.
	Project(ctx context.Context, identity ledger.ProjectIdentity) (ledger.Project, error)
	Projects(ctx context.Context) ([]ledger.Project, error)
	Search(ctx context.Context, query ledger.Query) (ledger.Results, error)
}

// Sessions are what is known of sessions' work.
type Sessions interface {
	Facts(ctx context.Context, session ledger.Session) (distiller.Facts, error)
}

// Finder finds projects.
type Finder interface {
	ProjectWithID(ctx context.Context, id string) (ledger.Project, bool, error)
	ProjectOf(ctx context.Context, directory string) (ledger.Project, bool, error)
}

// Options are what a Service works with.
type Options struct {
	Home     home.Dir
	Projects config.Projects
	Table    *toolspecs.Table
	Store    Store
	Sessions Sessions
	Query    Finder
	Flush    func(ctx context.Context) // reads what agents wrote a moment ago; nil without a daemon
	Logger   *zap.Logger
	Now      func() time.Time
}

// Service keeps the notes of named agents and reaches their wrappers.
type Service struct {
	home     home.Dir
	projects config.Projects
	table    *toolspecs.Table
	store    Store
	sessions Sessions
	query    Finder
	flush    func(ctx context.Context)
	logger   *zap.Logger
	now      func() time.Time
	keeper   *continuity.Keeper
	wrappers hub
}

// New makes a service. It knows the wrappers that listen to it.
func New(o Options) *Service {
	if o.Flush == nil {
		o.Flush = func(context.Context) {}
	}
	a := &Service{
		home: o.Home, projects: o.Projects, table: o.Table, store: o.Store, sessions: o.Sessions, query: o.Query,
		flush: o.Flush, logger: o.Logger, now: o.Now,
	}
	a.keeper = &continuity.Keeper{
		Log: o.Store, Now: o.Now, Session: a.sessionOfRun, Events: a.eventLines,
		ArchiveAfter: o.Projects.Choices.ArchiveAfter, KeepHandoffs: o.Projects.Choices.KeepHandoffs,
	}
	return a
}
