package continuity

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// trajectory is a file of the `trail` CLI (npm agent-trajectories 0.6.1), as
// far as it is read.
type trajectory struct {
	ID   string `json:"id"`
	Task struct {
		Title string `json:"title"`
	} `json:"task"`
	Status       string     `json:"status"` // active, completed, abandoned
	CompletedAt  *time.Time `json:"completedAt"`
	CurrentPhase string     `json:"currentPhase"`
	Agents       []struct {
		Name string `json:"name"`
	} `json:"agents"`
	Chapters      []chapter `json:"chapters"`
	FilesChanged  []string  `json:"filesChanged"`
	Retrospective struct {
		Summary     string   `json:"summary"`
		Decisions   []chose  `json:"decisions"`
		Learnings   []string `json:"learnings"`
		Suggestions []string `json:"suggestions"`
		Confidence  float64  `json:"confidence"`
	} `json:"retrospective"`
}

type chapter struct {
	Title   string     `json:"title"`
	EndedAt *time.Time `json:"endedAt"`
	Events  []struct {
		Type    string          `json:"type"`
		Content string          `json:"content"`
		Raw     json.RawMessage `json:"raw"`
	} `json:"events"`
}

// chose is a decision in a trajectory.
type chose struct {
	Question     string          `json:"question"`
	Chosen       string          `json:"chosen"`
	Reasoning    string          `json:"reasoning"`
	Alternatives json.RawMessage `json:"alternatives"`
}

// Trajectory is what a trajectory's file says: a completed one is a handoff, an
// active one a state of the ledger, an abandoned one neither.
type Trajectory struct {
	ID      string
	Agent   string // the first that worked on it; its tool, where it is named so
	Handoff *ledger.AgentHandoff
	Active  *ledger.AgentLedger
}

// ParseTrajectory reads a trajectory's file.
func ParseTrajectory(data []byte) (Trajectory, error) {
	var t trajectory
	if err := json.Unmarshal(data, &t); err != nil {
		return Trajectory{}, fmt.Errorf("read trajectory: %w", err)
	}
	read := Trajectory{ID: t.ID}
	if len(t.Agents) > 0 {
		read.Agent = t.Agents[0].Name
	}
	switch t.Status {
	case "completed":
		read.Handoff = t.handoff()
	case "active":
		read.Active = &ledger.AgentLedger{CurrentTask: t.Task.Title, CurrentPhase: t.phase(), TrajectoryID: t.ID, KeyDecisions: t.decisions()}
	}
	return read, nil
}

func (t *trajectory) handoff() *ledger.AgentHandoff {
	h := &ledger.AgentHandoff{
		ID: t.ID, TrajectoryID: t.ID, TriggerReason: ledger.TriggerTrajectory, TaskDescription: t.Task.Title,
		Summary: t.Retrospective.Summary, Learnings: t.Retrospective.Learnings, Confidence: t.Retrospective.Confidence,
		PderoPhase: t.phase(), NextSteps: t.Retrospective.Suggestions,
	}
	if t.CompletedAt != nil {
		h.CreatedAt = t.CompletedAt.UTC()
	}
	for _, path := range t.FilesChanged {
		h.FileReferences = append(h.FileReferences, ledger.FileRange{Path: path})
	}
	h.Decisions = t.decisions()
	for _, chapter := range t.Chapters {
		if chapter.EndedAt != nil {
			h.CompletedWork = append(h.CompletedWork, chapter.Title)
		} else {
			h.NextSteps = append(h.NextSteps, chapter.Title)
		}
		for _, event := range chapter.Events {
			if event.Type == "finding" {
				h.NextSteps = append(h.NextSteps, event.Content)
			}
		}
	}
	return h
}

// decisions are those of the retrospective, then those of the chapters.
func (t *trajectory) decisions() (list []ledger.AgentChose) {
	for _, decision := range t.Retrospective.Decisions {
		list = append(list, decision.chosen())
	}
	for _, chapter := range t.Chapters {
		for _, event := range chapter.Events {
			var decision chose
			if event.Type == "decision" && json.Unmarshal(event.Raw, &decision) == nil && decision.Chosen != "" {
				list = union2(list, []ledger.AgentChose{decision.chosen()})
			}
		}
	}
	return list
}

// phase is the file's own where it has one, else the last chapter's title.
func (t *trajectory) phase() string {
	if t.CurrentPhase != "" || len(t.Chapters) == 0 {
		return t.CurrentPhase
	}
	return t.Chapters[len(t.Chapters)-1].Title
}

// chosen reads alternatives in both forms that files have: plain texts, and
// options with their reasons.
func (c chose) chosen() ledger.AgentChose {
	decision := ledger.AgentChose{Decision: c.Chosen, Question: c.Question, Reasoning: c.Reasoning}
	if json.Unmarshal(c.Alternatives, &decision.Alternatives) == nil {
		return decision
	}
	decision.Alternatives = nil
	var options []struct{ Option, Reason string }
	if json.Unmarshal(c.Alternatives, &options) != nil {
		return decision
	}
	for _, option := range options {
		decision.Alternatives = append(decision.Alternatives, strings.TrimSuffix(option.Option+": "+option.Reason, ": "))
	}
	return decision
}
