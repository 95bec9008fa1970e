package restore_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// countingStore is a ledger that counts what is asked of it.
type countingStore struct {
	ledger.Store
	mu    sync.Mutex
	calls map[string]int
}

func (c *countingStore) count(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[name]++
}

func (c *countingStore) Session(ctx context.Context, key ledger.SessionKey) (ledger.Session, bool, error) {
	c.count("session")
	return c.Store.Session(ctx, key)
}

func (c *countingStore) Sessions(ctx context.Context, filter ledger.SessionFilter) ([]ledger.Session, error) {
	c.count("sessions")
	return c.Store.Sessions(ctx, filter)
}

func (c *countingStore) Restores(ctx context.Context, key ledger.SessionKey, limit int) ([]ledger.Restore, error) {
	c.count("restores")
	return c.Store.Restores(ctx, key, limit)
}

func (c *countingStore) Project(ctx context.Context, identity ledger.ProjectIdentity) (ledger.Project, error) {
	c.count("project")
	return c.Store.Project(ctx, identity)
}

func (c *countingStore) RecordRestore(ctx context.Context, decision ledger.Restore) error {
	c.count("record")
	return c.Store.RecordRestore(ctx, decision)
}

// bench answers hooks over a ledger with the work of one session of Codex in a
// repository.
type bench struct {
	*restore.Service
	store   *countingStore
	dir     string
	looks   int
	reports int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	t.Setenv("HOME", filepath.Join(t.TempDir(), "home"))
	log, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.sqlite"), sqlite.Options{Identify: gitrepo.Identity})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	b := &bench{store: &countingStore{Store: log, calls: map[string]int{}}, dir: dir}
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	sessions, logger, choices := session.New(b.store), zap.NewNop(), config.Default()
	b.Service = restore.NewService(restore.Options{
		Home: home.Dir(t.TempDir()), Table: table, Store: b.store, Sessions: sessions, Logger: logger,
		Projects: config.Projects{Choices: choices, Report: func(error) { b.reports++ }},
		Ingest:   ingest.New(ingest.Options{Table: table, Store: b.store, Sessions: sessions, Logger: logger, Now: time.Now, Fresh: choices.StaleAfter}),
		Gauges:   &contextusage.Gauges{Windows: contextusage.Open(home.Dir(t.TempDir()))},
		Flush:    func(context.Context) {},
		Look:     func(dir string) gitrepo.Checkout { b.looks++; return gitrepo.Look(dir) },
	})
	b.works(t)
	return b
}

// works stores a session of Codex with a request, an edit and a reply.
func (b *bench) works(t *testing.T) {
	t.Helper()
	at := time.Now().Add(-time.Hour)
	var events []transcript.Located
	for i, event := range []transcript.Event{
		{Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: b.dir}},
		{Kind: transcript.Prompt, Origin: transcript.Typed, Text: "Parse the dates of the log file"},
		{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "c1", Name: "apply_patch", Meaning: transcript.Write, Paths: []string{"dates.go"}}},
		{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "c1", Text: "ok"}},
		{Kind: transcript.Reply, Text: "The dates are parsed.\n\nNext: write the tests."},
	} {
		event.Tool, event.Session, event.ID, event.Time = "codex", "earlier", "e"+string(rune('0'+i)), at.Add(time.Duration(i)*time.Second)
		events = append(events, transcript.Located{Event: event, Ref: transcript.Ref{Offset: int64(i + 1), Line: int64(i + 1)}})
	}
	path := filepath.Join(os.Getenv("HOME"), ".codex", "sessions", "2026", "11", "01", "rollout-2026-11-01T10-00-00-earlier.jsonl")
	source := ledger.Source{Tool: "codex", Path: path, Main: "earlier", Position: transcript.Position{Offset: 9}}
	if _, err := b.store.Append(t.Context(), ledger.Batch{Source: source, Events: events}); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) hook(t *testing.T, event, role string) string {
	t.Helper()
	hook := capture.Hook{Tool: "claude-code", Event: event, Role: role, Session: "later", Cwd: b.dir, Source: "startup", Time: time.Now()}
	if spec, err := b.Table.Lookup(hook.Tool); err == nil {
		hook.Hook, _ = spec.Hook(event)
	}
	reply, err := b.Answer(t.Context(), hook)
	if err != nil {
		t.Fatal(err)
	}
	return reply.Text
}

// What a session start depends on is loaded once: the sessions of the worktree
// are listed once, git's files are looked at once, and the project's
// configuration is parsed once.
func TestAnswer_LoadsWhatItNeedsOnce(t *testing.T) {
	b := newBench(t)
	if err := os.WriteFile(filepath.Join(b.dir, ".carryover.toml"), []byte("resume = [broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := b.hook(t, "SessionStart", "session_start")
	if !strings.Contains(text, "Parse the dates of the log file") {
		t.Fatalf("given:\n%s", text)
	}
	if b.looks != 1 || b.reports != 1 {
		t.Errorf("git was looked at %d times and the configuration parsed %d times, want once each", b.looks, b.reports)
	}
	want := map[string]int{"sessions": 1, "session": 1, "restores": 3, "record": 1}
	for name, n := range b.store.calls {
		if n > want[name] {
			t.Errorf("%s: asked %d times, want at most %d", name, n, want[name])
		}
	}
}

func TestAnswer_AsksLittleAtAPromptThatGoesOn(t *testing.T) {
	b := newBench(t)
	b.hook(t, "SessionStart", "session_start")
	clear(b.store.calls)
	b.looks = 0
	if text := b.hook(t, "UserPromptSubmit", "prompt"); text != "" {
		t.Fatalf("given:\n%s", text)
	}
	if n := b.store.calls["sessions"] + b.store.calls["restores"] + b.store.calls["record"]; n > 1 || b.looks > 1 {
		t.Errorf("%d queries (%v), %d looks at git", n, b.store.calls, b.looks)
	}
}
