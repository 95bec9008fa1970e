// Package filesource reads what is new in a file that an agent writes. A file
// is known by device, inode and the hashes of its beginning and of the bytes
// just before the position: unchanged stat, not opened; grown and equal,
// continued; anything else, read again from its start.
package filesource

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/carryover-go/carryover/modules/daemon/capture/zstdsource"
	"github.com/carryover-go/carryover/modules/ledger"
)

// window is how much of a file's beginning and end is hashed, in bytes.
const window = 4 << 10

// Verdict says what a look at a file found.
type Verdict int

// What can be found.
const (
	Unchanged Verdict = iota // same stat: not even opened
	Grown                    // what was read is still there
	Fresh                    // never read
	Rewritten                // other bytes than those that were read
)

// File is an open source, positioned where reading goes on.
type File struct {
	Content
	// Compressed says that looking anywhere but at what comes next is dear.
	Compressed bool
	Verdict    Verdict
	Source     ledger.Source // as it will be stored: new stat, old or empty position
}

// Open compares the file with what is known of it. known is nil for a file
// never read. For Unchanged the File is not open. A transcript that is
// compressed keeps the name it had before.
func Open(tool, path string, known *ledger.Source) (*File, error) {
	physical := zstdsource.Physical(path)
	path = zstdsource.Logical(path)
	info, err := os.Stat(physical)
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("look at %s: not a regular file", path)
	}
	source := ledger.Source{Tool: tool, Path: path, Size: info.Size(), ModTime: info.ModTime().UTC()}
	source.Device, source.Inode = Identity(info)
	if known != nil && sameStat(*known, source) {
		source.Position = known.Position
		return &File{Verdict: Unchanged, Source: source}, nil
	}
	f, err := OpenContent(path)
	if err != nil {
		return nil, err
	}
	file := &File{Content: f, Compressed: zstdsource.Is(physical), Verdict: Fresh, Source: source}
	if known != nil {
		file.Verdict = file.compare(*known)
	}
	if file.Verdict == Grown {
		file.Source = continued(source, *known)
	}
	if _, err := f.Seek(file.Source.Position.Offset, io.SeekStart); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("seek in %s: %w", path, err)
	}
	return file, nil
}

// Restart goes back to the beginning: the reader could not use its old state,
// or is a newer one.
func (f *File) Restart() error {
	f.Source.Position.Offset, f.Source.Position.Line, f.Source.Position.State = 0, 0, nil
	_, err := f.Seek(0, io.SeekStart)
	return err
}

// Mark sets the hashes that go with the source's position.
func (f *File) Mark() error {
	var err error
	f.Source.Head, f.Source.Tail, err = hashes(f, f.Source.Position.Offset)
	return err
}

// compare looks at content, not at device and inode: a file that was copied
// back or moved to the archive continues where it was left.
func (f *File) compare(known ledger.Source) Verdict {
	if !f.Compressed && f.Source.Size < known.Position.Offset {
		return Rewritten
	}
	head, tail, err := hashes(f, known.Position.Offset)
	if err != nil || head != known.Head || tail != known.Tail {
		return Rewritten
	}
	return Grown
}

func continued(now, known ledger.Source) ledger.Source {
	known.Device, known.Inode, known.Size, known.ModTime = now.Device, now.Inode, now.Size, now.ModTime
	return known
}

func sameStat(known, now ledger.Source) bool {
	return known.Device == now.Device && known.Inode == now.Inode && known.Size == now.Size && known.ModTime.Equal(now.ModTime)
}

// hashes covers the first min(window, offset) bytes and the last window bytes
// before offset.
func hashes(f io.ReaderAt, offset int64) (head, tail string, err error) {
	head, err = hash(f, 0, min(window, offset))
	if err != nil {
		return "", "", err
	}
	from := max(0, offset-window)
	tail, err = hash(f, from, offset-from)
	return head, tail, err
}

func hash(f io.ReaderAt, from, length int64) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, from, length)); err != nil {
		return "", fmt.Errorf("hash transcript: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
