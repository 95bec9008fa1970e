package ledgertest

import (
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func testOrder(t *testing.T, open Open) {
	at := func(seconds int, event transcript.Event) transcript.Event {
		event.Time = start.Add(time.Duration(seconds) * time.Second)
		return event
	}
	subagent := func(name string, events ...transcript.Event) ledger.Batch {
		for i := range events {
			events[i].Session, events[i].Subagent = "s1", true
		}
		batch := file(name, events...)
		batch.Source.Main, batch.Source.Subagent = "s1", true
		return batch
	}
	main := file("s1", at(0, prompt("a", "one")), at(10, call("b", "c1", "task")), at(20, reply("c", "two")), at(30, reply("d", "three")))

	t.Run("the main source by offset, not by time", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(file("s1", at(50, prompt("a", "one")), at(10, reply("b", "kept")), at(60, reply("c", "two"))))
		f.wantIDs("s1", "a", "b", "c")
	})

	t.Run("a subagent at its parent call", func(t *testing.T) {
		for _, reversed := range []bool{false, true} {
			f := newFixture(t, open)
			first := at(25, prompt("x", "explore"))
			first.Parent = "c1"
			batches := []ledger.Batch{main, subagent("agent-1", first, at(90, reply("y", "found")))}
			if reversed {
				batches[0], batches[1] = batches[1], batches[0]
			}
			for _, batch := range batches {
				f.append(batch)
			}
			f.wantIDs("s1", "a", "b", "x", "y", "c", "d")
			if got := f.events("s1"); got[0].Subagent || !got[2].Subagent {
				t.Error("subagent flags are wrong")
			}
		}
	})

	t.Run("without a parent by time, in its own order", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(main)
		f.append(subagent("agent-1", at(25, prompt("x", "explore")), at(5, reply("y", "found")), at(90, reply("z", "done"))))
		f.wantIDs("s1", "a", "b", "c", "x", "y", "d", "z")
	})

	t.Run("without parent and time last", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(main)
		batch := subagent("agent-1", prompt("x", "explore"))
		batch.Events[0].Time = time.Time{}
		f.append(batch)
		f.wantIDs("s1", "a", "b", "c", "d", "x")
	})

	t.Run("a stretch of older events draws nothing to it", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(file("s1", at(0, prompt("a", "one")), at(100, reply("b", "two")), at(200, reply("cut", "")), at(50, reply("kept", "")), at(210, reply("d", ""))))
		f.append(subagent("agent-1", at(120, prompt("x", "explore"))))
		f.wantIDs("s1", "a", "b", "x", "cut", "kept", "d")
	})

	t.Run("a subagent's subagent with it", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(main)
		first := at(11, call("x", "c2", "task"))
		first.Parent = "c1"
		inner := at(99, prompt("y", "deeper"))
		inner.Parent = "c2"
		f.append(subagent("agent-1", first, at(12, reply("z", "done"))))
		f.append(subagent("agent-2", inner))
		f.wantIDs("s1", "a", "b", "x", "z", "y", "c", "d")
	})
}
