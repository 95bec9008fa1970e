package dashboard

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// manyEvents is how many events of a session a page shows at once.
const manyEvents = 100

// Texts are shown to a bound, in runes: so much at once, so much when opened.
const (
	textShown  = 600
	textOpened = 20_000
)

// timeline is a part of a session's events.
type timeline struct {
	Events  []event
	Total   int
	Kind    string // only events of it
	Kinds   []kindCount
	All     string // address of the timeline without a kind
	Earlier *step
	Later   *step
	News    *step  // to what comes behind the last event, when that is shown
	Begin   string // address of the beginning, when it is not shown
}

// step leads to another part of a timeline.
type step struct {
	Page string // address of a whole page
	Part string // of one with nothing besides, to be put into this page
}

// kindCount is a kind of events with how many there are.
type kindCount struct {
	Kind  string
	Count int
	URL   string
}

// timed has a time that may be unknown.
type timed struct{ Time time.Time }

// event is one as the timeline shows it.
type event struct {
	timed
	Anchor  string // id of the row
	Ref     string // line, or offset where there are none
	Found   bool   // it stands where something was looked for
	At      bool   // it is the first that does
	Kind    transcript.Kind
	Who     string // what stands in front: who said it, or what it is
	Head    string // one line
	Text    string // what is shown of the text at once
	More    string // the rest of it, when it is opened
	Summary string // what stands in the place of More until then; "more" when empty
	Cut     int    // runes that are not shown at all
	Code    bool   // the text is of a program
	Failed  bool
	Faint   bool // a machine's, a subagent's, or taken back
	Notes   []string
	Items   []transcript.Item
	Chosen  []string
	Because string
	Outcome *event // of a call: its result, when the same part has it
}

// timelineOf arranges a part of a session.
func timelineOf(at string, part ledger.EventPart, kind string) timeline {
	to := func(name string, place int) *step {
		values := url.Values{name: {fmt.Sprint(place)}}
		if kind != "" {
			values.Set("kind", kind)
		}
		page := at + "?" + values.Encode()
		return &step{page + "#events", page + "&more=1"}
	}
	t := timeline{Total: part.Total, Kind: kind, All: at + "#events"}
	lines, calls := map[string]bool{}, map[string]int{}
	for _, placed := range part.Events {
		shown := eventOf(placed)
		shown.At, shown.Found = placed.Place == part.Found, beside(placed, part)
		if line := fmt.Sprint("L", placed.Ref.Line); placed.Ref.Line > 0 && !placed.Subagent && !lines[line] {
			lines[line] = true
			shown.Anchor = line
		}
		if result := placed.Result; result != nil {
			if at, known := calls[result.CallID]; known {
				t.Events[at].fold(shown)
				continue
			}
		}
		if call := placed.Call; call != nil && call.ID != "" {
			calls[call.ID] = len(t.Events)
		}
		t.Events = append(t.Events, shown)
	}
	next := 0
	if n := len(part.Events); n > 0 {
		next = part.Events[n-1].Place + 1
		if part.Earlier {
			t.Earlier, t.Begin = to("before", part.Events[0].Place), to("from", 0).Page
		}
	}
	if part.Later {
		t.Later = to("from", next)
	} else {
		t.News = to("from", next)
	}
	for _, name := range slices.Sorted(maps.Keys(part.Kinds)) {
		t.Kinds = append(t.Kinds, kindCount{string(name), part.Kinds[name], at + "?" + url.Values{"kind": {string(name)}}.Encode() + "#events"})
	}
	return t
}

// fold puts the result of a call below it.
func (s *event) fold(result event) {
	s.Outcome = &result
	s.Failed = s.Failed || result.Failed
	s.Found, s.At = s.Found || result.Found, s.At || result.At
}

// Short is what stands in one line for a result.
func (s event) Short() string {
	if s.Text == "" {
		return cmp.Or(s.Summary, s.Head, "no output")
	}
	first, _, _ := strings.Cut(s.Text, "\n")
	return shorten(160, first)
}

// beside says whether an event stands in the line that was looked for: one line
// may tell of several.
func beside(event ledger.PlacedEvent, part ledger.EventPart) bool {
	if part.Found < 0 {
		return false
	}
	at := slices.IndexFunc(part.Events, func(e ledger.PlacedEvent) bool { return e.Place == part.Found })
	return at >= 0 && event.Ref.Line == part.Events[at].Ref.Line && event.Ref.Offset == part.Events[at].Ref.Offset &&
		event.Subagent == part.Events[at].Subagent
}

