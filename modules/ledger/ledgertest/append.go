package ledgertest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func testAppend(t *testing.T, open Open) {
	t.Run("what goes in comes out", func(t *testing.T) {
		f := newFixture(t, open)
		count := f.append(file("s1", prompt("a", "fix the login"), call("b", "c1", "go test ./..."), result("c", "c1", "ok")))
		if want := (ledger.Appended{Events: 3, Occurrences: 3}); count != want {
			t.Errorf("counted %+v, want %+v", count, want)
		}
		f.wantIDs("s1", "a", "b", "c")
		got := f.events("s1")[1]
		if got.Tool != tool || got.Session != "s1" || got.Call.Command != "go test ./..." || got.Ref.Line != 2 || got.Ref.Offset != 100 {
			t.Errorf("read back %+v", got)
		}
		if f.digest().Events != 3 {
			t.Errorf("digest is over %d events", f.digest().Events)
		}
		stats, err := f.log.Stats(context.Background())
		if err != nil || stats.Events != 3 || stats.Sessions != 1 || stats.Sources != 1 || stats.Bytes == 0 {
			t.Errorf("stats are %+v, %v", stats, err)
		}
	})

	t.Run("appending again changes nothing", func(t *testing.T) {
		f := newFixture(t, open)
		batch := file("s1", prompt("a", "one"), reply("b", "two"))
		f.append(batch)
		before, session := f.digest(), f.session("s1")
		if count := f.append(batch); count != (ledger.Appended{}) {
			t.Errorf("counted %+v", count)
		}
		if f.digest() != before || f.session("s1").Events != session.Events {
			t.Error("the ledger has changed")
		}
	})

	t.Run("secrets do not get in", func(t *testing.T) {
		f := newFixture(t, open)
		secret := "glpat-" + "Zx81mQ02LpW7vB45nKjH"
		f.append(file("s1", prompt("a", "use "+secret), call("b", "c1", "curl -H "+secret)))
		if got := f.events("s1"); got[0].Text != "use [redacted:gitlab]" || strings.Contains(got[1].Call.Command, secret) {
			t.Errorf("stored %+v %+v", got[0], got[1].Call)
		}
	})

	t.Run("an event without id is refused, and nothing is stored", func(t *testing.T) {
		f := newFixture(t, open)
		_, err := f.log.Append(context.Background(), file("s1", prompt("a", "x"), prompt("", "y")))
		if !errors.Is(err, ledger.ErrBatch) {
			t.Errorf("error is %v", err)
		}
		if n := f.digest().Events; n != 0 {
			t.Errorf("%d events stored", n)
		}
	})

	t.Run("decisions", func(t *testing.T) {
		f := newFixture(t, open)
		decided := transcript.Event{ID: "call:x#0", Kind: transcript.Decided, Decision: &transcript.Decision{
			Question: "Which store?", Chosen: []string{"SQLite"}, Kind: "asked",
		}}
		f.append(file("s1", prompt("a", "one"), decided, reply("b", "two")))
		decisions, err := f.log.Decisions(context.Background(), key("s1"))
		if err != nil || len(decisions) != 1 || decisions[0].Decision.Chosen[0] != "SQLite" {
			t.Errorf("decisions are %+v, %v", decisions, err)
		}
	})
}

// testFuture is about events that are dated later than now.
func testFuture(t *testing.T, open Open) {
	t.Run("a session of the future is as new as its capture", func(t *testing.T) {
		f := newFixture(t, open)
		late, now := prompt("a", "one"), time.Now()
		late.Time = now.AddDate(10, 0, 0)
		f.append(file("s1", late))
		if last := f.session("s1").Last; last.Before(now.Add(-time.Minute)) || last.After(now.Add(time.Minute)) {
			t.Errorf("the session is of %s", last)
		}
		if got := f.events("s1")[0].Time; got.Year() != late.Time.Year() {
			t.Errorf("the event is of %s", got)
		}
	})

	t.Run("a session of the future is no newer than its file", func(t *testing.T) {
		f := newFixture(t, open)
		late, now := prompt("a", "one"), time.Now()
		late.Time = now.AddDate(10, 0, 0)
		batch := file("s1", late)
		batch.Source.ModTime = now.AddDate(0, -1, 0).Truncate(time.Millisecond)
		f.append(batch)
		if last := f.session("s1").Last; !last.Equal(batch.Source.ModTime) {
			t.Errorf("the session is of %s, its file of %s", last, batch.Source.ModTime)
		}
	})
}

