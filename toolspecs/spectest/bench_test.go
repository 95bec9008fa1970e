package spectest_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// skipped are records as the tools write them and the readers skip them: the
// type near the start, and behind kilobytes of payload.
var skipped = map[string][2]string{
	"claude-code": {
		`{"type":"api-request","sessionId":"s","request":{"type":"x","body":"`,
		`{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/home/dev","sessionId":"s","version":"2.1.40","gitBranch":"main","slug":"x","data":{"type":"hook_progress","body":"`,
	},
	"codex": {
		`{"timestamp":"2026-03-02T08:00:00.000Z","ordinal":1,"type":"world_state","payload":{"full":true,"body":"`,
		`{"timestamp":"2026-03-02T08:00:00.000Z","payload":{"x":{"type":"reasoning"},"body":"`,
	},
	"copilot-cli": {
		`{"type":"system.message","data":{"role":"system","content":"`,
		`{"data":{"x":{"type":"model.message"},"body":"`,
	},
	"gemini-cli": {
		`{"type":"warning","content":{"x":"`,
		`{"id":"w","timestamp":"2026-03-02T08:00:00.000Z","content":{"type":"x","body":"`,
	},
}

var endings = map[string][2]string{
	"claude-code": {"\"}}\n", "\"},\"type\":\"progress\"}\n"},
	"codex":       {"\"}}\n", "\"},\"type\":\"world_state\"}\n"},
	"copilot-cli": {"\"}}\n", "\"},\"type\":\"model.messages_snapshot\"}\n"},
	"gemini-cli":  {"\"}}\n", "\"},\"type\":\"warning\"}\n"},
}

func forEachReader(b *testing.B, run func(b *testing.B, reader transcript.Reader, tool string)) {
	table, _ := toolspecs.Load(nil)
	for _, spec := range table.All() {
		reader, err := readers.For(spec)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(spec.Tool, func(b *testing.B) { run(b, reader, spec.Tool) })
	}
}

func drain(b testing.TB, reader transcript.Reader, in io.Reader) (events int) {
	decoder, err := reader.Decode(transcript.Source{}, in, transcript.Position{})
	if err != nil {
		b.Fatal(err)
	}
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return events
		}
		if err != nil {
			b.Fatal(err)
		}
		events += len(batch.Events)
	}
}

// Budget: at least 1 GB/s on one core for records that are skipped by type.
func BenchmarkSkip(b *testing.B) {
	body := bytes.Repeat([]byte(`some text with a \"quote\" in it, as transcripts have; `), 360)
	forEachReader(b, func(b *testing.B, reader transcript.Reader, tool string) {
		for at, name := range []string{"type-first", "type-last"} {
			b.Run(name, func(b *testing.B) {
				line := append(append([]byte(skipped[tool][at]), body...), endings[tool][at]...)
				data := bytes.Repeat(line, (32<<20)/len(line))
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if drain(b, reader, bytes.NewReader(data)) != 0 {
						b.Fatal("an event was made")
					}
				}
			})
		}
	})
	b.Run("floor", func(b *testing.B) {
		line := slices.Concat(body, []byte("\n"))
		data := bytes.Repeat(line, (32<<20)/len(line))
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			for rest := data; len(rest) > 0; {
				rest = rest[bytes.IndexByte(rest, '\n')+1:]
			}
		}
	})
}

// Target: at least 60 MB/s for records that are read.
func BenchmarkRead(b *testing.B) {
	forEachReader(b, func(b *testing.B, reader transcript.Reader, tool string) {
		found, err := spectest.Fixtures(tool)
		if err != nil {
			b.Fatal(err)
		}
		var data []byte
		for len(data) < 8<<20 {
			for _, fixture := range found {
				data = append(append(data, bytes.TrimSpace(fixture.Data)...), '\n')
			}
		}
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			drain(b, reader, bytes.NewReader(data))
		}
	})
}

// endless yields the same records again and again, up to a size.
type endless struct {
	data []byte
	at   int
	left int
}

func (e *endless) Read(into []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(into, e.data[e.at:])
	e.at, e.left = (e.at+n)%len(e.data), e.left-n
	return n, nil
}

func TestMemoryIsConstant(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		if !spectest.Appended(spec, spec.Transcripts[0].Glob) {
			t.Skip("a transcript that is rewritten is held whole, up to a bound")
		}
		var data []byte
		for _, fixture := range fixtures(t, spec.Tool) {
			data = append(append(data, bytes.TrimSpace(fixture.Data)...), '\n')
		}
		data = append(data, skipped[spec.Tool][0]...)
		data = append(append(data, bytes.Repeat([]byte("x"), 4<<20)...), endings[spec.Tool][0]...)
		decoder, err := reader.Decode(transcript.Source{}, &endless{data: data, left: 300 << 20}, transcript.Position{})
		if err != nil {
			t.Fatal(err)
		}
		var peak uint64
		for batches := 0; ; batches++ {
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
			if batches%16 == 0 {
				runtime.GC()
				var memory runtime.MemStats
				runtime.ReadMemStats(&memory)
				peak = max(peak, memory.HeapInuse)
			}
		}
		if peak > 64<<20 {
			t.Errorf("300 MiB were read with %d MiB in use", peak>>20)
		}
	})
}
