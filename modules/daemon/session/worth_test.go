package session

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// days is a ledger of sessions of one worktree, each later than the one before.
type days struct {
	t *testing.T
	*Service
	log *counted
	n   int
}

const worktree = "/home/dev/p"

func newDays(t *testing.T) *days {
	t.Helper()
	identify := func(string) (ledger.ProjectIdentity, bool) {
		return ledger.ProjectIdentity{Common: worktree, Worktree: worktree}, true
	}
	log, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.sqlite"), sqlite.Options{Identify: identify})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	c := &counted{Store: log}
	return &days{t: t, Service: New(c), log: c}
}

// session keeps a session and returns its name.
func (d *days) session(events ...transcript.Event) ledger.SessionKey {
	d.t.Helper()
	d.n++
	id := fmt.Sprintf("s%d", d.n)
	at := time.Date(2026, 11, 1, 0, 0, d.n*600, 0, time.UTC)
	located := []transcript.Located{{Event: transcript.Event{Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: worktree}}}}
	for _, event := range events {
		located = append(located, transcript.Located{Event: event})
	}
	for i := range located {
		located[i].Tool, located[i].Session, located[i].ID = "codex", id, fmt.Sprintf("%s/%d", id, i)
		located[i].Time = at.Add(time.Duration(i) * time.Millisecond)
		located[i].Ref = transcript.Ref{Offset: int64(i + 1), Line: int64(i + 1)}
	}
	source := ledger.Source{Tool: "codex", Path: id, Main: id, Position: transcript.Position{Offset: int64(len(located) + 1)}}
	if _, err := d.log.Append(context.Background(), ledger.Batch{Source: source, Events: located}); err != nil {
		d.t.Fatal(err)
	}
	return ledger.SessionKey{Tool: "codex", ID: id}
}

// given records that a session began with the handoff of another one.
func (d *days) given(to, from ledger.SessionKey) {
	d.t.Helper()
	err := d.log.RecordRestore(context.Background(), ledger.Restore{Session: to, From: from, Event: "SessionStart", Decision: ledger.RestoredFull, Time: time.Date(2026, 11, 2, 0, 0, d.n, 0, time.UTC)})
	if err != nil {
		d.t.Fatal(err)
	}
}

func typed(text string) transcript.Event {
	return transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Text: text}
}

func reply(text string) transcript.Event {
	return transcript.Event{Kind: transcript.Reply, Text: text}
}

// work is a session with a request, an edit for each n, and a reply.
func (d *days) work(request string, n int) ledger.SessionKey {
	events := []transcript.Event{typed(request)}
	for i := range n {
		name := fmt.Sprintf("f%d.go", i)
		events = append(events, wrote(name), transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "call " + name, Text: "ok"}})
	}
	return d.session(append(events, reply("That is done.\n\nNext: write the docs of it."))...)
}

func (d *days) stands() (ledger.SessionKey, Worth) {
	d.t.Helper()
	session, value, _, err := d.StandingWorth(context.Background(), ledger.SessionFilter{Worktree: worktree})
	if err != nil {
		d.t.Fatal(err)
	}
	return session.SessionKey, value
}

func TestStanding_IsTheLastWork(t *testing.T) {
	d := newDays(t)
	d.session()
	if _, value := d.stands(); value != NoRequest {
		t.Errorf("a session that was only opened is worth %d", value)
	}
	old := d.work("Parse the dates of the log file", 1)
	last := d.work("Write the docs of the log file", 1)
	for _, events := range [][]transcript.Event{nil, {typed("hello"), reply("Hello! Shall I go on?")}, {typed("hi")}} {
		d.given(d.session(events...), last)
	}
	if got, value := d.stands(); got != last || value != OwnWork {
		t.Errorf("%v stands with %d, want %v", got, value, last)
	}
	_ = old
}

// What began with work of another worktree hands it on where nothing else is.
func TestStanding_HandsOnWhatWasGiven(t *testing.T) {
	d := newDays(t)
	elsewhere := ledger.SessionKey{Tool: "codex", ID: "s1"}
	if got := d.work("Parse the dates of the log file", 1); got != elsewhere {
		t.Fatal(got)
	}
	last := elsewhere
	for range 3 { // each was given by the one before
		next := d.session(typed("hello"), reply("Hello! Shall I go on?"))
		d.given(next, last)
		last = next
	}
	session, _, err := d.log.Session(context.Background(), last)
	if err != nil {
		t.Fatal(err)
	}
	value, err := d.WorthOf(context.Background(), session)
	if err != nil || value != HandedOn {
		t.Errorf("the third of a chain is worth %d (%v)", value, err)
	}
	facts, err := d.Facts(context.Background(), session)
	if err != nil || facts.Task == nil || facts.Task.Text != "Parse the dates of the log file" || facts.Worked {
		t.Errorf("it hands on %+v (%v)", facts.Task, err)
	}
}

// Whether a long session has work shows at its beginning, and is asked once.
func TestWorth_ReadsTheBeginningOfALongSession(t *testing.T) {
	d := newDays(t)
	key := d.work("Parse the dates of the log file", 5000)
	session, _, err := d.log.Session(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if value, err := d.WorthOf(context.Background(), session); err != nil || value != OwnWork {
			t.Fatalf("it is worth %d (%v)", value, err)
		}
	}
	if d.log.events > 20 || d.log.reads > 1 {
		t.Errorf("%d events were read in %d goes", d.log.events, d.log.reads)
	}
}

// However many sessions only looked in, a bounded number is passed over.
func TestStanding_PassesOverABoundedNumber(t *testing.T) {
	d := newDays(t)
	d.work("Parse the dates of the log file", 1)
	for range 400 {
		d.session(typed("hello"), reply("Hello!"))
	}
	d.stands()
	if d.log.reads > maxPassed+keptFolds {
		t.Errorf("%d sessions were read", d.log.reads)
	}
	before := d.log.reads
	if d.stands(); d.log.reads != before {
		t.Errorf("%d sessions were read again", d.log.reads-before)
	}
}

// Two sessions that were handed to each other come out the same, whatever is in
// memory.
func TestFacts_DoNotDependOnWhatIsInMemory(t *testing.T) {
	d := newDays(t)
	a := d.work("Parse the dates of the log file", 1)
	b := d.work("Write the docs of the log file", 2)
	d.given(b, a)
	d.given(a, b)
	text := func(key ledger.SessionKey) string {
		session, _, err := d.log.Session(context.Background(), key)
		if err != nil {
			t.Fatal(err)
		}
		facts, err := d.Facts(context.Background(), session)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%+v %+v %+v", facts.Task, facts.Files, facts.Decisions)
	}
	first := text(a)
	cold := text(b) // a is in memory, folded on top of b
	d.Reset()
	if alone := text(b); alone != cold {
		t.Errorf("with the other in memory:\n%s\nalone:\n%s", cold, alone)
	}
	if again := text(a); again != first {
		t.Errorf("first:\n%s\nlater:\n%s", first, again)
	}
}