// testCopies is about events that several files hold.
func testCopies(t *testing.T, open Open) {
	t.Run("a fork costs places, not events", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(file("s1", prompt("a", "one"), reply("b", "two")))
		count := f.append(file("s2", prompt("a", "one"), reply("b", "two"), prompt("c", "three")))
		if want := (ledger.Appended{Events: 1, Occurrences: 3}); count != want {
			t.Errorf("counted %+v, want %+v", count, want)
		}
		f.wantIDs("s1", "a", "b")
		f.wantIDs("s2", "a", "b", "c")
	})

	t.Run("of two bodies the smaller stays", func(t *testing.T) {
		for _, texts := range [][2]string{{"aaa", "bbb"}, {"bbb", "aaa"}} {
			f := newFixture(t, open)
			f.append(file("s1", prompt("a", texts[0])))
			f.append(file("s2", prompt("a", texts[1])))
			if got := f.events("s1")[0].Text; got != "aaa" {
				t.Errorf("%q then %q leaves %q", texts[0], texts[1], got)
			}
		}
	})

	t.Run("taken back once is taken back", func(t *testing.T) {
		gone := prompt("a", "one")
		gone.Withdrawn = true
		for _, events := range [][2]transcript.Event{{gone, prompt("a", "one")}, {prompt("a", "one"), gone}} {
			f := newFixture(t, open)
			f.append(file("s1", events[0]))
			f.append(file("s2", events[1]))
			if !f.events("s1")[0].Withdrawn {
				t.Error("the event is not withdrawn")
			}
		}
	})

	t.Run("two sessions in one file", func(t *testing.T) {
		f := newFixture(t, open)
		old := prompt("a", "old")
		old.Session = "s1"
		f.append(file("s2", old, prompt("b", "new")))
		f.wantIDs("s1", "a")
		f.wantIDs("s2", "b")
		f.append(file("s1", prompt("a", "old"), reply("x", "more")))
		f.wantIDs("s1", "a", "x")
	})
}

func testReplace(t *testing.T, open Open) {
	again := func(batch ledger.Batch) ledger.Batch {
		batch.Replace = true
		return batch
	}

	t.Run("what the file no longer has stays", func(t *testing.T) {
		f := newFixture(t, open)
		kept := reply("c", "three")
		kept.Time = start.Add(time.Minute)
		f.append(file("s1", prompt("a", "one"), reply("b", "two"), kept))
		f.append(again(file("s1", prompt("a", "one"), kept, reply("d", "four"))))
		f.wantIDs("s1", "a", "b", "c", "d")
		if n := f.session("s1").Events; n != 4 {
			t.Errorf("session counts %d events", n)
		}
		for _, located := range f.events("s1") {
			if located.Withdrawn {
				t.Errorf("%s is withdrawn", located.ID)
			}
		}
		if n := f.digest().Events; n != 4 {
			t.Errorf("digest is over %d events", n)
		}
	})

	t.Run("in a file that is rewritten, what is gone was taken back, and the newer body stays", func(t *testing.T) {
		f := newFixture(t, open)
		first := file("s1", prompt("a", "aaa"), reply("b", "two"))
		first.Source.Rewrites = true
		f.append(first)
		second := again(file("s1", prompt("a", "zzz")))
		second.Source.Rewrites = true
		if count := f.append(second); count.Replaced != 1 {
			t.Errorf("counted %+v", count)
		}
		got := f.events("s1")
		if len(got) != 2 || got[0].Text != "zzz" || got[0].Withdrawn || !got[1].Withdrawn {
			t.Errorf("events are %+v", got)
		}
		// And it may come back.
		third := again(file("s1", prompt("a", "zzz"), reply("b", "two")))
		third.Source.Rewrites = true
		f.append(third)
		if got := f.events("s1"); got[1].Withdrawn {
			t.Error("the event that came back is still withdrawn")
		}
	})

	t.Run("a better reader's events take the place of the former ones", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(file("s1", prompt("a", "aaa"), reply("wrong", "noise")))
		f.append(file("s2", prompt("a", "aaa")))
		better := again(file("s1", prompt("a", "bbb"), reply("right", "two")))
		better.Source.Revision = 2
		f.append(better)
		f.wantIDs("s1", "a", "right")
		if n := f.session("s1").Events; n != 2 {
			t.Errorf("session counts %d events", n)
		}
		// An older reading of the same event does not undo it.
		f.append(file("s3", prompt("a", "aaa")))
		if got := f.events("s2")[0].Text; got != "bbb" {
			t.Errorf("the fork has %q", got)
		}
		fresh := newFixture(t, open)
		better.Replace = false
		fresh.append(better)
		if f.digest() != fresh.digest() {
			t.Errorf("digest is %+v, of a fresh ledger %+v", f.digest(), fresh.digest())
		}
	})

	t.Run("the words of a former body are not found", func(t *testing.T) {
		f := newFixture(t, open)
		first := file("s1", prompt("a", "crimson"))
		f.append(first)
		second := again(file("s1", prompt("a", "turquoise")))
		second.Source.Rewrites = true
		f.append(second)
		for word, want := range map[string]int{"crimson": 0, "turquoise": 1} {
			if got := f.search(ledger.Query{Text: word}); got.Total != want {
				t.Errorf("%q is found %d times", word, got.Total)
			}
		}
	})
}

