package bodies

import (
	"encoding/binary"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
)

// content is what a block holds: for each body the key of its event, its length and
// the body, the numbers as varints. It says itself whose bodies it has, so that a block
// can be read in a damaged file.
type content []byte

func (c content) with(key int64, body string) content {
	c = binary.AppendUvarint(c, uint64(key))
	c = binary.AppendUvarint(c, uint64(len(body)))
	return append(c, body...)
}

// each visits the bodies. It fails with ledger.ErrCorrupt where the content is no
// list of bodies.
func (c content) each(visit func(key int64, body []byte)) error {
	for at := 0; at < len(c); {
		key, n := binary.Uvarint(c[at:])
		if n <= 0 {
			return errContent
		}
		at += n
		length, n := binary.Uvarint(c[at:])
		if n <= 0 || length > uint64(len(c)-at-n) {
			return errContent
		}
		at += n
		visit(int64(key), c[at:at+int(length)])
		at += int(length)
	}
	return nil
}

var errContent = fmt.Errorf("%w: a block of bodies cannot be read", ledger.ErrCorrupt)

// without is the content but for the bodies of some events.
func (c content) without(gone map[int64]bool) (content, error) {
	rest := make(content, 0, len(c))
	err := c.each(func(key int64, body []byte) {
		if !gone[key] {
			rest = rest.with(key, string(body))
		}
	})
	return rest, err
}
