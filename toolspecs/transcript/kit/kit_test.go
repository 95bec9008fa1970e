package kit_test

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
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
	events, coverage := kit.MapRows(tables(), rows, func(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
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

// seen is a format whose lines are numbers, each told with the one before it.
type seen struct{ kit.Log[number, *last] }

type number struct{ Text string }

type last struct {
	Before string `json:"before,omitempty"`
}

func (l *last) Forget() { l.Before = "" }

func (s *seen) Read(string) {
	s.Add(transcript.Event{ID: s.Memory.Before + s.Record.Text, Kind: transcript.Reply})
	s.Memory.Before = s.Record.Text
}

func TestResume_RemembersWhatStoodBefore(t *testing.T) {
	read := func(lines string, pos transcript.Position) transcript.Batch {
		t.Helper()
		decoder, err := kit.Resume(strings.NewReader(lines), pos, &seen{kit.NewLog[number](tables(), &last{})})
		if err != nil {
			t.Fatal(err)
		}
		batch, err := decoder.Next()
		if err != nil {
			t.Fatal(err)
		}
		return batch
	}
	first := read(`{"type":"note","text":"a"}`+"\n", transcript.Position{})
	second := read(`{"type":"note","text":"b"}`+"\n"+`{"type":"note"}`+"\n", first.Position)
	if second.Events[0].ID != "ab" || second.Events[1].ID != "b" {
		t.Errorf("events are %s and %s", second.Events[0].ID, second.Events[1].ID)
	}
	if _, err := kit.Resume(nil, transcript.Position{State: []byte(`{"other":1}`)}, &seen{kit.NewLog[number](tables(), &last{})}); !errors.Is(err, transcript.ErrState) {
		t.Errorf("the state of another reader: %v", err)
	}
}

func TestOpenCalls_AreClosedOnceAndBounded(t *testing.T) {
	var open kit.OpenCalls
	for n := range kit.MaxOpen + 1 {
		open.Open(transcript.Event{ID: "e", Call: &transcript.CallInfo{ID: strconv.Itoa(n), Name: "shell"}})
	}
	if first := open.Close("0"); first.Name != "" || len(open) != kit.MaxOpen {
		t.Errorf("the oldest is %+v, %d are open", first, len(open))
	}
	if call := open.Close("7"); call.Name != "shell" || call.Event != "e" {
		t.Errorf("closed %+v", call)
	}
	if again := open.Close("7"); again != (kit.OpenCall{ID: "7"}) {
		t.Errorf("closed again: %+v", again)
	}
}

func TestPrompted_TellsWhoseTextItIs(t *testing.T) {
	spec := kit.For(&toolspecs.Spec{Tool: "notes", Machine: []string{"<system>"}})
	for text, want := range map[string]transcript.Event{
		" build it ":                        {Kind: transcript.Prompt, Text: "build it", Origin: transcript.Typed},
		"<system>go on":                     {Kind: transcript.Prompt, Text: "<system>go on", Origin: transcript.Machine},
		transcript.Sentinel + "handoff -->": {Kind: transcript.Restored},
	} {
		if got, said := spec.Prompted(text); !said || got.Kind != want.Kind || got.Text != want.Text || got.Origin != want.Origin {
			t.Errorf("%q is %+v", text, got)
		}
	}
	if _, said := spec.Prompted(" \n"); said {
		t.Error("blanks are taken for a prompt")
	}
}

func TestDatabase_HasNoFileToDecode(t *testing.T) {
	database := kit.ForDatabase(&toolspecs.Spec{Tool: "notes"})
	if _, err := database.Decode(transcript.Source{}, nil, transcript.Position{}); !errors.Is(err, transcript.ErrRowsOnly) || errors.Is(err, transcript.ErrState) {
		t.Errorf("error: %v", err)
	}
	if _, err := database.Decode(transcript.Source{}, nil, transcript.Position{Offset: 1}); !errors.Is(err, transcript.ErrState) {
		t.Errorf("error in the middle: %v", err)
	}
}

func TestStamp_TellsSecondsFromMilliseconds(t *testing.T) {
	seconds, milliseconds := kit.Stamp(1_772_445_600), kit.Stamp(1_772_445_600_000)
	if !seconds.Equal(milliseconds) || seconds.Year() != 2026 {
		t.Errorf("%s and %s", seconds, milliseconds)
	}
	if !kit.Stamp(0).IsZero() || !kit.Stamp(-1).IsZero() {
		t.Error("no time was read as one")
	}
}
