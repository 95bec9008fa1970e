// Package timeline arranges the events of a session as a page shows them: calls with
// their results below them, replies as their Markdown says, edits as differences.
package timeline

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/markup"
	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Many is how many events of a session a page shows at once.
const Many = 100

// Texts are shown to a bound, in runes: so much at once, so much when opened.
const (
	textShown  = 600
	textOpened = 20_000
)

// Part is a part of a session's events.
type Part struct {
	Events  []Event
	Total   int
	Kind    string // only events of it
	Kinds   []KindCount
	All     string // address of the timeline without a kind
	Earlier *Step
	Later   *Step
	News    *Step  // to what comes behind the last event, when that is shown
	Begin   string // address of the beginning, when it is not shown
	Edits   string // address of what the calls shown here changed; "" without such a call
}

// Step leads to another part of a timeline.
type Step struct {
	Page string // address of a whole page
	Part string // of one with nothing besides, to be put into this page
}

// KindCount is a kind of events with how many there are.
type KindCount struct {
	Kind  string
	Count int
	URL   string
}

// Event is one as the timeline shows it.
type Event struct {
	Time    time.Time
	Index   int    // of the event in its session
	Anchor  string // id of the row
	Ref     string // line, or offset where there are none, or the id of the row: a link needs a word
	Found   bool   // it stands where something was looked for
	At      bool   // it is the first that does
	Kind    transcript.Kind
	Who     string // what stands in front: who said it, or what it is
	Head    string // one line
	Text    string // what is shown of the text at once
	More    string // the rest of it, when it is opened
	Summary string // what stands in the place of More until then; "more" when empty
	Hidden  int    // runes that are not shown at all
	Code    bool   // the text is of a program
	Failed  bool
	Faint   bool // a machine's, a subagent's, or taken back
	Notes   []string
	Items   []transcript.Item
	Chosen  []string
	Because string
	Outcome *Event // of a call: its result, when the same part has it
	// Marked and MarkedMore are Text and More where they are Markdown.
	Marked, MarkedMore []markup.Node
	Edits              bool // it is a call whose difference can be shown
}

// Of arranges a part of a session.
func Of(at string, part ledger.EventPart, kind string) Part {
	to := func(name string, index int) *Step {
		values := url.Values{name: {fmt.Sprint(index)}}
		if kind != "" {
			values.Set("kind", kind)
		}
		page := at + "?" + values.Encode()
		return &Step{page + "#events", page + "&more=1"}
	}
	t := Part{Total: part.Total, Kind: kind, All: at + "#events"}
	lines, calls := map[string]bool{}, map[string]int{}
	for _, placed := range part.Events {
		shown := eventOf(placed)
		shown.At, shown.Found = placed.Index == part.Found, beside(placed, part)
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
		next = part.Events[n-1].Index + 1
		if part.Earlier {
			t.Earlier, t.Begin = to("before", part.Events[0].Index), to("from", 0).Page
		}
	}
	if slices.ContainsFunc(t.Events, func(one Event) bool { return one.Edits }) {
		asked := url.Values{"from": {fmt.Sprint(part.Events[0].Index)}}
		if kind != "" {
			asked.Set("kind", kind)
		}
		t.Edits = at + "/edits?" + asked.Encode()
	}
	if part.Later {
		t.Later = to("from", next)
	} else {
		t.News = to("from", next)
	}
	for _, name := range slices.Sorted(maps.Keys(part.Kinds)) {
		t.Kinds = append(t.Kinds, KindCount{string(name), part.Kinds[name], at + "?" + url.Values{"kind": {string(name)}}.Encode() + "#events"})
	}
	return t
}

// fold puts the result of a call below it.
func (s *Event) fold(result Event) {
	s.Outcome = &result
	s.Failed = s.Failed || result.Failed
	s.Found, s.At = s.Found || result.Found, s.At || result.At
}

// Short is what stands in one line for a result.
func (s Event) Short() string {
	if s.Text == "" {
		return cmp.Or(s.Summary, s.Head, "no output")
	}
	first, _, _ := strings.Cut(s.Text, "\n")
	return display.Shorten(160, first)
}

// beside says whether an event stands in the line that was looked for: one line
// may tell of several.
func beside(event ledger.IndexedEvent, part ledger.EventPart) bool {
	if part.Found < 0 {
		return false
	}
	at := slices.IndexFunc(part.Events, func(e ledger.IndexedEvent) bool { return e.Index == part.Found })
	return at >= 0 && event.Ref.Line == part.Events[at].Ref.Line && event.Ref.Offset == part.Events[at].Ref.Offset &&
		event.Subagent == part.Events[at].Subagent
}

