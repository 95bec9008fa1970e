package kit

import (
	"bytes"
	"fmt"
	"io"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// DecodeWhole is a decoder of a source that its tool rewrites with every
// change: one batch holds it all. most bounds it, in bytes, for all of it has to
// be held. read says whether it could read the source;
// the position of one that is just being written stays at its start.
func DecodeWhole(in io.Reader, what string, most int64, read func(data []byte, batch *transcript.Batch) bool) transcript.Decoder {
	return &whole{in: in, what: what, most: most, read: read}
}

type whole struct {
	in   io.Reader
	what string // in errors
	most int64
	read func(data []byte, batch *transcript.Batch) bool
	done bool
}

// Next implements transcript.Decoder.
func (w *whole) Next() (transcript.Batch, error) {
	if w.done {
		return transcript.Batch{}, io.EOF
	}
	w.done = true
	data, err := io.ReadAll(io.LimitReader(w.in, w.most+1))
	switch {
	case err != nil:
		return transcript.Batch{}, fmt.Errorf("read %s: %w", w.what, err)
	case int64(len(data)) > w.most:
		return transcript.Batch{}, fmt.Errorf("read %s: more than %d MiB", w.what, w.most>>20)
	case len(bytes.TrimSpace(data)) == 0:
		return transcript.Batch{}, io.EOF
	}
	var batch transcript.Batch
	if w.read(data, &batch) {
		batch.Position = transcript.Position{Offset: int64(len(data)), Line: int64(bytes.Count(data, []byte("\n")))}
	}
	return batch, nil
}
