package finder

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// newScreen is a finder of a terminal without one: a search finds five hits that name
// what was asked.
func newScreen(width, height int) screen {
	input := textinput.New()
	input.Focus()
	f := Finder{
		Filters: []Filter{{Name: "tool", Key: "ctrl+t", Values: []string{"", "codex"}}},
		Search: func(_ context.Context, query string, filters []Filter) (Found, error) {
			var found Found
			for i := range 5 {
				found.Hits = append(found.Hits, Hit{Head: fmt.Sprintf("hit %d of %s %s", i, query, filters[0].Value()), Copy: fmt.Sprint("s:", i)})
			}
			return found, nil
		},
		Preview: func(_ context.Context, _ string, _ []Filter, hit int) (string, error) {
			return fmt.Sprintf("around %d\n\x1b[31mred", hit), nil
		},
	}
	s := screen{ctx: context.Background(), finder: f, input: input, chosen: -1, width: width, height: height}
	return s
}

// after is the screen after a message and all that follows from it.
func after(s screen, msg tea.Msg) screen {
	next, cmd := s.Update(msg)
	now, _ := next.(screen)
	return done(now, cmd)
}

func done(s screen, cmd tea.Cmd) screen {
	if cmd == nil {
		return s
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, one := range msg {
			s = done(s, one)
		}
	case answer, previewed:
		return after(s, msg)
	}
	return s
}

func key(code rune, mod tea.KeyMod) tea.KeyPressMsg {
	pressed := tea.KeyPressMsg{Code: code, Mod: mod}
	if mod == 0 && code >= ' ' && code < 0x7f {
		pressed.Text = string(code)
	}
	return pressed
}

func TestFinder_PreviewsFiltersAndCopies(t *testing.T) {
	for name, size := range map[string][2]int{"beside": {140, 30}, "below": {80, 40}} {
		t.Run(name, func(t *testing.T) {
			s := after(newScreen(size[0], size[1]), key('x', 0))
			if view := s.View().Content; !strings.Contains(view, "hit 0 of x") || !strings.Contains(view, "around 0") || strings.Contains(view, "\x1b[31m") {
				t.Errorf("without the hits and the text around the first:\n%s", view)
			}
			s = after(s, key(tea.KeyDown, 0))
			if view := s.View().Content; !strings.Contains(view, "around 1") {
				t.Errorf("the text is not that around the second hit:\n%s", view)
			}
			s = after(s, key('y', tea.ModCtrl))
			if view := s.View().Content; !strings.Contains(view, "copied s:1") {
				t.Errorf("nothing is copied:\n%s", view)
			}
			s = after(s, key('t', tea.ModCtrl))
			if view := s.View().Content; !strings.Contains(view, "hit 0 of x codex") {
				t.Errorf("it is not filtered:\n%s", view)
			}
			s = after(s, key(tea.KeyDown, 0))
			if s = after(s, key(tea.KeyEnter, 0)); s.chosen != 1 || s.of.query != "x" {
				t.Errorf("hit %d of %q is chosen", s.chosen, s.of.query)
			}
			for _, line := range strings.Split(s.View().Content, "\n") {
				if w := len([]rune(stripped(line))); w > size[0] {
					t.Errorf("a line of %d columns: %q", w, line)
				}
			}
		})
	}
}

// A finder that is opened again stands where it was left.
func TestFinder_GoesOnWhereItWas(t *testing.T) {
	s := newScreen(100, 30)
	s.wanted = 3
	s.input.SetValue("x")
	s = done(s, s.search())
	if s.at != 3 || s.preview != "around 3\n\x1b[31mred" {
		t.Errorf("it stands at %d with %q", s.at, s.preview)
	}
}

func TestFinder_ListsAllWithoutAQuery(t *testing.T) {
	s := newScreen(100, 30)
	if empty := done(s, s.search()); len(empty.found.Hits) != 0 {
		t.Error("an empty query finds something")
	}
	s.finder.Lists = true
	if all := done(s, s.search()); len(all.found.Hits) != 5 {
		t.Errorf("%d hits", len(all.found.Hits))
	}
}

// stripped is a line without colours.
func stripped(line string) string {
	for {
		from := strings.Index(line, "\x1b[")
		if from < 0 {
			return line
		}
		to := strings.IndexByte(line[from:], 'm')
		if to < 0 {
			return line
		}
		line = line[:from] + line[from+to+1:]
	}
}
