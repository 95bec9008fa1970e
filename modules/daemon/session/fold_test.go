package session

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// counted is a ledger that counts how often a session is read whole.
type counted struct {
	ledger.Store
	reads  int
	events int    // that were read
	before func() // runs once, when the events have been read
}

func (c *counted) Events(ctx context.Context, key ledger.SessionKey) iter.Seq2[transcript.Located, error] {
	c.reads++
	return func(yield func(transcript.Located, error) bool) {
		for event, err := range c.Store.Events(ctx, key) {
			c.events++
			if !yield(event, err) {
				return
			}
		}
		if then := c.before; then != nil {
			c.before = nil
			then()
		}
	}
}

// working is a session of Claude Code with subagents beside it.
type working struct {
	t *testing.T
	*Service
	log  *counted
	last int64
}

func newWorking(t *testing.T) *working {
	t.Helper()
	log, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.sqlite"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	c := &counted{Store: log}
	return &working{t: t, Service: New(c), log: c}
}

// comes keeps an event that stands in a file, as the watcher would.
func (w *working) comes(file string, event transcript.Event) {
	w.t.Helper()
	w.last++
	event.Tool, event.Session, event.ID = "claude-code", "main", fmt.Sprintf("e%d", w.last)
	event.Time = time.Date(2026, 11, 1, 10, 0, int(w.last), 0, time.UTC)
	event.Subagent = file != "main.jsonl"
	located := transcript.Located{Event: event, Ref: transcript.Ref{Offset: w.last * 10, Line: w.last}}
	w.append(file, located)
	w.Stored(context.Background(), w.source(file), []transcript.Located{located})
}

func (w *working) source(file string) ledger.Source {
	return ledger.Source{Tool: "claude-code", Path: file, Main: "main", Subagent: file != "main.jsonl", Position: transcript.Position{Offset: w.last*10 + 1}}
}

func (w *working) append(file string, event transcript.Located) {
	w.t.Helper()
	if _, err := w.log.Append(context.Background(), ledger.Batch{Source: w.source(file), Events: []transcript.Located{event}}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *working) session() ledger.Session {
	w.t.Helper()
	session, found, err := w.log.Session(context.Background(), ledger.SessionKey{Tool: "claude-code", ID: "main"})
	if err != nil || !found {
		w.t.Fatalf("no session: %v", err)
	}
	return session
}

// known are the facts of the session's handoff.
func (w *working) known() distiller.Facts {
	w.t.Helper()
	facts, err := w.Facts(context.Background(), w.session())
	if err != nil {
		w.t.Fatal(err)
	}
	return facts
}

func wrote(name string) transcript.Event {
	return transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "call " + name, Name: "Write", Meaning: transcript.Write, Paths: []string{"/home/dev/p/" + name}}}
}

// writes is an edit with its result, in a file.
func (w *working) writes(file, name string) {
	w.comes(file, wrote(name))
	w.comes(file, transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "call " + name, Text: "ok"}})
}

func (w *working) begins() {
	w.comes("main.jsonl", transcript.Event{Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: "/home/dev/p"}})
	w.comes("main.jsonl", transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Text: "Have the parser of the dates written"})
	w.comes("main.jsonl", transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "task", Name: "Task", Meaning: transcript.Subagent}})
}

// A session whose subagents work side by side is read from the ledger once at
// the start, and once more when its events are put in the ledger's order; what
// they do is known at any time between.
func TestSubagentsDoNotCostTheirParentItsFold(t *testing.T) {
	w := newWorking(t)
	w.begins()
	w.known()
	once := w.log.reads
	for n := range 50 {
		w.writes(fmt.Sprintf("agent-%d.jsonl", n%3), fmt.Sprintf("part%d.go", n))
		if len(w.known().Files) == 0 {
			t.Fatalf("after %d edits no file is known", n+1)
		}
	}
	if w.log.reads != once {
		t.Errorf("the session was read %d times, want %d", w.log.reads, once)
	}
	for range 3 {
		if err := w.Reorder(context.Background(), w.session().SessionKey); err != nil {
			t.Fatal(err)
		}
	}
	if w.log.reads != 2*once {
		t.Errorf("the session was read %d times, want %d", w.log.reads, 2*once)
	}
	followed := w.known()
	w.Reset()
	if rebuilt := w.known(); !reflect.DeepEqual(followed, rebuilt) {
		t.Errorf("the fold that followed knows\n%+v\none rebuilt\n%+v", followed, rebuilt)
	}
}

