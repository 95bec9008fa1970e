// Package pages reads the records of a SQLite file page by page, without its
// trees: what stands on a sound page is found whatever became of the others.
// The format is that of https://sqlite.org/fileformat2.html.
package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// standardPage is the size of a page, in bytes, where the file does not say.
const standardPage = 4096

// File is a SQLite file, with its write-ahead log, that nobody writes.
type File struct {
	file, wal *os.File
	size      int64           // of a page
	count     int64           // of pages
	said      int64           // how many there are, as the first page says
	logged    map[int64]int64 // page → offset in the log
}

// Open opens the file at path, and the log beside it where that is wanted. What is no
// file at all has no page, and is cut off.
func Open(path string, withLog bool) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return &File{said: 1}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{file: file, size: standardPage, logged: map[int64]int64{}}
	head := make([]byte, 32)
	if _, err := file.ReadAt(head, 0); err == nil {
		if size := pageSize(int64(binary.BigEndian.Uint16(head[16:]))); size > 0 && string(head[:15]) == "SQLite format 3" {
			f.size, f.said = size, int64(binary.BigEndian.Uint32(head[28:]))
		}
	}
	f.count = (info.Size() + f.size - 1) / f.size
	if wal := path + "-wal"; withLog && isFile(wal) {
		if f.wal, err = os.Open(wal); err == nil {
			f.readLog(nil)
		} else {
			f.wal = nil
		}
	}
	return f, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Close ends the use of the file.
func (f *File) Close() error {
	var errs []error
	for _, file := range []*os.File{f.file, f.wal} {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	return errors.Join(errs...)
}

// Pages is how many there are. Their numbers begin with 1.
func (f *File) Pages() int64 { return f.count }

// IsTruncated says that the file is shorter than its first page says.
func (f *File) IsTruncated() bool { return f.said > f.count }

// page reads a page; the last one of a torn file may be short.
func (f *File) page(n int64) ([]byte, error) {
	if n < 1 || n > f.count {
		return nil, fmt.Errorf("there is no page %d", n)
	}
	page := make([]byte, f.size)
	in, at := io.ReaderAt(f.file), (n-1)*f.size
	if offset, newer := f.logged[n]; newer {
		in, at = f.wal, offset
	}
	read, err := in.ReadAt(page, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return page[:read], nil
}

// pageSize is the size that a header says; 0 when it cannot be one.
func pageSize(said int64) int64 {
	if said == 1 {
		return 65536
	}
	if said < 512 || said&(said-1) != 0 {
		return 0
	}
	return said
}

const (
	logHead   = 32
	frameHead = 24
)

// readLog notes the newest version of each page in the log, up to its last
// commit. The log ends at the first frame whose checksum does not hold. Each, if any, is
// handed every frame; isLast says that it ends a transaction.
func (f *File) readLog(each func(page int64, content []byte, isLast bool)) {
	head := make([]byte, logHead)
	if _, err := f.wal.ReadAt(head, 0); err != nil {
		return
	}
	magic := binary.BigEndian.Uint32(head)
	size := int64(binary.BigEndian.Uint32(head[8:]))
	if magic&^1 != 0x377f0682 || pageSize(size) != size {
		return
	}
	f.size = size
	order := binary.ByteOrder(binary.LittleEndian)
	if magic&1 == 1 {
		order = binary.BigEndian
	}
	s0, s1 := checksum(order, head[:24], 0, 0)
	pending := map[int64]int64{}
	frame := make([]byte, frameHead+size)
	for at := int64(logHead); ; at += frameHead + size {
		if _, err := f.wal.ReadAt(frame, at); err != nil || string(frame[8:16]) != string(head[16:24]) {
			return
		}
		s0, s1 = checksum(order, frame[:8], s0, s1)
		s0, s1 = checksum(order, frame[frameHead:], s0, s1)
		if s0 != binary.BigEndian.Uint32(frame[16:]) || s1 != binary.BigEndian.Uint32(frame[20:]) {
			return
		}
		page, commit := int64(binary.BigEndian.Uint32(frame)), int64(binary.BigEndian.Uint32(frame[4:]))
		pending[page] = at + frameHead
		if each != nil {
			each(page, frame[frameHead:], commit > 0)
		}
		if commit > 0 {
			for page, offset := range pending {
				f.logged[page] = offset
			}
			f.count, f.said = commit, commit
			clear(pending)
		}
	}
}

// checksum is that of the log, over whole pairs of words.
func checksum(order binary.ByteOrder, data []byte, s0, s1 uint32) (uint32, uint32) {
	for ; len(data) >= 8; data = data[8:] {
		s0 += order.Uint32(data) + s1
		s1 += order.Uint32(data[4:]) + s0
	}
	return s0, s1
}
