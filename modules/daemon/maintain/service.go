// Package maintain changes what is kept: it imports, forgets, repairs, dismisses
// handoffs, moves projects and ends what has become too old.
package maintain

import (
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Store is what is changed of the ledger, and read to know what.
type Store interface {
	Session(ctx context.Context, key ledger.SessionKey) (ledger.Session, bool, error)
	Append(ctx context.Context, batch ledger.Batch) (ledger.Appended, error)
	Project(ctx context.Context, identity ledger.ProjectIdentity) (ledger.Project, error)
	PutHandoff(ctx context.Context, project string, handoff ledger.AgentHandoff) error
	Sessions(ctx context.Context, filter ledger.SessionFilter) ([]ledger.Session, error)
	Projects(ctx context.Context) ([]ledger.Project, error)
	MoveProject(ctx context.Context, from, to string) (ledger.Project, error)
	MergeProjects(ctx context.Context, from, into string) (ledger.Project, error)
	RecordRestore(ctx context.Context, restore ledger.Restore) error
	Restores(ctx context.Context, session ledger.SessionKey, limit int) ([]ledger.Restore, error)
	Forget(ctx context.Context, what ledger.Forgetting) (ledger.Forgotten, error)
	// ScrubText takes what was forgotten out of a text.
	ScrubText(text string) string
	// Reread rebuilds the index and has every source read again.
	Reread(ctx context.Context) error
	// Check reads all of the ledger and fails with ledger.ErrCorrupt when it is
	// damaged.
	Check(ctx context.Context) error
	// Salvage adds what only a damaged ledger has. read reads a source again.
	Salvage(ctx context.Context, damaged string, read func(tool, path string) error) (ledger.Salvaged, error)
	// AgentLedger and Handoffs tell what is known of named agents.
	AgentLedger(ctx context.Context, project, agent string) (ledger.AgentLedger, bool, error)
	NamedAgents(ctx context.Context) ([]ledger.NamedAgent, error)
	Handoffs(ctx context.Context, filter ledger.HandoffFilter) ([]ledger.AgentHandoff, error)
}

// Sessions are what is remembered of sessions' work.
type Sessions interface {
	// Standing is the session whose handoff is the current one of those that
	// pass a filter.
	Standing(ctx context.Context, filter ledger.SessionFilter) (session ledger.Session, found bool, err error)
	// Reset drops what is remembered: the ledger has changed below it.
	Reset()
}

// Ingest reads transcripts into the ledger.
type Ingest interface {
	ImportHistory(ctx context.Context, request view.ImportRequest, progress view.Progress) (view.ImportResult, error)
	// Reread reads one source.
	Reread(ctx context.Context, tool, path string) error
	// ForgetFiles has every file read again; ForgetHeads every repository.
	ForgetFiles()
	ForgetHeads()
}

// Publisher removes a handoff from where agents find it.
type Publisher interface {
	Withdraw(worktree string) error
	// Republish puts the handoff of a session back where agents find it.
	Republish(ctx context.Context, key ledger.SessionKey) error
}

// Finder finds the sessions that a person names.
type Finder interface {
	SessionNamed(ctx context.Context, id string) (ledger.Session, error)
	Pick(ctx context.Context, selected view.SessionSelector) (ledger.Session, error)
	SessionsIn(ctx context.Context, directory string, filter ledger.SessionFilter) ([]ledger.Session, error)
}

// Options are what a Service works with.
type Options struct {
	Home      home.Dir
	Store     Store
	Sessions  Sessions
	Ingest    Ingest
	Publisher Publisher
	Query     Finder
	Logger    *zap.Logger
	Now       func() time.Time
	Keep      time.Duration                          // how long sessions are kept after their last event; 0 for good
	Damaged   func()                                 // checks the ledger and rebuilds a damaged one; nil without a daemon
	Mirrors   func(ctx context.Context) (int, error) // takes back the files of named agents
	Imported  func(ctx context.Context)              // goes on with what an import brought; nil without a daemon
}

// Service maintains one ledger.
type Service struct {
	home      home.Dir
	store     Store
	sessions  Sessions
	ingest    Ingest
	publisher Publisher
	query     Finder
	logger    *zap.Logger
	now       func() time.Time
	keep      time.Duration
	damaged   func()
	mirrors   func(ctx context.Context) (int, error)
	imported  func(ctx context.Context)
}

// New makes a service.
func New(o Options) *Service {
	if o.Imported == nil {
		o.Imported = func(context.Context) {}
	}
	return &Service{
		home: o.Home, store: o.Store, sessions: o.Sessions, ingest: o.Ingest, publisher: o.Publisher,
		query: o.Query, logger: o.Logger, now: o.Now, keep: o.Keep, damaged: o.Damaged, mirrors: o.Mirrors, imported: o.Imported,
	}
}

// Import reads transcripts that are on disk already.
func (m *Service) Import(ctx context.Context, request view.ImportRequest, progress view.Progress) (view.ImportResult, error) {
	m.logger.Info("import asked for", zap.String("tool", request.Tool), zap.String("root", request.Root))
	result, err := m.ingest.ImportHistory(ctx, request, progress)
	m.imported(ctx)
	return result, err
}

// changed drops what was remembered of a ledger that is another one now.
func (m *Service) changed() {
	m.sessions.Reset()
	m.ingest.ForgetHeads()
}
