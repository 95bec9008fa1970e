// Package originals keeps the raw records of transcripts in compressed pieces.
package originals

import (
	"bytes"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/carryover-go/carryover/modules/ledger/redact"
)

// Sizes of pieces, in bytes of the transcript. A piece below small is packed anew
// together with what follows it: what a session writes in a minute compresses badly.
// Longer pieces take less room, but as much more memory.
const (
	small   = 512 << 10
	largest = 2 << 20
)

// coder packs and unpacks; made when it is first needed.
type coder struct {
	once   sync.Once
	pack   *zstd.Encoder
	unpack *zstd.Decoder
	err    error
}

func (c *coder) open() error {
	c.once.Do(func() {
		if c.pack, c.err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(largest)); c.err != nil {
			return
		}
		c.unpack, c.err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	})
	return c.err
}

func (c *coder) packed(text []byte) ([]byte, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	return c.pack.EncodeAll(text, nil), nil
}

func (c *coder) unpacked(packed []byte) ([]byte, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	return c.unpack.DecodeAll(packed, nil)
}

// cleanedApart is from how many bytes on a text is cleaned in two halves.
const cleanedApart = 64 << 10

// cleanBeside takes secrets out on two processors: lines do not know each other.
func cleanBeside(text []byte) []byte {
	half := bytes.IndexByte(text[len(text)/2:], '\n') + 1
	if len(text) < cleanedApart || half == 0 {
		cleaned, _ := clean(text, nil)
		return cleaned
	}
	half += len(text) / 2
	var second []byte
	var secondChanged bool
	var beside sync.WaitGroup
	beside.Go(func() { second, secondChanged = clean(text[half:], nil) })
	first, firstChanged := clean(text[:half], nil)
	beside.Wait()
	if !firstChanged && !secondChanged {
		return text
	}
	return slices.Concat(first, second)
}

// clean takes secrets and forgotten texts out of records, line by line; scrub is nil
// where nothing was forgotten. changed says whether there was any.
func clean(text []byte, scrub func(string) string) (cleaned []byte, changed bool) {
	var out []byte
	done := 0
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n') + 1
		if end == 0 {
			end = len(text) - at
		}
		line := string(text[at : at+end])
		clean := redact.Record(line)
		if scrub != nil {
			clean = redact.Strings(clean, scrub)
		}
		if clean != line {
			out = append(append(out, text[done:at]...), clean...)
			done = at + end
		}
		at += end
	}
	if done == 0 {
		return text, false
	}
	return append(out, text[done:]...), true
}