// What comes while a fold is made is in it once, whether the ledger had it
// already or not.
func TestWhatComesWhileAFoldIsMade(t *testing.T) {
	w := newWorking(t)
	w.begins()
	w.known()
	once := w.log.reads
	w.Reset()
	early := transcript.Located{ // a row of a database has no line
		Event: transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Text: "Mind the zones of the dates"}, Ref: transcript.Ref{Offset: 500},
	}
	early.Tool, early.Session, early.ID = "claude-code", "main", "early"
	w.append("main.jsonl", early)
	w.log.before = func() {
		w.Stored(context.Background(), w.source("main.jsonl"), []transcript.Located{early})
		w.last = 60
		w.writes("agent-1.jsonl", "beside.go")
		w.writes("main.jsonl", "late.go")
	}
	w.known()
	got := w.known()
	w.Reset()
	if want := w.known(); len(want.Files) != 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("the fold knows\n%+v\none rebuilt\n%+v", got, want)
	}
	if w.log.reads != 3*once {
		t.Errorf("the session was read %d times, want %d", w.log.reads, 3*once)
	}
}

// What was forgotten while a fold was made of it stays in no fold.
func TestAResetWhileAFoldIsMade(t *testing.T) {
	w := newWorking(t)
	w.begins()
	w.log.before = w.Reset
	w.known()
	w.log.before = nil
	once := w.log.reads
	w.known()
	if w.log.reads == once {
		t.Error("the fold that was in the making was kept")
	}
}

// A database gives its newest rows again with every change. They cost nothing
// and count once; one that was rewritten counts as it is now.
func TestRowsThatAreGivenAgain(t *testing.T) {
	w := newWorking(t)
	row := func(id string, offset int64, event transcript.Event) transcript.Located {
		event.Tool, event.Session, event.ID = "claude-code", "main", id
		event.Time = time.Date(2026, 11, 1, 11, 0, int(offset), 0, time.UTC)
		return transcript.Located{Event: event, Ref: transcript.Ref{Offset: offset, Block: 1}}
	}
	give := func(rows ...transcript.Located) {
		source := w.source("main.jsonl")
		source.Rewrites = true
		if _, err := w.log.Append(context.Background(), ledger.Batch{Source: source, Events: rows}); err != nil {
			t.Fatal(err)
		}
		w.Stored(context.Background(), source, rows)
	}
	prompt := func(id string, offset int64, words string) transcript.Located {
		return row(id, offset, transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Text: words})
	}
	begun := row("s", 1, transcript.Event{Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: "/home/dev/p"}})
	first, edit := prompt("p1", 2, "Have the parser of the dates written"), row("c", 3, wrote("dates.go"))
	done := row("r", 4, transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "call dates.go", Text: "ok"}})
	second := prompt("p2", 5, "Now have the zones of the dates written")
	give(begun, first, edit, done)
	w.known()
	once := w.log.reads
	give(done, second)
	give(done, second)
	give(second)
	got := w.known()
	if w.log.reads != once {
		t.Errorf("the session was read %d times, want %d", w.log.reads, once)
	}
	w.Reset()
	if want := w.known(); !reflect.DeepEqual(got, want) {
		t.Errorf("the fold knows\n%+v\none rebuilt\n%+v", got, want)
	}
	give(prompt("p2", 5, "Now have the zones of the times written"))
	got = w.known()
	w.Reset()
	if want := w.known(); got.Task.Text != "Now have the zones of the times written" || !reflect.DeepEqual(got, want) {
		t.Errorf("the fold knows\n%+v\none rebuilt\n%+v", got, want)
	}
}
