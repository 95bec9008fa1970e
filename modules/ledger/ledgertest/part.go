package ledgertest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// part asks for a part of the session s1 and tells the ids in it.
func (f fixture) part(window ledger.EventWindow) (ids []string, part ledger.EventPart) {
	f.Helper()
	part, err := f.log.EventPart(context.Background(), key("s1"), window)
	if err != nil {
		f.Fatal(err)
	}
	for _, event := range part.Events {
		ids = append(ids, event.ID)
	}
	return ids, part
}

func testParts(t *testing.T, open Open) {
	f := newFixture(t, open)
	var events []transcript.Event
	for i := range 10 {
		event := prompt(fmt.Sprint(i), "ask")
		if i%3 == 0 {
			event = reply(fmt.Sprint(i), "say")
		}
		events = append(events, event)
	}
	f.append(file("s1", events...))
	replies := transcript.Reply
	for name, test := range map[string]struct {
		window         ledger.EventWindow
		want           []string
		earlier, later bool
	}{
		"all":                  {ledger.EventWindow{}, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, false, false},
		"the first":            {ledger.EventWindow{Limit: 3}, []string{"0", "1", "2"}, false, true},
		"from a place":         {ledger.EventWindow{From: 3, Limit: 3}, []string{"3", "4", "5"}, true, true},
		"to the end":           {ledger.EventWindow{From: 7, Limit: 3}, []string{"7", "8", "9"}, true, false},
		"behind the end":       {ledger.EventWindow{From: 70, Limit: 3}, nil, true, false},
		"before a place":       {ledger.EventWindow{Before: 5, Limit: 3}, []string{"2", "3", "4"}, true, true},
		"before the beginning": {ledger.EventWindow{Before: 2, Limit: 3}, []string{"0", "1"}, false, true},
		"the last":             {ledger.EventWindow{Last: true, Limit: 3}, []string{"7", "8", "9"}, true, false},
		"a kind":               {ledger.EventWindow{Kind: replies, Limit: 3}, []string{"0", "3", "6"}, false, true},
		"the rest of a kind":   {ledger.EventWindow{Kind: replies, From: 7, Limit: 3}, []string{"9"}, true, false},
		"a kind before":        {ledger.EventWindow{Kind: replies, Before: 9, Limit: 2}, []string{"3", "6"}, true, true},
		"the last of a kind":   {ledger.EventWindow{Kind: replies, Last: true, Limit: 2}, []string{"6", "9"}, true, false},
		"a kind there is not":  {ledger.EventWindow{Kind: transcript.Todo}, nil, false, false},
		"around a line":        {ledger.EventWindow{Around: transcript.Ref{Line: 6}, Limit: 3}, []string{"4", "5", "6"}, true, true},
		"around a line unread": {ledger.EventWindow{Around: transcript.Ref{Line: 99}, Limit: 3}, []string{"8", "9"}, true, false},
		"around an offset":     {ledger.EventWindow{Around: transcript.Ref{Offset: 500}, Limit: 3}, []string{"4", "5", "6"}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			uncounted, without := fixture{t, f.log}.part(test.window)
			test.window.Count = true
			ids, part := fixture{t, f.log}.part(test.window)
			if !slices.Equal(uncounted, ids) || without.Total != part.Total || without.Earlier != part.Earlier || without.Later != part.Later {
				t.Errorf("without a count of kinds it is %q of %d, earlier %t, later %t", uncounted, without.Total, without.Earlier, without.Later)
			}
			if !slices.Equal(ids, test.want) || part.Earlier != test.earlier || part.Later != test.later {
				t.Errorf("%q, earlier %t, later %t", ids, part.Earlier, part.Later)
			}
			if part.Total != 10 || part.Kinds[replies] != 4 || part.Kinds[transcript.Prompt] != 6 {
				t.Errorf("of %d events: %v", part.Total, part.Kinds)
			}
			for i, event := range part.Events {
				if fmt.Sprint(event.Index) != ids[i] {
					t.Errorf("event %s is at %d", ids[i], event.Index)
				}
			}
		})
	}

	t.Run("put together they are all", func(t *testing.T) {
		f := fixture{t, f.log}
		var all []string
		for from, more := 0, true; more; {
			ids, part := f.part(ledger.EventWindow{From: from, Limit: 4})
			all, more = append(all, ids...), part.Later
			from = part.Events[len(part.Events)-1].Index + 1
		}
		if !slices.Equal(all, f.ids("s1")) {
			t.Errorf("the parts are %q", all)
		}
	})

	t.Run("a line of the session before one of its subagent", func(t *testing.T) {
		f := newFixture(t, open)
		sub := file("agent-1", transcript.Event{ID: "x", Session: "s1", Kind: transcript.Prompt, Subagent: true})
		sub.Source.Main, sub.Source.Subagent = "s1", true
		f.append(sub)
		f.append(file("s1", prompt("a", "one")))
		_, part := f.part(ledger.EventWindow{Around: transcript.Ref{Line: 1}})
		if part.Found < 0 || part.Events[part.Found].ID != "a" {
			t.Errorf("found is %d", part.Found)
		}
	})
}
