package ledgertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// History is a made-up history of several files that share events: a session,
// a fork that copies part of it under its own id, a file that begins with lines
// of the first session, and a subagent. Length is about the number of events
// of each.
func History(length int) []ledger.Batch {
	var first []transcript.Event
	for i := range length {
		first = append(first, historic(i))
	}
	fork := slices.Clone(first[:length/2])
	for i := range fork {
		fork[i].Session = "fork"
		if i%3 == 2 {
			fork[i].Text += " (as the copy has it)"
		}
	}
	fork = append(fork, prompt("fork-own", "another way"), reply("fork-reply", "done another way"))
	moved := slices.Clone(first[length/3:])
	moved = append(moved, prompt("moved-own", "go on"))
	moved[len(moved)-1].Session = "moved"
	agent := []transcript.Event{prompt("agent-1", "explore"), reply("agent-2", "explored")}
	agent[0].Parent = "call-1"
	for i := range agent {
		agent[i].Session, agent[i].Subagent = "first", true
	}
	batches := []ledger.Batch{file("first", first...), file("fork", fork...), file("moved", moved...), file("agent", agent...)}
	batches[3].Source.Main, batches[3].Source.Subagent = "first", true
	return batches
}

// historic is the nth event of the first session.
func historic(n int) transcript.Event {
	id := fmt.Sprintf("first-%d", n)
	var event transcript.Event
	switch n % 5 {
	case 0:
		event = prompt(id, fmt.Sprintf("step %d of the plan", n))
		event.WorkDir = &transcript.WorkDir{Cwd: fmt.Sprintf("/home/dev/app%d", n), Branch: fmt.Sprintf("branch-%d", n)}
	case 1:
		event = call(id, fmt.Sprintf("call-%d", n), "go test ./...")
	case 2:
		event = result(id, fmt.Sprintf("call-%d", n-1), "FAIL: TestLogin")
	case 3:
		event = reply(id, "it failed once more")
		event.Usage = &transcript.UsageInfo{Context: int64(1000 * n)}
	default:
		event = transcript.Event{ID: id, Kind: transcript.Title, Text: fmt.Sprintf("title %d", n)}
	}
	event.Session = "first"
	event.Time = start.Add(time.Duration(n) * time.Minute)
	return event
}

// Split cuts a batch in two after n of its events.
func Split(batch ledger.Batch, n int) (head, tail ledger.Batch) {
	head, tail = batch, batch
	head.Events, tail.Events = batch.Events[:n:n], batch.Events[n:]
	last := head.Events[n-1].Ref
	head.Source.Position = transcript.Position{Offset: last.Offset + last.Length, Line: last.Line}
	head.Coverage = transcript.Coverage{Records: int64(n), Read: int64(n)}
	left := int64(len(tail.Events))
	tail.Coverage = transcript.Coverage{Records: left, Read: left}
	tail.Replace = false
	return head, tail
}

// picture is all that can be seen of a ledger, a line of JSON for each thing.
func picture(t rapid.TB, log ledger.Store) []string {
	ctx := context.Background()
	var lines []string
	add := func(seen any, err error) {
		line, broken := json.Marshal(seen)
		if err := errors.Join(err, broken); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	digest, err := log.Digest(ctx)
	add(digest, err)
	coverage, err := log.Coverage(ctx)
	add(coverage, err)
	sessions, err := log.Sessions(ctx, ledger.SessionFilter{Subagents: true})
	for _, session := range sessions {
		add(session, err)
		for located, err := range log.Events(ctx, session.SessionKey) {
			add(located, err)
		}
	}
	return lines
}

// testAnyWay is the ledger's promise: however the files are cut, in whatever
// order they are read, whenever the process ends, and whatever is read twice,
// the ledger is the same.
func testAnyWay(t *testing.T, open Open) {
	straight := open(t, t.TempDir())
	for _, batch := range History(12) {
		if _, err := straight.Append(context.Background(), batch); err != nil {
			t.Fatal(err)
		}
	}
	want := picture(t, straight)
	if err := straight.Close(); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		run := reading{rt: rt, open: func() ledger.Store { return open(t, dir) }, left: History(12)}
		run.log = run.open()
		defer func() { _ = run.log.Close() }()
		for len(run.left) > 0 {
			run.step()
		}
		for _, batch := range run.done {
			if count := run.append(context.Background(), batch); count != (ledger.Appended{}) {
				rt.Fatalf("reading it again counted %+v", count)
			}
		}
		got := picture(rt, run.log)
		if len(got) != len(want) {
			rt.Fatalf("%d things are seen, want %d", len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				rt.Fatalf("the ledger has\n%s\nwant\n%s", got[i], want[i])
			}
		}
	})
}

// reading is one way through a history.
type reading struct {
	rt   *rapid.T
	open func() ledger.Store
	log  ledger.Store
	left []ledger.Batch
	done []ledger.Batch
}

// step does one thing that can happen while files are read.
func (r *reading) step() {
	which := rapid.IntRange(0, len(r.left)-1).Draw(r.rt, "file")
	batch := r.left[which]
	n := rapid.IntRange(1, len(batch.Events)).Draw(r.rt, "events")
	head, tail := Split(batch, n)
	switch rapid.SampledFrom([]string{"read", "read", "read", "stop", "restart", "again"}).Draw(r.rt, "what") {
	case "stop":
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := r.log.Append(ctx, head); err == nil {
			r.rt.Fatal("appended after being stopped")
		}
	case "restart":
		if err := r.log.Close(); err != nil {
			r.rt.Fatal(err)
		}
		r.log = r.open()
	case "again":
		if len(r.done) > 0 {
			r.append(context.Background(), rapid.SampledFrom(r.done).Draw(r.rt, "batch"))
		}
	default:
		r.append(context.Background(), head)
		r.done = append(r.done, head)
		r.left[which] = tail
		if len(tail.Events) == 0 {
			r.left = slices.Delete(r.left, which, which+1)
		}
	}
}

func (r *reading) append(ctx context.Context, batch ledger.Batch) ledger.Appended {
	count, err := r.log.Append(ctx, batch)
	if err != nil {
		r.rt.Fatal(err)
	}
	return count
}
