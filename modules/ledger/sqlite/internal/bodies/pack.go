// Package bodies keeps what events say, many to a compressed block: they repeat each
// other, and alone each would hardly get shorter. The column body of the table event has
// the number of the block, or the body itself where other programs read it.
package bodies

import (
	"fmt"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The two kinds of blocks. Search reads what people and agents said before what
// programs printed, and reads it more often.
const (
	said = iota
	printed
	classes
)

// blockSize is from where a block takes no more bodies, in bytes before they are
// packed. A search reads a block for each hit: the larger they are the less room they
// take, and the longer it waits.
const blockSize = 16 << 10

// classOf is the kind of block that a body goes into.
func classOf(kind transcript.Kind) int {
	switch kind {
	case transcript.Result, transcript.UsageRead, transcript.Turn, transcript.Session:
		return printed
	}
	return said
}

// isPlain says that a body stays as it is: the views v_decisions and v_failures, for
// other programs, read it.
func isPlain(kind transcript.Kind, body string) bool {
	return kind == transcript.Decided || kind == transcript.Result && strings.Contains(body, `"failed":true`)
}

// coder packs and unpacks blocks.
type coder struct {
	pack   *zstd.Encoder
	unpack *zstd.Decoder
}

// unpackers is how many blocks are unpacked beside each other.
const unpackers = 2

var shared = sync.OnceValues(func() (coder, error) {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
	if err != nil {
		return coder{}, err
	}
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(unpackers), zstd.WithDecoderMaxMemory(64<<20))
	return coder{pack, unpack}, err
})

// packed is a block as it is stored, with a checksum of its own.
func (c content) packed() ([]byte, error) {
	coder, err := shared()
	if err != nil {
		return nil, err
	}
	return coder.pack.EncodeAll(c, nil), nil
}

// Unpack visits the bodies of a stored block. It fails with ledger.ErrCorrupt where the
// block is damaged; what is visited is valid until visit returns.
func Unpack(packed []byte, visit func(key int64, body []byte)) error {
	content, err := unpacked(packed, nil)
	if err != nil {
		return err
	}
	return content.each(visit)
}

func unpacked(packed []byte, into content) (content, error) {
	coder, err := shared()
	if err != nil {
		return nil, err
	}
	text, err := coder.unpack.DecodeAll(packed, into[:0])
	if err != nil {
		return nil, fmt.Errorf("%w: a block of bodies: %w", ledger.ErrCorrupt, err)
	}
	return text, nil
}
