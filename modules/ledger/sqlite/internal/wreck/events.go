package wreck

import (
	"slices"

	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/pages"
)

// Event is a row of the table event.
type Event struct {
	Key       int64
	Tool      int64
	ID        string
	Withdrawn bool
	Outside   bool
	Revision  int
	Body      string
	Sum       int64 // of the row, as it should be
	Address   pages.Address
}

// Events hands on every event that can be read, and returns the keys of those
// that the rest of the ledger names and that cannot, in order. Not complete says
// that there may be more: what would name them cannot be read either.
func (l *Ledger) Events(yield func(Event)) (lost []int64, complete bool) {
	var read []int64
	var named witnesses
	l.file.Each(func(record pages.Record) {
		v := row(record.Values)
		switch {
		case record.Table:
			if event, sound := l.event(record); sound {
				read = append(read, event.Key)
				yield(event)
			}
		case isOccurrence(v):
			named.occurrences = append(named.occurrences, v.number(3))
		case v.is("iiiii"):
			named.occurrenceIndex = append(named.occurrenceIndex, v.number(0))
		case v.is("iti") && l.isKey(v.number(0), v.text(1), v.number(2)): // of a former schema
			named.ids = append(named.ids, v.number(2))
		case v.is("ii") && db.HashFits(v.number(0), v.number(1)):
			named.ids = append(named.ids, v.number(1))
		}
	})
	read = sorted(read)
	all, complete := named.agreed(l.file.IsTruncated())
	for _, key := range all {
		if _, found := slices.BinarySearch(read, key); !found {
			lost = append(lost, key)
		}
	}
	return lost, complete && l.ownLog
}

// isKey says whether a number is the key of an event: part of it is a hash.
// The next ones are those of events whose hashes meet.
func (l *Ledger) isKey(tool int64, id string, key int64) bool {
	const most = 4
	made := db.NewKey(l.Tools[tool], id, db.KeyTime(key))
	return key >= made && key-made < most
}

// witnesses are the keys of events in the table of places, the index over it and
// the index over the ids of events.
type witnesses struct{ occurrences, occurrenceIndex, ids []int64 }

// agreed are the keys that two of the three have: one of them alone may be
// damaged itself. Where the file was cut off one is enough. Complete is when one of
// them has all.
func (w *witnesses) agreed(isTruncated bool) (keys []int64, complete bool) {
	lists := [][]int64{sorted(w.occurrences), sorted(w.occurrenceIndex), sorted(w.ids)}
	all := sorted(slices.Concat(lists...))
	for _, key := range all {
		n := 0
		for _, list := range lists {
			if _, found := slices.BinarySearch(list, key); found {
				n++
			}
		}
		if n > 1 || isTruncated {
			keys = append(keys, key)
		}
	}
	for _, list := range lists {
		complete = complete || !isTruncated && containsAll(list, keys)
	}
	return keys, complete
}

func sorted(keys []int64) []int64 {
	slices.Sort(keys)
	return slices.Compact(keys)
}

func containsAll(list, of []int64) bool {
	return !slices.ContainsFunc(of, func(key int64) bool {
		_, found := slices.BinarySearch(list, key)
		return !found
	})
}

// Event reads an event again.
func (l *Ledger) Event(at pages.Address) (Event, bool) {
	record, ok := l.file.At(at)
	if !ok || !record.Table {
		return Event{}, false
	}
	return l.event(record)
}

// event is the event of a row; false for a row of another table, and for one
// whose body cannot be read or whose checksum does not hold.
func (l *Ledger) event(record pages.Record) (Event, bool) {
	v := row(record.Values)
	if len(v) != 11 && len(v) != 12 && len(v) != 14 || !v.begins("nitt") {
		return Event{}, false
	}
	e := Event{
		Key: record.Row, Tool: v.number(1), ID: v.text(2), Withdrawn: v.number(5) != 0, Outside: v.number(6) != 0,
		Revision: int(v.number(7)), Address: record.Address,
	}
	switch body := v[10].(type) {
	case string:
		e.Body = body
	case int64:
		packed, known := l.body(body, e.Key)
		if !known {
			return Event{}, false
		}
		e.Body = packed
	default:
		return Event{}, false
	}
	if len(v) >= 12 && v.number(11) != 0 && v.number(11) != db.EventSum(e.Key, e.ID, e.Withdrawn, e.Body) {
		return Event{}, false
	}
	return e, true
}

// cachedBlocks is how many blocks are held in memory: the events of a page are of few.
const cachedBlocks = 64

// blockCache are the bodies of the blocks that were read last, by block and key.
type blockCache map[int64]map[int64]string

// body is that of an event in a block; false where it cannot be read.
func (l *Ledger) body(block, key int64) (string, bool) {
	texts, cached := l.bodies[block]
	if !cached {
		if l.bodies == nil || len(l.bodies) >= cachedBlocks {
			l.bodies = blockCache{}
		}
		texts = l.readBlock(block)
		l.bodies[block] = texts
	}
	text, known := texts[key]
	return text, known
}

func (l *Ledger) readBlock(block int64) map[int64]string {
	texts := map[int64]string{}
	address, known := l.Blocks[block]
	if !known {
		return texts
	}
	if record, ok := l.file.At(address); ok && len(record.Values) == 4 {
		packed, _ := record.Values[3].([]byte)
		// What cannot be unpacked has no bodies.
		_ = bodies.Unpack(packed, func(key int64, body []byte) { texts[key] = string(body) })
	}
	return texts
}

// Occurrence is a row of the table occurrence.
type Occurrence struct {
	Source, Offset, Block, Event, Session, Length, Line int64
	Subagent                                            bool
}

func isOccurrence(v row) bool { return v.is("iiiiiiii") }

// Occurrences lists where the events with some keys, sorted, stand. Where only an
// index tells, line and length are 0.
func (l *Ledger) Occurrences(keys []int64) []Occurrence {
	known := map[[3]int64]Occurrence{}
	l.file.Each(func(record pages.Record) {
		v := row(record.Values)
		if record.Table || !isOccurrence(v) && !v.is("iiiii") {
			return
		}
		var at Occurrence
		if len(v) == 8 {
			at = Occurrence{v.number(0), v.number(1), v.number(2), v.number(3), v.number(4), v.number(5), v.number(6), v.number(7) != 0}
		} else {
			at = Occurrence{Event: v.number(0), Session: v.number(1), Source: v.number(2), Offset: v.number(3), Block: v.number(4)}
		}
		if _, wanted := slices.BinarySearch(keys, at.Event); !wanted {
			return
		}
		spot := [3]int64{at.Source, at.Offset, at.Block}
		if _, better := known[spot]; !better || len(v) == 8 {
			known[spot] = at
		}
	})
	list := make([]Occurrence, 0, len(known))
	for _, at := range known {
		list = append(list, at)
	}
	slices.SortFunc(list, func(a, b Occurrence) int {
		return slices.Compare([]int64{a.Source, a.Offset, a.Block}, []int64{b.Source, b.Offset, b.Block})
	})
	return list
}