// eventOf says what happened.
func eventOf(placed ledger.IndexedEvent) Event {
	e := placed.Event
	shown := Event{
		Time: e.Time, Index: placed.Index, Anchor: fmt.Sprint("e", placed.Index), Kind: e.Kind, Who: string(e.Kind),
		Faint: e.Subagent || e.Withdrawn,
	}
	shown.Ref = shown.Anchor // what a hook, git or the terminal told stands in no transcript
	if at := cmp.Or(placed.Ref.Line, placed.Ref.Offset); at > 0 {
		shown.Ref = fmt.Sprint(at)
	}
	if e.Subagent {
		shown.Notes = append(shown.Notes, "subagent")
	}
	if e.Withdrawn {
		shown.Notes = append(shown.Notes, "taken back")
	}
	if marked := e.Kind == transcript.Reply || e.Kind == transcript.Plan; marked {
		shown.setMarked(e.Text)
	} else {
		shown.setText(e.Text)
	}
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

func (s *Event) ofPrompt(origin transcript.Origin) {
	s.Who = "you"
	switch origin {
	case transcript.Queued:
		s.Notes = append(s.Notes, "while it was working")
	case transcript.Machine, transcript.Injected:
		s.Who, s.Faint = string(origin), true
	}
}

// ofCall adds a call of a tool, or its outcome.
func (s *Event) ofCall(e transcript.Event) {
	if call := e.Call; call != nil {
		s.Who = cmp.Or(string(call.Meaning), "call")
		s.Notes = append(s.Notes, call.Name)
		s.Head = strings.Join(call.Paths, " ")
		if call.Detail != "" && call.Command == "" {
			s.Head = strings.TrimSpace(s.Head + " " + call.Detail)
		} else if call.Detail != "" {
			s.Notes = append(s.Notes, call.Detail)
		}
		s.Edits = (call.Meaning == transcript.Edit || call.Meaning == transcript.Write) && call.ID != ""
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
func (s *Event) ofOutput(result transcript.ResultInfo) {
	s.setText(result.Text)
	s.Faint = s.Faint || !result.Failed
	switch {
	case s.Text == "":
		s.Head = "no output"
	case !result.Failed:
		first, _, _ := strings.Cut(s.Text, "\n")
		s.Summary, s.More, s.Text = display.Shorten(160, first), s.Text+s.More, ""
	}
}

// ofRest adds what the rarer kinds hold.
func (s *Event) ofRest(e transcript.Event) {
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
		s.Who = "context compaction"
		s.Head = c.Trigger
		if c.PreTokens > 0 {
			s.Head = strings.TrimSpace(fmt.Sprintf("%s, %d tokens before", s.Head, c.PreTokens))
		}
		if c.PostTokens > 0 {
			s.Head += fmt.Sprintf(", %d after", c.PostTokens)
		}
	}
	if g := e.Git; g != nil {
		s.Head, s.Faint = strings.TrimSpace(g.Branch+" "+display.Shorten(10, g.Head)), true
	}
	if c := e.Code; c != nil {
		s.Head, s.Faint = c.Path+" "+strings.Join(e.Symbols, " "), true
	}
	if p := e.WorkDir; p != nil && s.Head == "" && e.Kind == transcript.Session {
		s.Head, s.Faint = strings.TrimSpace(p.Cwd+" "+p.Branch), true
	}
	if start := e.Start; start != nil && e.Kind == transcript.Session {
		s.Head, s.Faint = strings.Join(strings.Fields(strings.Join([]string{s.Head, start.Version, start.Model}, " ")), " "), true
	}
}

// setText shows the beginning of a text at once, and more when it is opened.
func (s *Event) setText(text string) {
	text = strings.TrimSpace(text)
	s.More, s.Hidden = "", max(0, utf8.RuneCountInString(text)-textOpened)
	runes := []rune(text[:min(len(text), utf8.UTFMax*textOpened)])
	runes = runes[:min(len(runes), textOpened)]
	if len(runes) <= textShown+textShown/3 { // a few more are not worth a click
		s.Text = string(runes)
		return
	}
	s.Text, s.More = string(runes[:textShown]), string(runes[textShown:])
}

// setMarked is setText for Markdown, which is parted between paragraphs.
func (s *Event) setMarked(markdown string) {
	s.setText(markdown)
	if whole := s.Text + s.More; s.More != "" {
		at := markup.Split(whole, len(s.Text)+textShown)
		s.Text, s.More = whole[:at], strings.TrimLeft(whole[at:], "\n")
	}
	s.Marked, s.MarkedMore = markup.Parse(display.Plain(s.Text)), markup.Parse(display.Plain(s.More))
}
