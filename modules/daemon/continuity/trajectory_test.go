package continuity

import (
	"slices"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
)

func TestTrajectories(t *testing.T) {
	completed, err := ParseTrajectory([]byte(`{"id":"traj_1","task":{"title":"Build it"},"status":"completed","completedAt":"2026-03-02T10:00:00Z",
		"agents":[{"name":"claude"}],"filesChanged":["a.go"],
		"chapters":[
			{"title":"Work","endedAt":"2026-03-02T09:00:00Z","events":[
				{"type":"decision","raw":{"question":"Store?","chosen":"redis","alternatives":[{"option":"memory","reason":"not shared"},{"option":"disk","reason":""}],"reasoning":"shared"}},
				{"type":"finding","content":"clocks differ"}]},
			{"title":"Review","events":[]}],
		"retrospective":{"summary":"built","confidence":0.8,"learnings":["measure first"],"suggestions":["add metrics"],
			"decisions":[{"question":"Format?","chosen":"JSON","alternatives":["XML"],"reasoning":"read by all"}]}}`))
	h := completed.Handoff
	if err != nil || h == nil {
		t.Fatalf("read %+v, %v", completed, err)
	}
	if h.TriggerReason != ledger.TriggerTrajectory || h.TaskDescription != "Build it" || h.Summary != "built" || completed.Agent != "claude" ||
		h.Confidence != 0.8 || h.PderoPhase != "Review" || !slices.Equal(h.Learnings, []string{"measure first"}) ||
		!slices.Equal(h.CompletedWork, []string{"Work"}) || !slices.Equal(h.NextSteps, []string{"add metrics", "clocks differ", "Review"}) {
		t.Errorf("the handoff is %+v", h)
	}
	if len(h.Decisions) != 2 || !slices.Equal(h.Decisions[1].Alternatives, []string{"memory: not shared", "disk"}) {
		t.Errorf("decisions are %+v", h.Decisions)
	}
	active, err := ParseTrajectory([]byte(`{"id":"traj_2","task":{"title":"Go on"},"status":"active","currentPhase":"plan","chapters":[{"title":"Work"}]}`))
	if err != nil || active.Active == nil || active.Active.CurrentTask != "Go on" || active.Active.CurrentPhase != "plan" || active.Active.TrajectoryID != "traj_2" {
		t.Errorf("an active one gives %+v, %v", active, err)
	}
	if none, err := ParseTrajectory([]byte(`{"id":"traj_3","status":"abandoned"}`)); err != nil || none.Handoff != nil || none.Active != nil {
		t.Errorf("an abandoned one gives %+v, %v", none, err)
	}
}
