// Package finder is a search as one types: a line for the query, and below it
// what it finds.
package finder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// ErrStopped says that the person left without choosing.
var ErrStopped = errors.New("canceled")

// Hit is one thing that was found.
type Hit struct {
	Head  string // what and when it is, in one line
	Text  string
	Marks [][2]int // what was looked for in the text: from, to, in bytes
}

// Found is what a query finds. Note is said below the hits.
type Found struct {
	Hits []Hit
	Note string
}

// Finder is where one searches, and what answers.
type Finder struct {
	Query   string // to begin with
	Search  func(ctx context.Context, query string) (Found, error)
	UTF8    bool     // the terminal can show more than ASCII
	In, Out *os.File // a terminal
}

// Run searches until a hit is chosen, and returns its index among the hits of
// the query that stood there then.
func (f Finder) Run(ctx context.Context) (query string, chosen int, err error) {
	input := textinput.New()
	input.Prompt = "search: "
	input.SetVirtualCursor(false)
	input.SetValue(f.Query)
	input.CursorEnd()
	focus := input.Focus()
	start := screen{ctx: ctx, finder: f, input: input, chosen: -1, start: focus}
	end, err := tea.NewProgram(start, tea.WithContext(ctx), tea.WithInput(f.In), tea.WithOutput(f.Out)).Run()
	if ctx.Err() != nil {
		return "", -1, ErrStopped
	}
	if err != nil {
		return "", -1, fmt.Errorf("draw the search: %w", err)
	}
	last, ok := end.(screen)
	if !ok || last.chosen < 0 {
		return "", -1, ErrStopped
	}
	return last.of, last.chosen, nil
}

// screen is what is shown.
type screen struct {
	ctx           context.Context //nolint:containedctx // a model of bubbletea has no other way to its commands
	finder        Finder
	start         tea.Cmd
	input         textinput.Model
	found         Found
	of            string // the query that found it
	at            int    // the hit under the cursor
	chosen        int
	width, height int
}

// answer is what a query found. It may come when another one is typed already.
type answer struct {
	query string
	found Found
}

func (s screen) Init() tea.Cmd { return tea.Batch(s.start, s.search()) }

func (s screen) search() tea.Cmd {
	query := s.input.Value()
	return func() tea.Msg {
		if strings.TrimSpace(query) == "" {
			return answer{query, Found{}}
		}
		found, err := s.finder.Search(s.ctx, query)
		if err != nil {
			found = Found{Note: err.Error()}
		}
		return answer{query, found}
	}
}

func (s screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
		s.input.SetWidth(max(1, msg.Width-len(s.input.Prompt)-1))
		return s, nil
	case answer:
		if msg.query == s.input.Value() {
			s.found, s.of, s.at = msg.found, msg.query, 0
		}
		return s, nil
	case tea.KeyPressMsg:
		switch msg.String() {
		case "esc", "ctrl+c":
			return s, tea.Quit
		case "enter":
			if len(s.found.Hits) > 0 && s.of == s.input.Value() {
				s.chosen = s.at
				return s, tea.Quit
			}
			return s, nil
		case "up", "ctrl+p":
			s.at = max(0, s.at-1)
			return s, nil
		case "down", "ctrl+n":
			s.at = max(0, min(len(s.found.Hits)-1, s.at+1))
			return s, nil
		}
	}
	before := s.input.Value()
	var typed tea.Cmd
	s.input, typed = s.input.Update(msg)
	if s.input.Value() == before {
		return s, typed
	}
	return s, tea.Batch(typed, s.search())
}
