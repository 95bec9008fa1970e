// Package finder is a search as one types: a line for the query, filters, what it finds,
// and the text around the hit under the cursor.
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

// ErrStopped says that the person left.
var ErrStopped = errors.New("canceled")

// Hit is one thing that was found.
type Hit struct {
	Head  string // what and when it is, in one line
	Text  string
	Marks [][2]int // what was looked for in the text: from, to, in bytes
	Copy  string   // what the key that copies puts into the clipboard
}

// Found is what a query finds. Note is said below the hits.
type Found struct {
	Hits []Hit
	Note string
}

// Filter narrows a search to one of its values; the first is "", for all.
type Filter struct {
	Name   string
	Key    string // goes to the next value
	Values []string
	Chosen int
}

// Value is the one that is chosen.
func (f Filter) Value() string {
	if f.Chosen < len(f.Values) {
		return f.Values[f.Chosen]
	}
	return ""
}

// Finder is where one searches, and what answers. Its exported state is where the next
// Run goes on.
type Finder struct {
	Query   string // to begin with
	At      int    // the hit under the cursor
	Filters []Filter
	Lists   bool // without a query, all that there is
	Search  func(ctx context.Context, query string, filters []Filter) (Found, error)
	// Preview is the text around a hit of what was found last, by its index.
	Preview func(ctx context.Context, query string, filters []Filter, hit int) (string, error)
	UTF8    bool     // the terminal can show more than ASCII
	In, Out *os.File // a terminal
}

// Run searches until a hit is chosen, and returns its index among the hits of the query
// and the filters that the finder has then.
func (f *Finder) Run(ctx context.Context) (chosen int, err error) {
	input := textinput.New()
	input.Prompt = "search: "
	input.SetVirtualCursor(false)
	input.SetValue(f.Query)
	input.CursorEnd()
	focus := input.Focus()
	start := screen{ctx: ctx, finder: *f, input: input, chosen: -1, wanted: f.At, start: focus}
	end, err := tea.NewProgram(start, tea.WithContext(ctx), tea.WithInput(f.In), tea.WithOutput(f.Out)).Run()
	if ctx.Err() != nil {
		return -1, ErrStopped
	}
	if err != nil {
		return -1, fmt.Errorf("draw the search: %w", err)
	}
	last, ok := end.(screen)
	if !ok || last.chosen < 0 {
		return -1, ErrStopped
	}
	f.Query, f.At, f.Filters = last.of.query, last.chosen, last.finder.Filters
	return last.chosen, nil
}

// asked is a query with the filters it was asked with.
type asked struct {
	query   string
	filters string
}

// screen is what is shown.
type screen struct {
	ctx           context.Context //nolint:containedctx // a model of bubbletea has no other way to its commands
	finder        Finder
	start         tea.Cmd
	input         textinput.Model
	found         Found
	of            asked  // what found it
	at            int    // the hit under the cursor
	wanted        int    // the hit to begin with, once there are hits
	preview       string // the text around that hit
	said          string // what a key did
	chosen        int
	width, height int
}

// answer is what a query found. It may come when another one is typed already.
type answer struct {
	of    asked
	found Found
}

// previewed is the text around a hit.
type previewed struct {
	of   asked
	hit  int
	text string
}

func (s screen) Init() tea.Cmd { return tea.Batch(s.start, s.search()) }

// asks is what is searched for now.
func (s screen) asks() asked {
	var chosen []string
	for _, filter := range s.finder.Filters {
		chosen = append(chosen, filter.Value())
	}
	return asked{s.input.Value(), strings.Join(chosen, "\x00")}
}

func (s screen) search() tea.Cmd {
	of, filters := s.asks(), s.finder.Filters
	return func() tea.Msg {
		if strings.TrimSpace(of.query) == "" && !s.finder.Lists {
			return answer{of, Found{}}
		}
		found, err := s.finder.Search(s.ctx, of.query, filters)
		if err != nil {
			found = Found{Note: err.Error()}
		}
		return answer{of, found}
	}
}

// look reads the text around the hit under the cursor.
func (s screen) look() tea.Cmd {
	if s.finder.Preview == nil || len(s.found.Hits) == 0 {
		return nil
	}
	of, filters, hit := s.of, s.finder.Filters, s.at
	return func() tea.Msg {
		text, err := s.finder.Preview(s.ctx, of.query, filters, hit)
		if err != nil {
			text = err.Error()
		}
		return previewed{of, hit, text}
	}
}

func (s screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
		s.input.SetWidth(max(1, msg.Width-len(s.input.Prompt)-1))
		return s, nil
	case answer:
		if msg.of == s.asks() {
			s.found, s.of, s.preview = msg.found, msg.of, ""
			s.at = max(0, min(s.wanted, len(s.found.Hits)-1))
			s.wanted = 0
			return s, s.look()
		}
		return s, nil
	case previewed:
		if msg.of == s.of && msg.hit == s.at {
			s.preview = msg.text
		}
		return s, nil
	case tea.KeyPressMsg:
		if next, cmd, known := s.pressed(msg.String()); known {
			return next, cmd
		}
	}
	before := s.input.Value()
	var typed tea.Cmd
	s.input, typed = s.input.Update(msg)
	if s.input.Value() == before {
		return s, typed
	}
	s.said = ""
	return s, tea.Batch(typed, s.search())
}

// pressed does what a key is for; known is false for one that is typed.
func (s screen) pressed(key string) (next screen, cmd tea.Cmd, known bool) {
	switch key {
	case "esc", "ctrl+c":
		return s, tea.Quit, true
	case "enter":
		if len(s.found.Hits) > 0 && s.of == s.asks() {
			s.chosen = s.at
			return s, tea.Quit, true
		}
		return s, nil, true
	case "up", "ctrl+p":
		return s.moved(-1)
	case "down", "ctrl+n":
		return s.moved(1)
	case "ctrl+y":
		if s.at < len(s.found.Hits) && s.found.Hits[s.at].Copy != "" {
			s.said = "copied " + s.found.Hits[s.at].Copy
			return s, tea.SetClipboard(s.found.Hits[s.at].Copy), true
		}
		return s, nil, true
	}
	for i, filter := range s.finder.Filters {
		if key == filter.Key && len(filter.Values) > 0 {
			filters := append([]Filter(nil), s.finder.Filters...) // those of a search that runs stay
			filters[i].Chosen = (filter.Chosen + 1) % len(filter.Values)
			s.finder.Filters, s.said = filters, ""
			return s, s.search(), true
		}
	}
	return s, nil, false
}

// moved goes to another hit.
func (s screen) moved(by int) (screen, tea.Cmd, bool) {
	s.at, s.preview, s.said = max(0, min(len(s.found.Hits)-1, s.at+by)), "", ""
	return s, s.look(), true
}
