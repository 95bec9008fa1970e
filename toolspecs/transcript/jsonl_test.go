package transcript_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// counting is the simplest reader there is: an event for every record, whose
// id tells how many came before it.
type counting struct{ Seen int }

func (c *counting) Map(line transcript.Line, batch *transcript.Batch) {
	batch.Coverage.Records++
	batch.Events = append(batch.Events, transcript.Located{
		Event: transcript.Event{ID: fmt.Sprint(c.Seen), Text: string(line.Text)}, Ref: line.Ref(),
	})
	c.Seen++
}

func (c *counting) State() (json.RawMessage, error) { return json.Marshal(c) }

func decodeAll(t *testing.T, in io.Reader, pos transcript.Position) ([]transcript.Located, transcript.Position, transcript.Coverage) {
	t.Helper()
	mapper := &counting{}
	if pos.State != nil {
		if err := json.Unmarshal(pos.State, mapper); err != nil {
			t.Fatal(err)
		}
	}
	decoder := transcript.DecodeLines(in, pos, mapper)
	var events []transcript.Located
	var coverage transcript.Coverage
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return events, pos, coverage
		}
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, batch.Events...)
		coverage.Add(batch.Coverage)
		pos = batch.Position
	}
}

func TestLastLineCountsWhenWholeAndIsPassedWithItsNewline(t *testing.T) {
	tests := []struct {
		name, input string
		events      int
		offset      int64
	}{
		{"ended by a newline", "{\"a\":1}\n{\"b\":2}\n", 2, 16},
		{"a whole object without one", "{\"a\":1}\n{\"b\":2}", 2, 8},
		{"a torn object", "{\"a\":1}\n{\"b\":", 1, 8},
		{"a scalar", "{\"a\":1}\n12", 1, 8},
		{"blank lines", "\n{\"a\":1}\r\n\r\n", 1, 12},
		{"nothing", "", 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			events, pos, coverage := decodeAll(t, iotest.OneByteReader(strings.NewReader(test.input)), transcript.Position{})
			if len(events) != test.events || pos.Offset != test.offset {
				t.Errorf("%d events up to %d, want %d up to %d", len(events), pos.Offset, test.events, test.offset)
			}
			if whole := int64(strings.Count(strings.TrimSpace(test.input[:test.offset]), "{")); coverage.Records != whole {
				t.Errorf("%d records counted, want the %d that were passed", coverage.Records, whole)
			}
		})
	}
}

func TestLineTooLongIsCountedNotHeld(t *testing.T) {
	long := `{"x":"` + strings.Repeat("y", transcript.MaxLine) + "\"}\n"
	events, pos, coverage := decodeAll(t, strings.NewReader("{}\n"+long+"{\"after\":1}\n"), transcript.Position{})
	if len(events) != 2 || coverage.TooLong != 1 || events[1].Ref.Line != 3 || events[1].Ref.Offset != int64(3+len(long)) {
		t.Errorf("%d events, %d too long, last at %+v", len(events), coverage.TooLong, events[len(events)-1].Ref)
	}
	if pos.Line != 3 {
		t.Errorf("position %+v", pos)
	}
	_, pos, coverage = decodeAll(t, strings.NewReader("{}\n"+strings.TrimSpace(long)), transcript.Position{})
	if pos.Offset != 3 || coverage.TooLong != 0 {
		t.Errorf("a long line without its newline was passed: %+v, %+v", pos, coverage)
	}
}

func TestReadErrorNamesThePlace(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(errors.New("disk gone")))
	_, err := transcript.DecodeLines(broken, transcript.Position{}, &counting{}).Next()
	if err == nil || !strings.Contains(err.Error(), "offset 3: disk gone") {
		t.Errorf("error: %v", err)
	}
}

func TestAnyCutGivesTheSameEvents(t *testing.T) {
	input := "{\"a\":1}\n\n{\"b\":\"x\\\"y\"}\nnot json\n{\"c\":{\"d\":[]}}"
	whole, _, _ := decodeAll(t, strings.NewReader(input), transcript.Position{})
	for size := range len(input) {
		head, pos, _ := decodeAll(t, strings.NewReader(input[:size]), transcript.Position{})
		tail, _, _ := decodeAll(t, strings.NewReader(input[pos.Offset:]), pos)
		byID := map[string]string{}
		for _, event := range append(head, tail...) {
			byID[event.ID] = asJSON(t, event)
		}
		for _, event := range whole {
			if byID[event.ID] != asJSON(t, event) {
				t.Fatalf("cut at %d: event %s is %s", size, event.ID, byID[event.ID])
			}
		}
		if len(byID) != len(whole) {
			t.Fatalf("cut at %d: %d events, want %d", size, len(byID), len(whole))
		}
	}
}

// repeating yields a line again and again, up to a size, without holding it.
type repeating struct {
	line []byte
	left int
	at   int
}

func (r *repeating) Read(into []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := copy(into, r.line[r.at:])
	r.at = (r.at + n) % len(r.line)
	r.left -= n
	return n, nil
}

func TestMemoryIsConstant(t *testing.T) {
	line := append(append([]byte(`{"x":"`), bytes.Repeat([]byte("y"), 64<<10)...), "\"}\n"...)
	decoder := transcript.DecodeLines(&repeating{line: line, left: 256 << 20}, transcript.Position{}, &counting{})
	var peak uint64
	for {
		if _, err := decoder.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		peak = max(peak, memory.HeapInuse)
	}
	if peak > 32<<20 {
		t.Errorf("256 MiB were read with %d MiB in use", peak>>20)
	}
}

// allocated are the bytes that a function asks for in all, which bounds what it
// can hold at any time. It is the same in every run.
func allocated(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A line that never ends costs no more than one that is just too long.
func TestLines_HoldNoMoreThanTheLongestLine(t *testing.T) {
	const most = 4 * transcript.MaxLine // the buffer, and those it grew out of
	for _, length := range []int{transcript.MaxLine + 1<<20, 1 << 30} {
		in := io.MultiReader(strings.NewReader(`{"x":"`), &repeating{line: []byte("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"), left: length}, strings.NewReader("\"}\n{}\n"))
		var coverage transcript.Coverage
		used := allocated(func() {
			batch, err := transcript.DecodeLines(in, transcript.Position{}, &counting{}).Next()
			if err != nil || len(batch.Events) != 1 {
				t.Errorf("%d events, %v", len(batch.Events), err)
			}
			coverage = batch.Coverage
		})
		if used > most || coverage.TooLong != 1 {
			t.Errorf("a line of %d MiB took %d MiB, %d too long", length>>20, used>>20, coverage.TooLong)
		}
	}
}
