package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestParseDecisions(t *testing.T) {
	tests := []struct {
		name, text string
		want       []transcript.Decision
	}{
		{"a block with every field in another order", `Done with the survey.

DECISION: session store
Chosen: SQLite
Question: Where do sessions live?
Options: SQLite | Redis
Trade-offs: one writer at a time
Rationale: no server to run,
and backups are a copy

The next step is the schema.`, []transcript.Decision{{
			Kind: "block", Topic: "session store", Question: "Where do sessions live?",
			Options: []transcript.Option{{Label: "SQLite"}, {Label: "Redis"}}, Chosen: []string{"SQLite"},
			Rationale: "no server to run, and backups are a copy", Tradeoffs: "one writer at a time",
		}}},
		{"list and bold marks, options as a list", `- **DECISION:** log format
  - **Options:**
    - text: easy to read
    - JSON: easy to parse
  - **Chosen**: text, JSON`, []transcript.Decision{{
			Kind: "block", Topic: "log format", Chosen: []string{"text", "JSON"},
			Options: []transcript.Option{{Label: "text", Description: "easy to read"}, {Label: "JSON", Description: "easy to parse"}},
		}}},
		{"one line", `DECISION: use B over A because A cannot stream`, []transcript.Decision{{
			Kind: "block", Topic: "use B over A because A cannot stream", Chosen: []string{"B"},
			Rejected: []transcript.Refused{{Option: "A"}}, Rationale: "A cannot stream",
		}}},
		{"one line that is only a statement", `DECISION: no telemetry`, []transcript.Decision{{Kind: "block", Topic: "no telemetry"}}},
		{"two blocks in a row", "DECISION: a\nChosen: x\nDECISION: b\nChosen: y", []transcript.Decision{
			{Kind: "block", Topic: "a", Chosen: []string{"x"}}, {Kind: "block", Topic: "b", Chosen: []string{"y"}},
		}},
		{"a choice with a comma that was no list of options", "DECISION: a\nChosen: x, but later", []transcript.Decision{
			{Kind: "block", Topic: "a", Chosen: []string{"x, but later"}},
		}},
		{"fields after a blank line still belong to it", "DECISION: a\n\nChosen: x\n\nOther text\nRationale: not ours", []transcript.Decision{
			{Kind: "block", Topic: "a", Chosen: []string{"x"}},
		}},
		{"inside a fence", "```\nDECISION: a\nChosen: x\n```", nil},
		{"inside a quote", "> DECISION: a\n> Chosen: x", nil},
		{"inside a code span or quotation marks", "`DECISION: a`\n\"DECISION: b\"", nil},
		{"not at the start of a line", "I will write DECISION: a when it is time.", nil},
		{"an indented code block", "    DECISION: a", nil},
		{"a word of lower case", "Decision: a", nil},
		{"nothing at all", "DECISION:", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, want := asJSON(t, transcript.ParseDecisions(test.text)), asJSON(t, test.want)
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestParseDecisions_BracketsAroundOptionsAreNoPartOfThem(t *testing.T) {
	found := transcript.ParseDecisions("DECISION: Store\n**Options:** [A, B, C]\n**Chosen:** B")
	if len(found) != 1 || len(found[0].Options) != 3 || found[0].Options[0].Label != "A" || found[0].Options[2].Label != "C" {
		t.Errorf("the decisions are %s", asJSON(t, found))
	}
}

func TestDecisionEventsHangAtTheirText(t *testing.T) {
	reply := transcript.Event{Tool: "x", Session: "s", ID: "r#0", Kind: transcript.Reply}
	events := transcript.DecisionEvents(reply, "DECISION: a\n\nDECISION: b")
	if len(events) != 2 || events[1].ID != "r#0.d1" || events[1].Parent != "r#0" || events[1].Decision.Topic != "b" {
		t.Errorf("events: %s", asJSON(t, events))
	}
}

func FuzzParseDecisions(f *testing.F) {
	f.Add("DECISION: a\nOptions:\n- b: c\n- d\nChosen: b")
	f.Add("~~~\nDECISION: a\n~~~~\nDECISION: use b over c because d")
	f.Add("- **DECISION**: a\n1. **Trade-offs:** b")
	f.Fuzz(func(t *testing.T, text string) {
		found := transcript.ParseDecisions(text)
		if len(found) > strings.Count(text, "DECISION") {
			t.Errorf("%d decisions in %q", len(found), text)
		}
		for _, decision := range found {
			if decision.Kind != transcript.DecisionBlock {
				t.Errorf("kind %q", decision.Kind)
			}
		}
	})
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	data, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
