// Package zstdsource reads transcripts that a tool has compressed with
// Zstandard. Places in them are counted in the uncompressed stream, so that a
// transcript is the same source before and after.
package zstdsource

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Extension is what a compressed transcript's name ends in.
const Extension = ".zst"

// maxWindow bounds the memory that a frame may ask for, in bytes.
const maxWindow = 128 << 20

// Is says that a path names a compressed transcript.
func Is(path string) bool { return strings.HasSuffix(path, Extension) }

// Logical is the name a transcript has when it is not compressed.
func Logical(path string) string { return strings.TrimSuffix(path, Extension) }

// Physical is the file that holds a transcript: itself, else its compressed
// form where only that is there.
func Physical(path string) string {
	logical := Logical(path)
	if _, err := os.Stat(logical); errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(logical + Extension); err == nil {
			return logical + Extension
		}
	}
	return logical
}

// File is a compressed transcript as the stream it holds. Going back, or
// reading anywhere, reads it from its start: what is compressed is cold.
type File struct {
	file   *os.File
	stream *zstd.Decoder
}

// Open opens a compressed transcript.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	stream, err := decoder(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &File{file: file, stream: stream}, nil
}

func decoder(in io.Reader) (*zstd.Decoder, error) {
	stream, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, fmt.Errorf("open compressed transcript: %w", err)
	}
	return stream, nil
}

// Read reads on in the uncompressed stream. A file that is just being written
// ends where it stops.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.stream.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// Seek goes to an offset of the uncompressed stream, from its start.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return 0, fmt.Errorf("seek in compressed transcript: %w", errors.ErrUnsupported)
	}
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return 0, fmt.Errorf("seek in compressed transcript: %w", err)
	}
	if err := f.stream.Reset(f.file); err != nil {
		return 0, fmt.Errorf("seek in compressed transcript: %w", err)
	}
	passed, err := io.CopyN(io.Discard, f, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return passed, fmt.Errorf("seek in compressed transcript: %w", err)
	}
	return passed, nil
}

// ReadAt implements io.ReaderAt on the uncompressed stream, beside what is being
// read.
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	info, err := f.file.Stat()
	if err != nil {
		return 0, fmt.Errorf("read compressed transcript: %w", err)
	}
	stream, err := decoder(io.NewSectionReader(f.file, 0, info.Size()))
	if err != nil {
		return 0, err
	}
	beside := &File{stream: stream}
	defer stream.Close()
	if _, err := io.CopyN(io.Discard, beside, offset); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(beside, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// Close closes the transcript.
func (f *File) Close() error {
	f.stream.Close()
	return f.file.Close()
}
