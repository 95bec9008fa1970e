package kit

import (
	"encoding/json"
	"io"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Memory is what a record needs to know of those before it: a pointer to a struct.
type Memory interface {
	// Forget drops all but what the events' identity hangs on.
	Forget()
}

// Log is a file of JSON lines being read: each line is an R, and S is remembered
// from line to line. Formats embed it, and add Read.
type Log[R any, S Memory] struct {
	*Tables
	Lines
	Memory S
	Record R // being read
}

// NewLog begins a file.
func NewLog[R any, S Memory](tables *Tables, memory S) Log[R, S] {
	return Log[R, S]{Tables: tables, Memory: memory}
}

// Parse implements Format.
func (l *Log[R, S]) Parse(line []byte) error {
	var record R
	err := json.Unmarshal(line, &record)
	l.Record = record
	return err
}

// Version implements Format where no record says it.
func (l *Log[R, S]) Version() string { return "" }

// State implements Format.
func (l *Log[R, S]) State() (json.RawMessage, error) {
	return transcript.EncodeState(l.Memory, l.Memory.Forget)
}

// Remembered is what Resume reads back.
func (l *Log[R, S]) Remembered() any { return l.Memory }

// Resume is a decoder of a file of JSON lines, with what was remembered at its
// position.
func Resume(in io.Reader, pos transcript.Position, format interface {
	Format
	Remembered() any
},
) (transcript.Decoder, error) {
	if err := transcript.DecodeState(pos.State, format.Remembered()); err != nil {
		return nil, err
	}
	return Decode(in, pos, format), nil
}