func testHooks(t *testing.T, open Open) {
	answer := func(text string) transcript.Event {
		return transcript.Event{ID: "call:q#0", Kind: transcript.Decided, Parent: "q", Decision: &transcript.Decision{
			Question: "Which?", Chosen: []string{text}, Kind: "asked",
		}}
	}
	hook := func(events ...transcript.Event) ledger.Batch {
		batch := file("s1", events...)
		batch.Source = ledger.Source{Tool: tool, Path: "hook:s1", Main: "s1"}
		batch.Hook = true
		return batch
	}

	t.Run("the transcript's word counts, whichever comes first", func(t *testing.T) {
		asked := file("s1", prompt("a", "one"), call("b", "q", "ask"), answer("from the transcript"), reply("c", "ok"))
		early, late := newFixture(t, open), newFixture(t, open)
		early.append(hook(answer("a hook")))
		if n := early.digest().Events; n != 0 {
			t.Errorf("hook facts are in the digest: %d", n)
		}
		early.append(asked)
		late.append(asked)
		late.append(hook(answer("a hook")))
		for _, f := range []fixture{early, late} {
			f.wantIDs("s1", "a", "b", "call:q#0", "c")
			if got := f.events("s1")[2].Decision.Chosen[0]; got != "from the transcript" {
				t.Errorf("the decision is %q", got)
			}
			if n := f.session("s1").Events; n != 4 {
				t.Errorf("session counts %d events", n)
			}
		}
		if early.digest() != late.digest() {
			t.Error("digests differ")
		}
	})

	t.Run("they are a set", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(hook(answer("x")))
		if count := f.append(hook(answer("x"))); count != (ledger.Appended{}) {
			t.Errorf("counted %+v", count)
		}
		other := prompt("p", "more")
		f.append(hook(other))
		f.append(hook(other, answer("x")))
		f.wantIDs("s1", "call:q#0", "p")
		sources, err := f.log.Sources(context.Background(), "")
		if err != nil || len(sources) != 0 {
			t.Errorf("a hook is listed as a source: %+v, %v", sources, err)
		}
	})

	t.Run("facts about git are outside the digest", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(file("s1", prompt("a", "one")))
		before := f.digest()
		f.append(hook(transcript.Event{ID: "git:1", Kind: transcript.Git, Git: &transcript.GitInfo{Head: "abc"}}))
		if f.digest() != before {
			t.Error("the digest has changed")
		}
		f.wantIDs("s1", "a", "git:1")
	})
}
