package ledgertest

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func testSources(t *testing.T, open Open) {
	ctx := context.Background()
	f := newFixture(t, open)
	if _, ok, err := f.log.Source(ctx, tool, "/sessions/s1.jsonl"); ok || err != nil {
		t.Errorf("an unread source is found: %t, %v", ok, err)
	}
	batch := file("s1", prompt("a", "one"), reply("b", "two"))
	batch.Source = ledger.Source{
		Tool: tool, Path: "/sessions/s1.jsonl", Main: "s1", Device: 1 << 63, Inode: 42, Size: 300,
		ModTime: time.Date(2024, 5, 1, 10, 0, 0, 123456789, time.UTC), Head: "h", Tail: "t", Revision: 3,
		Position: transcript.Position{Offset: 200, Line: 2, State: []byte(`{"thread":"x"}`)},
	}
	f.append(batch)
	got, ok, err := f.log.Source(ctx, tool, "/sessions/s1.jsonl")
	if err != nil || !ok || !reflect.DeepEqual(got, batch.Source) {
		t.Errorf("source is %+v\n     want %+v, %v", got, batch.Source, err)
	}

	t.Run("an older position does not come back", func(t *testing.T) {
		older := batch
		older.Events = batch.Events[:1]
		older.Source.Position = transcript.Position{Offset: 100, Line: 1}
		older.Source.Head = "older"
		f.append(older)
		got, _, _ := f.log.Source(ctx, tool, "/sessions/s1.jsonl")
		if got.Position.Offset != 200 || got.Head != "h" {
			t.Errorf("source is %+v", got)
		}
	})

	t.Run("coverage names the sources without a prompt", func(t *testing.T) { testNoPrompt(t, open) })

	t.Run("coverage counts each record once", func(t *testing.T) {
		more := file("s2", prompt("x", "one"))
		more.Coverage.CountUnknown("2.1.0", "foo", 2)
		f.append(more)
		f.append(more)
		coverage, err := f.log.Coverage(ctx)
		if err != nil || len(coverage) != 1 {
			t.Fatalf("coverage is %+v, %v", coverage, err)
		}
		c := coverage[0]
		if c.Tool != tool || c.Sources != 2 || c.Bytes != 300 || c.Coverage.Records != 3 || c.Coverage.Unknown["2.1.0"]["foo"] != 2 {
			t.Errorf("coverage is %+v", c)
		}
		again := more
		again.Replace = true
		f.append(again)
		if coverage, _ := f.log.Coverage(ctx); coverage[0].Coverage.Records != 3 {
			t.Errorf("coverage after a re-read is %+v", coverage[0])
		}
	})

	t.Run("parked", func(t *testing.T) {
		for _, reason := range []string{"the reader gave up", ""} {
			if err := f.log.Park(ctx, tool, "/sessions/s1.jsonl", reason); err != nil {
				t.Fatal(err)
			}
			sources, err := f.log.Sources(ctx, tool)
			if err != nil || len(sources) != 2 || sources[0].Parked != reason {
				t.Errorf("sources are %+v, %v", sources, err)
			}
		}
		if err := f.log.Park(ctx, "codex", "/new", "never read"); err != nil {
			t.Fatal(err)
		}
		if source, ok, _ := f.log.Source(ctx, "codex", "/new"); !ok || source.Parked != "never read" {
			t.Errorf("source is %+v", source)
		}
	})
}

func testNoPrompt(t *testing.T, open Open) {
	ctx := context.Background()
	f := newFixture(t, open)
	taken := file("taken", reply("t1", "an answer"), reply("t2", "another"))
	opened := file("opened", transcript.Event{ID: "o1", Kind: transcript.Session, Start: &transcript.Start{}})
	sub := file("sub", reply("u1", "an answer"))
	sub.Source.Subagent = true
	beside := file("beside", reply("v1", "an answer")) // of a session that another file begins
	taken.Source.Main, beside.Source.Main = "", "s-asked"
	asked := file("asked", prompt("q1", "one"), reply("q2", "two"))
	asked.Source.Main = "s-asked"
	for _, batch := range []ledger.Batch{taken, opened, sub, beside, asked} {
		batch.Coverage.Read = int64(len(batch.Events))
		f.append(batch)
	}
	coverage, err := f.log.Coverage(ctx)
	if err != nil || len(coverage) != 1 {
		t.Fatalf("coverage is %+v, %v", coverage, err)
	}
	if got := coverage[0].NoPrompt; !slices.Equal(got, []string{taken.Source.Path}) {
		t.Errorf("without a prompt are %q", got)
	}
}

func testRestores(t *testing.T, open Open) {
	ctx := context.Background()
	f := newFixture(t, open)
	restore := ledger.Restore{
		Session: key("s2"), From: key("s1"), Project: "p", Event: "SessionStart", Source: "startup",
		Decision: "full", Reason: "the newest session of the project", Lines: 40, Bytes: 3000, SHA256: "x", Time: start,
	}
	second := restore
	second.Decision, second.Session = "nothing", key("s3")
	for _, r := range []ledger.Restore{restore, second} {
		if err := f.log.RecordRestore(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := f.log.Restores(ctx, key("s2"), 10); err != nil || len(got) != 1 || got[0] != restore {
		t.Errorf("restores are %+v, %v", got, err)
	}
	if got, err := f.log.Restores(ctx, ledger.SessionKey{}, 1); err != nil || len(got) != 1 || got[0] != second {
		t.Errorf("the newest of all is %+v, %v", got, err)
	}
}
