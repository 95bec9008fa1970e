package view_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// numbers reads a list of 1 to 5 in parts.
func numbers(page view.Page) (view.List[int], error) {
	return view.Part(page, func(n int) int { return n }, func(after, limit int) ([]int, error) {
		all := []int{1, 2, 3, 4, 5}
		all = all[after:]
		return all[:min(limit, len(all))], nil
	})
}

func TestPart_GoesOnBehindItsCursor(t *testing.T) {
	first, err := numbers(view.Page{Limit: 3})
	if err != nil || !slices.Equal(first.Items, []int{1, 2, 3}) || first.Next == nil {
		t.Fatalf("%+v: %v", first, err)
	}
	rest, err := numbers(view.Page{Limit: 3, Cursor: *first.Next})
	if err != nil || !slices.Equal(rest.Items, []int{4, 5}) || rest.Next != nil {
		t.Errorf("%+v: %v", rest, err)
	}
	if _, err := numbers(view.Page{Cursor: "none"}); !errors.Is(err, view.ErrInvalid) {
		t.Errorf("a cursor of nobody: %v", err)
	}
}

func TestPart_OfNothingIsAnEmptyList(t *testing.T) {
	list, err := view.Part(view.Page{}, func(n int) int { return n }, func(int, int) ([]int, error) { return nil, nil })
	if data, _ := json.Marshal(list); err != nil || string(data) != `{"schema":1,"items":[],"next":null}` {
		t.Errorf("%s: %v", data, err)
	}
}

func TestAll_ReadsEveryPart(t *testing.T) {
	all, err := view.All(func(page view.Page) (view.List[int], error) { page.Limit = 2; return numbers(page) })
	if err != nil || !slices.Equal(all, []int{1, 2, 3, 4, 5}) {
		t.Errorf("%v: %v", all, err)
	}
}

func TestError_IsOneOfItsCode(t *testing.T) {
	err := fmt.Errorf("show: %w", view.NotFound("there is no session a"))
	if !errors.Is(err, view.ErrNotFound) || errors.Is(err, view.ErrInvalid) {
		t.Error("the code does not decide")
	}
	if shown := view.ErrorOf(err); shown.Message != "show: there is no session a" || shown.Code != view.CodeNotFound || shown.Hint == "" {
		t.Errorf("%+v", shown)
	}
	if shown := view.ErrorOf(errors.New("disk full")); shown.Code != view.CodeInternal || shown.Message != "disk full" {
		t.Errorf("%+v", shown)
	}
}

func TestAgentNotesRequest_LiesFlatInTheBody(t *testing.T) {
	sent := view.AgentNotesRequest{Notes: ledger.AgentLedger{CurrentTask: "review", Completed: []string{"read it"}}, Content: "Next steps: merge"}
	data, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	var flat map[string]json.RawMessage
	if json.Unmarshal(data, &flat) != nil || string(flat["currentTask"]) != `"review"` || string(flat["content"]) != `"Next steps: merge"` {
		t.Errorf("written %s", data)
	}
	var got view.AgentNotesRequest
	if err := json.Unmarshal(data, &got); err != nil || got.Notes.CurrentTask != "review" || got.Content != sent.Content {
		t.Errorf("read %+v: %v", got, err)
	}
}

func TestPage_IsBounded(t *testing.T) {
	for asked, want := range map[int]int{-1: 50, 0: 50, 7: 7, 5000: 1000} {
		if got := (view.Page{Limit: asked}).Bounded().Limit; got != want {
			t.Errorf("%d becomes %d, want %d", asked, got, want)
		}
	}
}
