package extract_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// generation is one session of a chain: it works on one of three files, says the
// same constraint and asks the same question again, mends what failed in the
// session before and leaves a failure of its own.
func generation(n int, prior distiller.Facts) distiller.Facts {
	s := session()
	before, n := (n+2)%3, n%3
	s.User(fmt.Sprintf("Go on with the importer, part %d. Never touch the pricing table.", n))
	if prior.Task != nil {
		s.Edit(root+fmt.Sprintf("/src/part%d.go", before), "Import")
		s.Shell(fmt.Sprintf("go test ./part%d", before), 0, fmt.Sprintf("ok  \tshop/part%d\t0.1s\n", before))
	}
	s.Edit(root+fmt.Sprintf("/src/part%d.go", n), "Import")
	s.Shell(fmt.Sprintf("go test ./part%d", n), 1, fmt.Sprintf("--- FAIL: TestPart%d (0.00s)\n    part%d_test.go:12: got 1\nFAIL\tshop/part%d\t0.1s\n", n, n, n))
	s.Agent(fmt.Sprintf("Part %d is imported, its test still fails.\n\nOpen questions:\n- Which separator does the supplier use?\n\nNext: make the test of part %d pass.", n, n))
	return extract.Fold(prior, extract.Options{Root: root}, s.All())
}

// repeated names what stands in a list twice.
func repeated[T any](list []T, text func(T) string) []string {
	seen, twice := map[string]bool{}, []string{}
	for _, one := range list {
		if seen[text(one)] {
			twice = append(twice, text(one))
		}
		seen[text(one)] = true
	}
	return twice
}

// What ten sessions hand on is no longer than what four do: nothing stands
// twice, and what is done is gone.
func TestGenerations_NeverGrow(t *testing.T) {
	var facts distiller.Facts
	sizes := make([]int, 10)
	for n := range sizes {
		facts = generation(n, facts)
		data, err := json.Marshal(facts)
		if err != nil {
			t.Fatal(err)
		}
		sizes[n] = len(data)
		statement := func(s distiller.Statement) string { return s.Text }
		for what, twice := range map[string][]string{
			"constraints": repeated(facts.Constraints, statement), "questions": repeated(facts.Questions, statement), "references": repeated(facts.References, statement),
			"failures":  repeated(facts.Failures, func(f distiller.Failure) string { return f.What }),
			"progress":  repeated(facts.Progress, func(p distiller.Progress) string { return p.Text }),
			"decisions": repeated(facts.Decisions, func(d distiller.Decision) string { return d.Question + fmt.Sprint(d.Chosen) }),
			"files":     repeated(facts.Files, func(f distiller.File) string { return f.Path }),
		} {
			if len(twice) > 0 {
				t.Errorf("generation %d has %s twice: %q", n, what, twice)
			}
		}
		open := 0
		for _, f := range facts.Failures {
			if f.Ended == "" {
				open++
			}
		}
		if open != 1 {
			t.Errorf("generation %d has %d open failures, want its own: %+v", n, open, facts.Failures)
		}
	}
	if sizes[9] > sizes[3]*11/10 {
		t.Errorf("the facts grow: %v", sizes)
	}
	if text := render.Handoff(facts, render.Options{}); text.Lines() > 46 {
		t.Errorf("%d lines", text.Lines())
	}
}

// A session that does nothing hands on what it was given, word for word, for as
// many generations as there are.
func TestGenerations_IdleOnesChangeNothing(t *testing.T) {
	given := generation(1, generation(0, distiller.Facts{}))
	given.Worked = false
	want, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	facts := given
	for n, idle := range []*script.Session{
		session(), session().User("hello").Agent("Earlier work was on the importer. Shall I continue?"),
		session().User("hi").Agent("Shall I continue?").User("no thanks").Agent("All right."), session().User("hello"),
	} {
		facts = extract.Fold(facts, extract.Options{Root: root}, idle.All())
		if got, _ := json.Marshal(facts); string(got) != string(want) {
			t.Fatalf("idle session %d hands on\n%s\nwant\n%s", n, got, want)
		}
	}
}
