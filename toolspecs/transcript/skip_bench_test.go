package transcript_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// record has its type near the start, as skipped records of the tools have it,
// or at its end, the worst case for finding it.
func record(typeFirst bool) []byte {
	body := bytes.Repeat([]byte(`a request with some \"quoted\" text in it, as they are; `), 400)
	if typeFirst {
		return append(append([]byte(`{"uuid":"0c2f","type":"api-request","body":"`), body...), "\"}\n"...)
	}
	return append(append([]byte(`{"uuid":"0c2f","body":"`), body...), "\",\"type\":\"api-request\"}\n"...)
}

func benchmarkSkip(b *testing.B, line []byte) {
	const size = 64 << 20
	b.SetBytes(size)
	for b.Loop() {
		lines := transcript.NewLines(&repeating{line: line, left: size / len(line) * len(line)}, transcript.Position{})
		for {
			record, err := lines.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if name, _ := transcript.Peek(record.Text, "type"); string(name) != "api-request" {
				b.Fatalf("type %q", name)
			}
		}
	}
}

// Budget: at least 1 GB/s on one core for records skipped by their type.
func BenchmarkSkip(b *testing.B) {
	b.Run("type-first", func(b *testing.B) { benchmarkSkip(b, record(true)) })
	b.Run("type-last", func(b *testing.B) { benchmarkSkip(b, record(false)) })
	b.Run("floor-newline", func(b *testing.B) {
		line := record(true)
		b.SetBytes(64 << 20)
		for b.Loop() {
			for range (64 << 20) / len(line) {
				if bytes.IndexByte(line, '\n') < 0 {
					b.Fatal("no newline")
				}
			}
		}
	})
}
