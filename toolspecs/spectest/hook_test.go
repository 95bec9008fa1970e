package spectest_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What a hook tells the moment it is decided has the id under which the
// transcript tells it later: they are one decision, not two.
func TestHooksAndTranscriptsTellOneDecision(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		hooks, ok := reader.(transcript.HookReader)
		if !ok {
			for _, fact := range spec.HookFacts {
				if fact.Keeps == "decision" || fact.Keeps == "todo" {
					t.Errorf("%s of %s is known from a hook that nobody reads", fact.Keeps, cmp.Or(fact.Tool, fact.Event))
				}
			}
			return
		}
		recorded := recordedDecisions(t, spec.Tool, reader)
		payloads, err := spectest.Payloads(spec.Tool)
		if err != nil {
			t.Fatal(err)
		}
		hooked := map[string]bool{}
		for _, payload := range payloads {
			for _, event := range hooks.ReadHook(payload.Data) {
				called := calledIn(t, spec, payload)
				hooked[called] = true
				if event.Decision == nil {
					continue
				}
				record, found := recorded[event.ID]
				if !found {
					t.Errorf("%s tells %s, which no transcript has", payload.Name, event.ID)
					continue
				}
				if got := *event.Decision; got.Kind != record.Kind || got.Question != record.Question || got.Topic != record.Topic || !slices.Equal(got.Chosen, record.Chosen) {
					t.Errorf("%s tells %+v, the transcript %+v", payload.Name, got, record)
				}
			}
		}
		for _, fact := range spec.HookFacts {
			if (fact.Keeps == "decision" || fact.Keeps == "todo") && !hooked[fact.Tool] {
				t.Errorf("no payload of %s tells a %s", fact.Tool, fact.Keeps)
			}
		}
	})
}

// recordedDecisions are those of all fixtures of a tool, by id.
func recordedDecisions(t *testing.T, tool string, reader transcript.Reader) map[string]transcript.Decision {
	t.Helper()
	decisions := map[string]transcript.Decision{}
	for _, fixture := range fixtures(t, tool) {
		events, _, err := fixture.Read(reader)
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range events {
			if event.Kind == transcript.Decided && event.Decision != nil {
				decisions[event.ID] = *event.Decision
			}
		}
	}
	return decisions
}

// calledIn is the call that a payload is about.
func calledIn(t *testing.T, spec *toolspecs.Spec, payload spectest.Payload) string {
	t.Helper()
	hook, ok := spec.Hook(payload.Event)
	if !ok {
		t.Fatalf("%s is no event", payload.Event)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(payload.Data, &fields); err != nil {
		t.Fatal(err)
	}
	return hook.Text(fields, nil, "tool")
}
