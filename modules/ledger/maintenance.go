package ledger

import (
	"context"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Maintenance changes what is stored: it removes, moves and mends. Nothing else
// does.
type Maintenance interface {
	// Forget takes a text out of everything that is stored, or whole sessions,
	// and keeps them out: what is read later from a transcript that still holds
	// them is met by the same marks. The file is rewritten, so that no page of
	// it holds what was forgotten.
	Forget(ctx context.Context, what Forgetting) (Forgotten, error)
	// Scrub takes forgotten texts out of an event that is on its way in.
	Scrub(event *transcript.Event)
	// ScrubText does so with a text.
	ScrubText(text string) string
	// MoveProject lets a project be found at another path; MergeProjects gives
	// all that one project has to another.
	MoveProject(ctx context.Context, from, to string) (Project, error)
	MergeProjects(ctx context.Context, from, into string) (Project, error)
	// Reread rebuilds the index and lets every transcript be read again from its
	// start: its events take the place of the former ones. What only the ledger
	// has stays.
	Reread(ctx context.Context) error
	// Check reads the whole ledger and fails with ErrCorrupt when it is damaged.
	Check(ctx context.Context) error
	// Salvage copies from a ledger that was set aside whatever this one does not
	// have. read is asked first to read again each source that this one does
	// not know; what it brings need not be copied. Salvaging twice changes
	// nothing.
	Salvage(ctx context.Context, from string, read func(tool, path string) error) (Salvaged, error)
}

// Salvaged says what became of what only a damaged ledger had.
type Salvaged struct {
	Events   int `json:"events"`   // copied
	Agents   int `json:"agents"`   // records of named agents, copied
	Restores int `json:"restores"` // decisions of the restore gate, copied
	// Lost is how many events stood on damaged pages and are nowhere else, and
	// LostSessions those they belong to, as far as that can be told.
	Lost         int          `json:"lost"`
	LostSessions []SessionKey `json:"lost_sessions"`
	// AtLeast says that more may be lost: what would name it is damaged too.
	AtLeast bool `json:"at_least"`
	// LostAgents are records of named agents on damaged pages.
	LostAgents   []AgentRecord `json:"lost_agents"`
	LostRestores int           `json:"lost_restores"`
}

// Add counts what came of another file too.
func (s *Salvaged) Add(more Salvaged) {
	s.Events, s.Agents, s.Restores = s.Events+more.Events, s.Agents+more.Agents, s.Restores+more.Restores
	s.Lost, s.LostRestores, s.AtLeast = s.Lost+more.Lost, s.LostRestores+more.LostRestores, s.AtLeast || more.AtLeast
	s.LostSessions, s.LostAgents = append(s.LostSessions, more.LostSessions...), append(s.LostAgents, more.LostAgents...)
}

// AgentRecord names a ledger (without an id), handoff or learning of a named
// agent.
type AgentRecord struct {
	Project string `json:"project"` // id
	Agent   string `json:"agent"`
	Kind    string `json:"kind"` // ledger, handoff, learning
	ID      string `json:"id,omitempty"`
}

// Forgetting says what to forget: a text, or sessions.
type Forgetting struct {
	Text     string
	Sessions []SessionKey
	// Agents are named agents whose notes and handoffs go with the sessions.
	Agents []NamedAgent
	// Projects are the ids of projects of which nothing is left afterwards.
	Projects []string
	// Preview counts what would be removed and changes nothing.
	Preview bool
	// Progress gets how many of how many events were looked at for a text;
	// nil tells nobody.
	Progress func(done, total int)
}

// Forgotten says what was removed.
type Forgotten struct {
	Events   int // changed, for a text; gone, for sessions
	Sessions int
	Agents   int // records of named agents that were changed
}

// ScrubEvent rewrites every text of an event but the folder it happened in,
// by which its project is known.
func ScrubEvent(event *transcript.Event, scrub func(string) string) {
	workDir := event.WorkDir
	eachText(event, scrub)
	if workDir != nil {
		event.WorkDir.Cwd = workDir.Cwd
	}
}
