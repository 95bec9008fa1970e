package continuity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// AgentLocation is where an agent works.
type AgentLocation struct {
	Project  string // id
	Worktree string // "" for a project that is only known by its id
}

// Keeper keeps what named agents save, and tells it again.
type Keeper struct {
	Log ledger.Agents
	Now func() time.Time
	// Session distils the newest session of a tool in a worktree that was at
	// work after a time; found is false without one.
	Session func(ctx context.Context, worktree, cli string, since time.Time) (facts distiller.Facts, found bool, err error)
	// Events finds what was said in sessions of a project, a line for each hit.
	Events func(ctx context.Context, project, query string, limit int) ([]string, error)

	ArchiveAfter time.Duration // handoffs older are no longer given; 0: never
	KeepHandoffs int           // of each agent; 0: all

	mu sync.Mutex // a ledger is read, changed and written
}

// Save keeps what a message says. A handoff is made when next steps or
// completed work are named, or when one is asked for, unless it would say what
// the last one says.
func (k *Keeper) Save(ctx context.Context, at AgentLocation, m view.AgentMessage) (handoffID string, err error) {
	if !ledger.ValidAgent(m.AgentName) {
		return "", fmt.Errorf("invalid agent name %q: use at most 64 letters, digits, dots, dashes and underscores", m.AgentName)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	state, _, err := k.Log.AgentLedger(ctx, at.Project, m.AgentName)
	if err != nil {
		return "", err
	}
	saved := ParseFields(m.Content)
	if m.Ledger != nil {
		saved = FieldsOf(*m.Ledger)
		state.CurrentPhase = or(m.Ledger.CurrentPhase, state.CurrentPhase)
		state.TrajectoryID = or(m.Ledger.TrajectoryID, state.TrajectoryID)
	}
	state.AgentName, state.CLI, state.SessionID = m.AgentName, or(m.CLI, state.CLI), or(m.SessionID, state.SessionID)
	if m.Auto {
		if state, err = k.fill(ctx, at, state, m); err != nil {
			return "", err
		}
	}
	state.Notes = slices.DeleteFunc(slices.Clone(state.Notes), isShown)
	state = Merge(state, saved)
	if m.Auto && FieldsOf(state).Empty() {
		return "", nil // nothing is known, and nothing is not worth keeping
	}
	state.UpdatedAt = k.Now().UTC()
	if err := k.Log.PutAgentLedger(ctx, at.Project, state); err != nil {
		return "", err
	}
	if m.CreateHandoff || len(saved.NextSteps)+len(saved.Completed) > 0 {
		if handoffID, err = k.makeHandoff(ctx, at, state, m); err != nil {
			return "", err
		}
	}
	return handoffID, k.mirror(at, state)
}

// ShownPrefix begins a note with what the terminal showed at the end of a run; it holds
// until the next save.
const ShownPrefix = "At the end of the run "

func isShown(note string) bool { return strings.HasPrefix(note, ShownPrefix) }

func (k *Keeper) fill(ctx context.Context, at AgentLocation, state ledger.AgentLedger, m view.AgentMessage) (ledger.AgentLedger, error) {
	if k.Session == nil || at.Worktree == "" {
		return state, nil
	}
	facts, found, err := k.Session(ctx, at.Worktree, m.CLI, time.UnixMilli(m.Started))
	if err != nil || !found {
		return state, err
	}
	state.SessionID = facts.Session
	return Fill(state, facts), nil
}

// makeHandoff makes a handoff of a ledger.
func (k *Keeper) makeHandoff(ctx context.Context, at AgentLocation, state ledger.AgentLedger, m view.AgentMessage) (string, error) {
	now := k.Now().UTC()
	handoff := ledger.AgentHandoff{
		AgentName: state.AgentName, CLI: state.CLI, Summary: or(m.Summary, summary(state)), TaskDescription: state.CurrentTask,
		CompletedWork: state.Completed, NextSteps: state.NextSteps, FileReferences: state.FileContext, Decisions: state.KeyDecisions,
		CreatedAt: now, TriggerReason: ledger.Trigger(or(string(m.Reason), string(ledger.TriggerManual))), TrajectoryID: state.TrajectoryID, PderoPhase: state.CurrentPhase,
	}
	last, err := k.Log.Handoffs(ctx, ledger.HandoffFilter{Project: at.Project, Agent: state.AgentName, Limit: 1})
	if err != nil {
		return "", err
	}
	if len(last) > 0 {
		repeated := handoff.TriggerReason == last[0].TriggerReason || handoff.TriggerReason == ledger.TriggerRestart
		said := m.Summary != "" && m.Summary != last[0].Summary // a reason of its own is kept
		if repeated && !said && sameHandoff(last[0], handoff) {
			return last[0].ID, nil
		}
		handoff.RelatedHandoffs = []string{last[0].ID}
	}
	handoff.ID = handoffID(handoff, m.ID)
	return handoff.ID, k.Add(ctx, at, handoff)
}

// Add keeps a handoff, writes its file and applies the retention.
func (k *Keeper) Add(ctx context.Context, at AgentLocation, handoff ledger.AgentHandoff) error {
	if err := k.Log.PutHandoff(ctx, at.Project, handoff); err != nil {
		return err
	}
	before := time.Time{}
	if k.ArchiveAfter > 0 {
		before = k.Now().Add(-k.ArchiveAfter)
	}
	all := ledger.HandoffFilter{Project: at.Project, Agent: handoff.AgentName, Archived: true}
	kept, err := k.Log.Handoffs(ctx, all)
	if err != nil {
		return err
	}
	if err := k.Log.ArchiveHandoffs(ctx, before, k.KeepHandoffs); err != nil {
		return err
	}
	left, err := k.Log.Handoffs(ctx, all)
	if err != nil {
		return err
	}
	if err := k.removeFiles(at, gone(kept, left)); err != nil {
		return err
	}
	return k.write(at, handoffPath(handoff), []byte(Markdown(handoff)))
}

// gone are the handoffs of a list that another one does not have.
func gone(list, left []ledger.AgentHandoff) []ledger.AgentHandoff {
	return slices.DeleteFunc(list, func(h ledger.AgentHandoff) bool {
		return slices.ContainsFunc(left, func(other ledger.AgentHandoff) bool { return other.ID == h.ID })
	})
}

// removeFiles removes the files of handoffs that are kept no more.
func (k *Keeper) removeFiles(at AgentLocation, handoffs []ledger.AgentHandoff) error {
	if len(handoffs) == 0 || at.Worktree == "" {
		return nil
	}
	project, err := publish.Open(at.Worktree)
	if err != nil {
		return nil //nolint:nilerr // there is nothing of ours
	}
	defer func() { _ = project.Close() }()
	names := make([]string, len(handoffs))
	for i, handoff := range handoffs {
		names[i] = handoffPath(handoff)
	}
	return project.RemoveAgent(names...)
}

// mirror writes the ledger's file.
func (k *Keeper) mirror(at AgentLocation, state ledger.AgentLedger) error {
	data, err := indented(state.Redacted())
	if err != nil {
		return err
	}
	return k.write(at, "ledgers/"+state.AgentName+".json", data)
}

// write writes a file into the worktree's folder. Where that is gone or not
// ours the ledger has it all the same.
func (k *Keeper) write(at AgentLocation, name string, data []byte) error {
	if at.Worktree == "" {
		return nil
	}
	project, err := publish.Open(at.Worktree)
	if err != nil {
		return nil //nolint:nilerr // said above
	}
	defer func() { _ = project.Close() }()
	if err := project.Agent(name, data); err != nil && !errors.Is(err, publish.ErrUnsafe) {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// Clear removes all of an agent, in the ledger and in its worktree.
func (k *Keeper) Clear(ctx context.Context, at AgentLocation, agent string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.Log.ClearAgent(ctx, at.Project, agent); err != nil || at.Worktree == "" {
		return err
	}
	project, err := publish.Open(at.Worktree)
	if err != nil {
		return nil //nolint:nilerr // there is nothing of ours
	}
	defer func() { _ = project.Close() }()
	return project.RemoveAgent("ledgers/"+agent+".json", "handoffs/"+agent)
}

// Load is the startup context of an agent; "" when nothing is known of it.
func (k *Keeper) Load(ctx context.Context, at AgentLocation, agent string, mode render.Mode) (string, error) {
	var known Known
	state, found, err := k.Log.AgentLedger(ctx, at.Project, agent)
	if err != nil {
		return "", err
	}
	if found {
		known.Ledger = &state
	}
	all, err := k.Log.Handoffs(ctx, ledger.HandoffFilter{Project: at.Project})
	if err != nil {
		return "", err
	}
	seen := map[string]bool{}
	for _, handoff := range all {
		switch {
		case handoff.AgentName == agent && known.Handoff == nil:
			known.Handoff = &handoff
		case handoff.AgentName != agent && !seen[handoff.AgentName] && len(known.Others) < 3:
			known.Others = append(known.Others, handoff)
		}
		seen[handoff.AgentName] = true
	}
	if known.Learnings, err = k.learnings(ctx, at, state, known.Handoff); err != nil {
		return "", err
	}
	return StartupContext(agent, known, mode)
}

// learnings are those found on the task at hand, of any agent of the project.
func (k *Keeper) learnings(ctx context.Context, at AgentLocation, state ledger.AgentLedger, handoff *ledger.AgentHandoff) ([]string, error) {
	task := state.CurrentTask
	if task == "" && handoff != nil {
		task = handoff.TaskDescription
	}
	if task == "" {
		return nil, nil
	}
	hits, err := k.Log.SearchAgents(ctx, ledger.AgentQuery{
		Project: at.Project, Kind: "learning", Any: true, Text: strings.ReplaceAll(task, `"`, " "), Limit: maxLearnings,
	})
	var list []string
	for _, hit := range hits {
		list = union(list, []string{hit.Snippet})
	}
	return list, err
}

// Search is what is typed for a search: what agents left first, then what was
// said in sessions.
func (k *Keeper) Search(ctx context.Context, at AgentLocation, agent, query string) (string, error) {
	const most = 10
	left, err := k.Log.SearchAgents(ctx, ledger.AgentQuery{Project: at.Project, Text: query, Limit: most / 2})
	if err != nil {
		return "", err
	}
	var lines []string
	for _, hit := range left {
		line := fmt.Sprintf("%s %s of %s: %s", hit.Time.Format(time.DateOnly), hit.Kind, hit.Agent, hit.Snippet)
		if hit.ID != "" {
			line += " (handoff " + hit.ID + ")"
		}
		lines = append(lines, line)
	}
	if k.Events != nil {
		said, err := k.Events(ctx, at.Project, query, most-len(lines))
		if err != nil {
			return "", err
		}
		lines = append(lines, said...)
	}
	return SearchContext(agent, query, lines, k.Now())
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