// eventOf says what happened.
func eventOf(placed ledger.PlacedEvent) event {
	e := placed.Event
	shown := event{
		timed: timed{e.Time}, Anchor: fmt.Sprint("e", placed.Place), Kind: e.Kind, Who: string(e.Kind),
		Faint: e.Subagent || e.Withdrawn,
	}
	if at := cmp.Or(placed.Ref.Line, placed.Ref.Offset); at > 0 {
		shown.Ref = fmt.Sprint(at)
	}
	if e.Subagent {
		shown.Notes = append(shown.Notes, "subagent")
	}
	if e.Withdrawn {
		shown.Notes = append(shown.Notes, "taken back")
	}
	shown.setText(e.Text)
	switch e.Kind {
	case transcript.Prompt:
		shown.ofPrompt(e.Origin)
	case transcript.Reply:
		shown.Who = "agent"
	}
	shown.ofCall(e)
	shown.ofRest(e)
	return shown
}

func (s *event) ofPrompt(origin transcript.Origin) {
	s.Who = "you"
	switch origin {
	case transcript.Queued:
		s.Notes = append(s.Notes, "while it was working")
	case transcript.Machine, transcript.Injected:
		s.Who, s.Faint = string(origin), true
	}
}

// ofCall adds a call of a tool, or its outcome.
func (s *event) ofCall(e transcript.Event) {
	if call := e.Call; call != nil {
		s.Who = cmp.Or(string(call.Meaning), "call")
		s.Notes = append(s.Notes, call.Name)
		s.Head = strings.Join(call.Paths, " ")
		if call.Detail != "" && call.Command == "" {
			s.Head = strings.TrimSpace(s.Head + " " + call.Detail)
		} else if call.Detail != "" {
			s.Notes = append(s.Notes, call.Detail)
		}
		if call.Command != "" {
			s.setText(call.Command)
			s.Code = true
		}
	}
	if result := e.Result; result != nil {
		s.Code, s.Failed = true, result.Failed
		if result.Failed {
			s.Notes = append(s.Notes, "failed")
		}
		if result.ExitCode != nil && *result.ExitCode != 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("exit code %d", *result.ExitCode))
		}
		if result.Outcome != "" {
			s.Notes = append(s.Notes, string(result.Outcome))
		}
		s.ofOutput(*result)
	}
}

// ofOutput shows what a failed call said; what others said is a click away.
func (s *event) ofOutput(result transcript.ResultInfo) {
	s.setText(result.Text)
	s.Faint = s.Faint || !result.Failed
	switch {
	case s.Text == "":
		s.Head = "no output"
	case !result.Failed:
		first, _, _ := strings.Cut(s.Text, "\n")
		s.Summary, s.More, s.Text = shorten(160, first), s.Text+s.More, ""
	}
}

// ofRest adds what the rarer kinds hold.
func (s *event) ofRest(e transcript.Event) {
	if d := e.Decision; d != nil {
		s.Head, s.Chosen, s.Because = cmp.Or(d.Question, d.Topic), d.Chosen, d.Rationale
		s.Notes = append(s.Notes, d.Kind)
	}
	s.Items = e.Items
	if u := e.Usage; u != nil {
		s.Head, s.Faint = fmt.Sprintf("%d tokens", u.Context), true
		if u.Model != "" {
			s.Notes = append(s.Notes, u.Model)
		}
	}
	if c := e.Compaction; c != nil {
		s.Who = "context cut"
		s.Head = c.Trigger
		if c.PreTokens > 0 {
			s.Head = strings.TrimSpace(fmt.Sprintf("%s, %d tokens before", s.Head, c.PreTokens))
		}
		if c.PostTokens > 0 {
			s.Head += fmt.Sprintf(", %d after", c.PostTokens)
		}
	}
	if g := e.Git; g != nil {
		s.Head, s.Faint = strings.TrimSpace(g.Branch+" "+shorten(10, g.Head)), true
	}
	if c := e.Code; c != nil {
		s.Head, s.Faint = c.Path+" "+strings.Join(e.Symbols, " "), true
	}
	if p := e.Place; p != nil && s.Head == "" && e.Kind == transcript.Session {
		s.Head, s.Faint = strings.TrimSpace(p.Cwd+" "+p.Branch), true
	}
}

// setText shows the beginning of a text at once, and more when it is opened.
func (s *event) setText(text string) {
	text = strings.TrimSpace(text)
	s.More, s.Cut = "", max(0, utf8.RuneCountInString(text)-textOpened)
	runes := []rune(text[:min(len(text), utf8.UTFMax*textOpened)])
	runes = runes[:min(len(runes), textOpened)]
	if len(runes) <= textShown+textShown/3 { // a few more are not worth a click
		s.Text = string(runes)
		return
	}
	s.Text, s.More = string(runes[:textShown]), string(runes[textShown:])
}
