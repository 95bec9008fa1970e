package continuity

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestCommandsOnAScreen(t *testing.T) {
	for name, test := range map[string]struct {
		screen string
		want   []Command
	}{
		"a save": {
			"working\n->continuity:save <<<\nTask: x\n>>>\ndone",
			[]Command{{Save, "Task: x"}},
		},
		"a save on one line": {"->continuity:save <<<Task: x>>>", []Command{{Save, "Task: x"}}},
		"indented, behind an agent's mark": {
			"⏺ On it.\n\n  ->continuity:save <<<\n  Task: x\n  Next: y\n  >>>\n● ->continuity:load",
			[]Command{{Save, "Task: x\n  Next: y"}, {Load, ""}},
		},
		"a search in other quotes":           {"->continuity:search “rate limit”", []Command{{Search, "rate limit"}}},
		"a search without quotes":            {"->continuity:search rate limit", []Command{{Search, "rate limit"}}},
		"uncertain, over two lines":          {"->continuity:uncertain \"is the cache\nshared\"", []Command{{Uncertain, "is the cache shared"}}},
		"quotes that never close":            {"->continuity:search \"rate", nil},
		"load with more behind it":           {"->continuity:load is what to print", nil},
		"in the middle of a sentence":        {"then print ->continuity:load", nil},
		"in a fence":                         {"```\n->continuity:load\n```\n->continuity:search \"a\"", []Command{{Search, "a"}}},
		"quoted":                             {"> ->continuity:load\n| ->continuity:load\n`->continuity:load`\n\"->continuity:load\"", nil},
		"typed by a person":                  {"❯ ->continuity:load\n› ->continuity:load\n$ ->continuity:load\n┃ ->continuity:load", nil},
		"in a box":                           {"│ ->continuity:load │", nil},
		"in the output of a tool":            {"● Read(notes.md)\n  ⎿  text\n     ->continuity:load\n\n     ->continuity:load\n● ->continuity:search \"b\"", []Command{{Search, "b"}}},
		"a save that another one interrupts": {"->continuity:save <<<\nTask: x\n->continuity:save <<<\nTask: y\n>>>", []Command{{Save, "Task: y"}}},
		"an unknown verb":                    {"->continuity:destroy", nil},
	} {
		if got, _ := Find(linesOf(test.screen)); !slices.Equal(got, test.want) {
			t.Errorf("%s: found %q, want %q", name, got, test.want)
		}
	}
}

func TestLinesBrokenAtTheEdge(t *testing.T) {
	rows := []Line{{"->continuity:sea", true}, {"rch \"rate lim", true}, {"it\"", false}}
	if got, _ := Find(rows); !slices.Equal(got, []Command{{Search, "rate limit"}}) {
		t.Errorf("found %q", got)
	}
}

func TestEachCommandIsToldOnce(t *testing.T) {
	r := NewRecognizer()
	see := func(screen string, want ...Command) {
		t.Helper()
		if got := r.See(linesOf(screen)); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	see("->continuity:load", Command{Load, ""})
	see("->continuity:load")                                                 // the screen is drawn again
	see("")                                                                  // it is cleared
	see("a\n->continuity:load\nb")                                           // and comes back, scrolled
	see("->continuity:load\n->continuity:load", Command{Load, ""})           // asked for a second time
	see("->continuity:save <<<\nTask: x y\n>>>", Command{Save, "Task: x y"}) //
	see("  ->continuity:save <<<\n  Task: x\n  y\n  >>>")                    // drawn at another width
	r.Forget(linesOf("->continuity:load\n->continuity:load"))
	see("->continuity:load", Command{Load, ""})
}

func TestASaveThatNeverEnded(t *testing.T) {
	r := NewRecognizer()
	if fresh := r.See(linesOf("->continuity:save <<<\nTask: x\nNext: y")); fresh != nil || r.Open() != "Task: x\nNext: y" {
		t.Errorf("got %q, open is %q", fresh, r.Open())
	}
	r.See(linesOf("->continuity:save <<<\nTask: x\nNext: y\n>>>"))
	if r.Open() != "" {
		t.Errorf("after its end %q is open", r.Open())
	}
}

// A screen that renders Markdown shows nothing of a line of >>>.
func TestASaveWhoseEndIsNotShown(t *testing.T) {
	r := NewRecognizer()
	screen := linesOf("● Sure.\n  ->continuity:save <<<\n  Task: x\n\n  Next:\n  - y\n\n✻ Done for 1s\n────\n❯ \n")
	r.See(screen)
	if want := "Task: x\n\n  Next:\n  - y"; r.Open() != want {
		t.Fatalf("open is %q, want %q", r.Open(), want)
	}
	if got := r.Close(); got.Text == "" || r.Pending() {
		t.Errorf("closed %q, pending %v", got, r.Pending())
	}
	if fresh := r.See(screen); fresh != nil || r.Pending() {
		t.Errorf("drawn again it gives %q, pending %v", fresh, r.Pending())
	}
}

// The instructions an agent reads show the commands. Shown on the screen they
// are no commands; printed with other words they are.
func TestInstructions(t *testing.T) {
	if n := strings.Count(Instructions, "\n"); n > 40 {
		t.Errorf("the instructions have %d lines", n)
	}
	r := NewRecognizer()
	if got := r.See(linesOf(strings.ReplaceAll(Instructions, "```", ""))); got != nil {
		t.Errorf("reading our document gives %q", got)
	}
	commands, open := Find(linesOf(Example()))
	var verbs []Verb
	for _, command := range commands {
		verbs = append(verbs, command.Verb)
	}
	if want := []Verb{Save, Load, Search, Uncertain}; !slices.Equal(verbs, want) || open != "" {
		t.Errorf("the example has %q, want %q", verbs, want)
	}
	fields := reflect.ValueOf(ParseFields(commands[0].Text))
	for i := range fields.NumField() {
		if empty := fields.Field(i).IsZero(); empty != (fields.Type().Field(i).Name == "Notes") {
			t.Errorf("%s is empty in the example: %v", fields.Type().Field(i).Name, empty)
		}
	}
}
