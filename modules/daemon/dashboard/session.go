package dashboard

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/picture"
	"github.com/carryover-go/carryover/modules/daemon/dashboard/timeline"
	"github.com/carryover-go/carryover/modules/daemon/dashboard/words"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// manySessions is how many a list of sessions shows at once.
const manySessions = 50

// sessionPages are the pages of sessions.
type sessionPages struct{ *Page }

// sessions is a list of sessions.
type sessions struct {
	List     []sessionRow
	By       sessionFilter
	Tools    []string
	Projects []ledger.Project
	Next     string // address of those before
}

// sessionRow is a session in a list.
type sessionRow struct {
	ledger.Session
	Name string // its title, else its task; "" when neither is known
}

// rows names sessions; wait reads those through that nobody has read yet.
func (p *Page) rows(ctx context.Context, list []ledger.Session, wait bool) []sessionRow {
	rows := make([]sessionRow, len(list))
	for i, one := range list {
		rows[i] = sessionRow{one, p.digests.name(ctx, p.Sessions, one, wait)}
	}
	return rows
}

func (p sessionPages) sessions(r *http.Request) (screen, error) {
	asked := r.URL.Query()
	page := view.Page{Limit: manySessions, Cursor: asked.Get("cursor")}
	data := sessions{By: filterOf(asked), Tools: p.Tools}
	var err error
	if data.Projects, err = p.projectsByPath(r.Context()); err != nil {
		return screen{}, err
	}
	part, err := view.Part(page, ledger.Session.Mark, func(after ledger.SessionMark, limit int) ([]ledger.Session, error) {
		return p.filtered(r.Context(), data.By, after, limit)
	})
	if err != nil {
		return screen{}, err
	}
	data.List = p.rows(r.Context(), part.Items, false)
	if part.Next != nil {
		values := data.By.Values()
		values.Set("cursor", *part.Next)
		data.Next = "/sessions?" + values.Encode()
	}
	return screen{template: "sessions", title: "Sessions", at: "sessions", data: data}, nil
}

// session is the page of one.
type session struct {
	Session     ledger.Session
	Name        string // its title, else its task; "" when neither is known
	URL         string
	Percent     int // of its context that is used; 0 when nobody knows
	From        string
	Whole       bool // with its handoff and seam; else they come after the page
	WholeURL    string
	Handoff     *handoff
	Running     injection // agents that it can be typed into
	Compactions []compaction
	Seam        *view.CompactionDiff
	SeamAt      int // place of the compaction that Seam is about
	Saw         picture.Sawtooth
	Timeline    timeline.Part
	Restores    []ledger.Restore
}

// compaction is a compaction of the session.
type compaction struct {
	Time       time.Time
	Compaction transcript.CompactionInfo
	Index      int
	URL        string // the page with what this compaction kept and lost
}

// sessionNamed finds a session by its id. The beginning of one leads to it.
func (p sessionPages) sessionNamed(r *http.Request) (found ledger.Session, elsewhere string, err error) {
	tool, id := r.PathValue("tool"), r.PathValue("session")
	found, ok, err := p.Ledger.Session(r.Context(), ledger.SessionKey{Tool: tool, ID: id})
	if err != nil || ok {
		return found, "", err
	}
	if found, err = p.Sessions.SessionNamed(r.Context(), id); err != nil {
		return found, "", err
	}
	elsewhere = words.SessionURL(found.Tool, found.ID)
	if r.URL.RawQuery != "" {
		elsewhere += "?" + r.URL.RawQuery
	}
	return found, elsewhere, nil
}

// showSession answers with the page of a session.
func (p sessionPages) showSession(w http.ResponseWriter, r *http.Request) {
	found, elsewhere, err := p.sessionNamed(r)
	if err == nil && elsewhere != "" {
		http.Redirect(w, r, elsewhere, http.StatusFound) // a path of ours, escaped
		return
	}
	var v screen
	if err == nil {
		v, err = p.session(r, found)
	}
	if err != nil {
		p.failed(w, r, err)
		return
	}
	p.show(w, r, v)
}

