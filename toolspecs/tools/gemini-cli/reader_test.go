package geminicli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	geminicli "github.com/carryover-go/carryover/toolspecs/tools/gemini-cli"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func reader(t testing.TB) *geminicli.Reader {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	spec, err := table.Lookup("gemini-cli")
	if err != nil {
		t.Fatal(err)
	}
	return geminicli.New(spec)
}

func read(t testing.TB, path string, data []byte) transcript.Batch {
	t.Helper()
	decoder, err := reader(t).Decode(transcript.Source{Path: path}, bytes.NewReader(data), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := decoder.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if _, err := decoder.Next(); !errors.Is(err, io.EOF) {
		t.Fatalf("a second batch: %v", err)
	}
	return batch
}

// A document that is being written when it is read is broken: nothing is emitted,
// and the position stays, so that it is read again.
func TestHalfADocumentIsNothing(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("fixtures", "transcript", "document.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 100, len(data) / 2, len(data) - 3} {
		batch := read(t, "session-x.json", data[:size])
		if len(batch.Events) > 0 || batch.Position.Offset != 0 || batch.Coverage.Broken != 1 {
			t.Errorf("cut at %d: %d events, offset %d, %d broken", size, len(batch.Events), batch.Position.Offset, batch.Coverage.Broken)
		}
	}
	if batch := read(t, "session-x.json", data); batch.Position.Offset != int64(len(data)) || len(batch.Events) == 0 {
		t.Errorf("%d events, offset %d of %d", len(batch.Events), batch.Position.Offset, len(data))
	}
}

// The places of a document's events are those of its messages.
func TestADocumentsEventsAreAtTheirMessages(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("fixtures", "transcript", "document.json"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(data, []byte("\n"))
	for _, event := range read(t, "session-x.json", data).Events[1:] {
		if data[event.Ref.Offset] != '{' {
			t.Errorf("%s: nothing begins at %d", event.ID, event.Ref.Offset)
		}
		if line := bytes.TrimSpace(lines[event.Ref.Line-1]); !bytes.HasPrefix(line, []byte("{")) {
			t.Errorf("%s: line %d is %q", event.ID, event.Ref.Line, line)
		}
	}
}

// A document is read from its start or not at all.
func TestTheMiddleOfADocumentIsRefused(t *testing.T) {
	_, err := reader(t).Decode(transcript.Source{Path: "session-x.json"}, bytes.NewReader(nil), transcript.Position{Offset: 10})
	if !errors.Is(err, transcript.ErrState) {
		t.Errorf("error: %v", err)
	}
}

// What a message says stays the same however often it is written, and a long
// session keeps its state within bounds.
func TestALongSessionIsToldOnce(t *testing.T) {
	var log bytes.Buffer
	log.WriteString(`{"sessionId":"s","projectHash":"p","startTime":"2026-03-02T08:00:00.000Z"}` + "\n")
	var history []json.RawMessage
	for n := range 2000 {
		id, _ := json.Marshal(n)
		line := `{"id":"m` + string(id) + `","timestamp":"2026-03-02T08:00:00.000Z","type":"user","content":"prompt ` + string(id) + `"}`
		history = append(history, json.RawMessage(line))
		log.WriteString(line + "\n" + line + "\n")
	}
	again, err := json.Marshal(map[string]any{"$set": map[string]any{"messages": history}})
	if err != nil {
		t.Fatal(err)
	}
	log.Write(append(again, '\n'))
	decoder, err := reader(t).Decode(transcript.Source{Path: "x.jsonl"}, &log, transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	prompts := 0
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(batch.Position.State) > transcript.MaxState {
			t.Fatalf("a state of %d bytes", len(batch.Position.State))
		}
		for _, event := range batch.Events {
			if event.Kind == transcript.Prompt {
				prompts++
			}
		}
	}
	if prompts != 2000 {
		t.Errorf("%d prompts, want 2000", prompts)
	}
}

func FuzzDocument(f *testing.F) {
	for _, name := range []string{"document.json", "turns.json"} {
		data, err := os.ReadFile(filepath.Join("fixtures", "transcript", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { read(t, "x.json", data) })
}
