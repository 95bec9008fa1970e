package kit_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// notes is a format of lines that say one thing each.
type notes struct {
	*kit.Tables
	kit.Lines
	text string
}

func (n *notes) Parse(line []byte) error {
	var note struct{ Text string }
	err := json.Unmarshal(line, &note)
	n.text = note.Text
	return err
}

func (n *notes) Version() string                 { return "1.0" }
func (n *notes) State() (json.RawMessage, error) { return json.RawMessage(`{}`), nil }

func (n *notes) Read(kind string) {
	said := n.Add(transcript.Event{ID: n.text, Kind: transcript.Reply, Text: n.text})
	if kind == "edit" {
		n.Edited("a.go", "old", "new")
		n.UnknownCall("1.0", "paint")
	}
	n.Decisions(said, n.text)
}

func tables() *kit.Tables {
	return kit.For(&toolspecs.Spec{Tool: "notes", Records: toolspecs.Records{
		Read: []string{"note", "edit"}, Skipped: []toolspecs.Skip{{Type: "state", Why: "state"}},
	}})
}

func decode(t *testing.T, lines ...string) transcript.Batch {
	t.Helper()
	decoder := kit.Decode(strings.NewReader(strings.Join(lines, "\n")+"\n"), transcript.Position{}, &notes{Tables: tables()})
	batch, err := decoder.Next()
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func TestDecode_CountsWhatBecomesOfEveryRecord(t *testing.T) {
	batch := decode(t, `{"type":"note","text":"one"}`, `{"type":"state"}`, `{"type":"new"}`, `{"type":"note","text":2}`, `{"type":"edit","text":"two"}`)
	c := batch.Coverage
	if c.Records != 5 || c.Read != 2 || c.Skipped != 1 || c.Broken != 1 {
		t.Errorf("coverage is %+v", c)
	}
	if unknown := c.Unknown["1.0"]; unknown["new"] != 1 || unknown["call paint"] != 1 {
		t.Errorf("unknown are %v", unknown)
	}
}

func TestAdd_NumbersTheEventsOfARecord(t *testing.T) {
	batch := decode(t, `{"type":"note","text":"DECISION: use Go over C because of memory"}`, `{"type":"note","text":"two"}`)
	var blocks []int
	for _, event := range batch.Events {
		if event.Tool != "notes" {
			t.Errorf("%s is of the tool %q", event.ID, event.Tool)
		}
		blocks = append(blocks, event.Ref.Block)
	}
	if len(blocks) != 3 || blocks[0] != 0 || blocks[1] != 1 || blocks[2] != 0 {
		t.Errorf("blocks are %v", blocks)
	}
	if decided := batch.Events[1]; decided.Kind != transcript.Decided || decided.Parent != batch.Events[0].ID {
		t.Errorf("the decision is %+v", decided)
	}
}

func TestEdited_StandsAtTheEventAddedLast(t *testing.T) {
	batch := decode(t, `{"type":"edit","text":"two"}`)
	if edit := batch.Events[0].Edit; edit == nil || edit.Path != "a.go" || edit.After != "new" {
		t.Errorf("the edit is %+v", edit)
	}
}

func TestRecord_NumbersItsEventsFromItsPlace(t *testing.T) {
	record := kit.Record{Ref: transcript.Ref{Offset: 7, Block: 32}}
	said := record.Add(transcript.Event{ID: "a", Kind: transcript.Reply}).Event
	record.Decisions(said, "DECISION: use Go over C because of memory")
	if len(record.Events) != 2 || record.Events[0].Ref.Block != 32 || record.Events[1].Ref.Block != 33 || record.Events[1].Ref.Offset != 7 {
		t.Errorf("events are %+v", record.Events)
	}
}

func TestMapRows_AddsUpEventsAndCounts(t *testing.T) {
	rows := []transcript.Row{{Query: "note"}, {Query: "state"}, {Query: "new"}, {}}
	events, coverage := kit.MapRows(rows, func(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
		if row.Query == "" {
			kit.Broken(coverage)
			return nil
		}
		if !tables().Count(row.Query, coverage) {
			return nil
		}
		return []transcript.Located{{}}
	})
	if len(events) != 1 || coverage.Records != 4 || coverage.Read != 1 || coverage.Skipped != 1 || coverage.Broken != 1 || coverage.UnknownTotal() != 1 {
		t.Errorf("%d events, coverage %+v", len(events), coverage)
	}
}

func TestDecodeWhole_GivesOneBatch(t *testing.T) {
	for name, test := range map[string]struct {
		data   string
		whole  bool
		offset int64
		err    error
	}{
		"whole":              {"one\ntwo\n", true, 8, nil},
		"just being written": {"one\nt", false, 0, nil},
		"empty":              {" \n", true, 0, io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			decoder := kit.DecodeWhole(strings.NewReader(test.data), "notes", 100, func([]byte, *transcript.Batch) bool { return test.whole })
			batch, err := decoder.Next()
			if !errors.Is(err, test.err) || batch.Position.Offset != test.offset {
				t.Errorf("position %+v, %v", batch.Position, err)
			}
			if _, err := decoder.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("a second batch: %v", err)
			}
		})
	}
	long := kit.DecodeWhole(strings.NewReader("too long"), "notes", 3, func([]byte, *transcript.Batch) bool { return true })
	if _, err := long.Next(); err == nil {
		t.Error("a source beyond the bound was read")
	}
}

func TestTime_UnreadableStaysUnknown(t *testing.T) {
	if got := kit.Time("2026-03-02T10:00:00.5+01:00"); got.String() != "2026-03-02 09:00:00.5 +0000 UTC" {
		t.Errorf("read as %s", got)
	}
	if !kit.Time("yesterday").IsZero() {
		t.Error("a time that is none was read")
	}
}