func (p sessionPages) session(r *http.Request, of ledger.Session) (screen, error) {
	ctx, asked := r.Context(), r.URL.Query()
	data := session{Session: of, URL: words.SessionURL(of.Tool, of.ID)}
	data.WholeURL = data.URL + "?" + url.Values{"whole": {"1"}, "compaction": asked["compaction"]}.Encode()
	data.Whole = asked.Has("compaction") || quick(r, of.Events)
	window := windowOf(asked)
	window.Count = data.Whole && !asked.Has("more") // reads something of every event
	part, err := p.Ledger.EventPart(ctx, of.SessionKey, window)
	if err != nil {
		return screen{}, err
	}
	data.Timeline = timeline.Of(data.URL, part, asked.Get("kind"))
	v := screen{template: "session", title: cmp.Or(of.Title, of.Tool+" "+of.ID), at: "sessions"}
	if asked.Has("more") { // the rest of the page is there already
		v.data = data
		return v, nil
	}
	data.Name = p.digests.name(ctx, p.Sessions, of, data.Whole)
	v.title = cmp.Or(data.Name, v.title)
	if of.Usage != nil {
		data.Percent = p.Sessions.Percent(*of.Usage)
	}
	if of.From != "" {
		data.From = words.SessionURL(of.Tool, of.From)
	}
	if data.Restores, err = p.Ledger.Restores(ctx, of.SessionKey, projectRestores); err != nil {
		return screen{}, err
	}
	if part.Kinds[transcript.Compacted] > 0 {
		if err = p.addCompactions(ctx, &data, asked.Get("compaction")); err != nil {
			return screen{}, err
		}
	}
	if data.Whole {
		if data.Saw, err = sawtoothOf(ctx, p.Ledger, of, part); err != nil {
			return screen{}, err
		}
		if data.Handoff, err = p.handoffOf(ctx, of); err == nil && data.Handoff != nil {
			data.Running, err = agentPages(p).injection(r, data.Handoff.Text)
		}
	}
	v.data = data
	return v, err
}

// addCompactions lists the compactions of a session, and compares one: that which is asked
// for, else the last.
func (p sessionPages) addCompactions(ctx context.Context, data *session, asked string) error {
	part, err := p.Ledger.EventPart(ctx, data.Session.SessionKey, ledger.EventWindow{Kind: transcript.Compacted, Last: true})
	if err != nil || len(part.Events) == 0 {
		return err
	}
	chosen := part.Events[len(part.Events)-1]
	for _, event := range part.Events {
		one := compaction{Time: event.Time, Index: event.Index, URL: data.URL + "?compaction=" + strconv.Itoa(event.Index) + "#seam"}
		if event.Compaction != nil {
			one.Compaction = *event.Compaction
		}
		data.Compactions = append(data.Compactions, one)
		if strconv.Itoa(event.Index) == asked {
			chosen = event
		}
	}
	seam, err := p.Sessions.CompactionAt(ctx, data.Session, chosen.Located)
	if errors.Is(err, view.ErrNotFound) {
		return nil
	}
	data.Seam, data.SeamAt = &seam, chosen.Index
	return err
}

// windowOf is the part of the timeline that an address asks for: its end, when
// it asks for none.
func windowOf(asked url.Values) ledger.EventWindow {
	number := func(name string) int64 {
		n, err := strconv.ParseInt(asked.Get(name), 10, 64)
		if err != nil || n < 0 {
			return 0
		}
		return n
	}
	window := ledger.EventWindow{Kind: transcript.Kind(asked.Get("kind")), Limit: timeline.Many}
	switch {
	case asked.Has("line") || asked.Has("offset"):
		window.Around = transcript.Ref{Line: number("line"), Offset: number("offset")}
	case asked.Has("from"):
		window.From = int(number("from"))
	case asked.Has("before"):
		window.Before = int(number("before"))
	default:
		window.Last = true
	}
	return window
}

// manyUsage bounds the usage records that a sawtooth is drawn from: the newest.
const manyUsage = 4000

// sawtoothOf draws how full the context of a session was. whole says how many
// events of each kind there are.
func sawtoothOf(ctx context.Context, from Ledger, of ledger.Session, whole ledger.EventPart) (picture.Sawtooth, error) {
	if whole.Kinds[transcript.UsageRead] < 2 {
		return picture.Sawtooth{}, nil
	}
	events := map[transcript.Kind][]ledger.IndexedEvent{}
	for _, kind := range []transcript.Kind{transcript.UsageRead, transcript.Compacted, transcript.Restored} {
		if whole.Kinds[kind] == 0 {
			continue
		}
		part, err := from.EventPart(ctx, of.SessionKey, ledger.EventWindow{Kind: kind, Last: true, Limit: manyUsage})
		if err != nil {
			return picture.Sawtooth{}, err
		}
		events[kind] = part.Events
	}
	var usage []picture.Used
	var window int64
	for _, event := range events[transcript.UsageRead] {
		if event.Usage != nil && !event.Subagent {
			usage = append(usage, picture.Used{Index: event.Index, Tokens: event.Usage.Context})
			window = max(window, event.Usage.Window)
		}
	}
	return picture.SawtoothOf(usage, indexesOf(events[transcript.Compacted]), indexesOf(events[transcript.Restored]), whole.Total, window), nil
}

func indexesOf(events []ledger.IndexedEvent) []int {
	indexes := make([]int, len(events))
	for i, event := range events {
		indexes[i] = event.Index
	}
	return indexes
}
