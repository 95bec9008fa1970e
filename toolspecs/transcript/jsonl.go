package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

const (
	// readChunk is the room kept for one read: large enough that a skipped
	// line costs little more than finding its end.
	readChunk = 256 << 10
	// batchBytes and batchEvents bound a Batch, so that one transaction of the
	// ledger stays short and memory stays constant.
	batchBytes  = 1 << 20
	batchEvents = 500
)

// Line is one record of a JSONL source.
type Line struct {
	Offset int64  // of the first byte, in the uncompressed stream
	Number int64  // 1-based
	Text   []byte // without the newline; valid until the next line is read
	// Torn says that the source ends here without a newline although the
	// record is complete. It is read, but not passed.
	Torn bool
}

// Ref is the place of the line.
func (l Line) Ref() Ref {
	return Ref{Offset: l.Offset, Length: int64(len(l.Text)), Line: l.Number}
}

// Lines cuts a stream into records, holding one line at a time. Blank lines are
// passed over, lines longer than MaxLine are counted and never held.
type Lines struct {
	in      io.Reader
	buf     []byte
	r, w    int   // unread bytes are buf[r:w]
	offset  int64 // of buf[r]
	number  int64 // lines passed
	tooLong int64
	eof     bool
}

// NewLines continues a stream at pos: in delivers the bytes from pos.Offset on.
func NewLines(in io.Reader, pos Position) *Lines {
	return &Lines{in: in, buf: make([]byte, readChunk), offset: pos.Offset, number: pos.Line}
}

// Position is the place after the last whole line, without a state.
func (l *Lines) Position() Position { return Position{Offset: l.offset, Line: l.number} }

// TakeTooLong returns how many lines were too long since it was last asked.
func (l *Lines) TakeTooLong() int64 {
	n := l.tooLong
	l.tooLong = 0
	return n
}

// Next returns the next record, or io.EOF when no complete one is left.
func (l *Lines) Next() (Line, error) {
	searched := 0
	for {
		if end := bytes.IndexByte(l.buf[l.r+searched:l.w], '\n'); end >= 0 {
			line := l.pass(searched + end)
			searched = 0
			if len(line.Text) > MaxLine {
				l.tooLong++
				continue
			}
			if !blank(line.Text) {
				return line, nil
			}
			continue
		}
		searched = l.w - l.r
		if searched > MaxLine {
			if err := l.discard(); err != nil {
				return Line{}, err
			}
			searched = 0
			continue
		}
		if l.eof {
			return l.torn()
		}
		if err := l.fill(); err != nil {
			return Line{}, err
		}
	}
}

// pass takes the line of the given length, and its newline, off the buffer.
func (l *Lines) pass(length int) Line {
	l.number++
	line := Line{Offset: l.offset, Number: l.number, Text: l.buf[l.r : l.r+length]}
	l.r += length + 1
	l.offset += int64(length) + 1
	return line
}

// torn yields what stands after the last newline if it is a whole object.
func (l *Lines) torn() (Line, error) {
	rest := l.buf[l.r:l.w]
	l.r = l.w
	if text := bytes.TrimSpace(rest); len(text) == 0 || text[0] != '{' || !json.Valid(text) {
		return Line{}, io.EOF
	}
	return Line{Offset: l.offset, Number: l.number + 1, Text: rest, Torn: true}, nil
}

// keep passes a line that was given without its newline, which counts as a line of
// its own should it come.
func (l *Lines) keep(line Line) { l.offset += int64(len(line.Text)) }

// discard drops a line that is too long. Without its newline the position stays
// before it: the line may still be growing.
func (l *Lines) discard() error {
	dropped := int64(l.w - l.r)
	l.r, l.w = 0, 0
	for {
		if err := l.fill(); err != nil {
			return err
		}
		if end := bytes.IndexByte(l.buf[:l.w], '\n'); end >= 0 {
			l.r = end + 1
			l.offset += dropped + int64(end) + 1
			l.number++
			l.tooLong++
			return nil
		}
		if l.eof {
			l.w = 0
			return io.EOF
		}
		dropped += int64(l.w)
		l.w = 0
	}
}

// fill reads once, making room first: unread bytes move to the front, and the
// buffer grows only for a line that needs it and shrinks again afterwards.
func (l *Lines) fill() error {
	held := l.w - l.r
	switch {
	case held+readChunk/2 > len(l.buf):
		l.move(make([]byte, min(2*len(l.buf), MaxLine+2*readChunk)))
	case len(l.buf) > 4*readChunk && held < readChunk/2:
		l.move(make([]byte, readChunk))
	case l.r > 0:
		l.move(l.buf)
	}
	n, err := l.in.Read(l.buf[l.w:])
	l.w += n
	if errors.Is(err, io.EOF) {
		l.eof = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("read transcript at offset %d: %w", l.offset+int64(l.w-l.r), err)
	}
	return nil
}

func (l *Lines) move(to []byte) {
	l.w = copy(to, l.buf[l.r:l.w])
	l.r = 0
	l.buf = to
}

func blank(text []byte) bool {
	return len(text) < 3 && len(bytes.TrimSpace(text)) == 0
}

// LineMapper is the part of a reader that knows its tool: it turns one record
// into events and counts in batch.Coverage what became of it.
type LineMapper interface {
	Map(line Line, batch *Batch)
	// State is everything Map remembers from one line to the next.
	State() (json.RawMessage, error)
}

// DecodeLines is a Decoder over a JSONL source.
func DecodeLines(in io.Reader, pos Position, mapper LineMapper) Decoder {
	return &lineDecoder{lines: NewLines(in, pos), mapper: mapper}
}

// DecodeRecords is DecodeLines for a tool that ends its files without a newline: a
// complete record at the end is whole, and passed.
func DecodeRecords(in io.Reader, pos Position, mapper LineMapper) Decoder {
	return &lineDecoder{lines: NewLines(in, pos), mapper: mapper, whole: true}
}

type lineDecoder struct {
	lines  *Lines
	mapper LineMapper
	done   bool
	whole  bool // the last record needs no newline
}

// Next implements Decoder.
func (d *lineDecoder) Next() (Batch, error) {
	if d.done {
		return Batch{}, io.EOF
	}
	var batch Batch
	start := d.lines.Position()
	for d.lines.Position().Offset-start.Offset < batchBytes && len(batch.Events) < batchEvents {
		line, err := d.lines.Next()
		if errors.Is(err, io.EOF) {
			d.done = true
			break
		}
		if err != nil {
			return Batch{}, err
		}
		if line.Torn && d.whole {
			d.mapper.Map(line, &batch)
			d.lines.keep(line)
			d.done = true
			break
		}
		if line.Torn {
			return d.last(batch, line)
		}
		d.mapper.Map(line, &batch)
	}
	if d.lines.Position().Offset == start.Offset {
		return Batch{}, io.EOF
	}
	return batch, d.close(&batch)
}

// last ends with a record that has no newline yet. Its events are delivered;
// position, state and coverage stay before it, for it will be read again.
func (d *lineDecoder) last(batch Batch, line Line) (Batch, error) {
	d.done = true
	if err := d.close(&batch); err != nil {
		return Batch{}, err
	}
	var torn Batch
	d.mapper.Map(line, &torn)
	batch.Events = append(batch.Events, torn.Events...)
	return batch, nil
}

func (d *lineDecoder) close(batch *Batch) error {
	state, err := d.mapper.State()
	if err != nil {
		return fmt.Errorf("keep reader state: %w", err)
	}
	batch.Coverage.TooLong += d.lines.TakeTooLong()
	batch.Position = d.lines.Position()
	batch.Position.State = state
	return nil
}
