package filesource

import (
	"fmt"
	"io"
	"os"

	"github.com/carryover-go/carryover/modules/daemon/capture/zstdsource"
)

// Content is what a transcript says, whatever form its file has.
type Content interface {
	io.ReadSeekCloser
	io.ReaderAt
}

// OpenContent opens a transcript, also one that was compressed meanwhile.
func OpenContent(path string) (Content, error) {
	physical := zstdsource.Physical(path)
	if zstdsource.Is(physical) {
		return zstdsource.Open(physical)
	}
	f, err := os.Open(physical)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	return f, nil
}
