// Package bundle carries a project's sessions to another machine: lines of JSON,
// compressed, with a checksum at the end.
package bundle

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Version is the newest form of a bundle that this code reads.
const Version = 1

// Errors of reading.
var (
	ErrNone    = errors.New("not a bundle of Carryover")
	ErrTooNew  = errors.New("the bundle was written by a newer Carryover")
	ErrDamaged = errors.New("the bundle is damaged: its checksum does not hold")
)

// maxLine bounds a line, in bytes: an event's texts are bounded by the ledger.
const maxLine = 64 << 20

// Header says of which project the sessions are. A project is known by the first commit
// of its repository and the path below it, wherever it lies.
type Header struct {
	Version     int    `json:"version"`
	FirstCommit string `json:"first_commit,omitempty"` // "" outside git
	Below       string `json:"below,omitempty"`        // path of the project below the repository
	Name        string `json:"name"`                   // of its folder
	Root        string `json:"root"`                   // where it lay
	Sessions    int    `json:"sessions"`
}

// Line is a session or one of its events, in order, or a handoff of a named agent.
type Line struct {
	Session *ledger.Session      `json:"session,omitempty"`
	Event   *transcript.Event    `json:"event,omitempty"`
	Handoff *ledger.AgentHandoff `json:"handoff,omitempty"`
}

// record is a line as it is written.
type record struct {
	Bundle *Header `json:"carryover_bundle,omitempty"`
	Line
	SHA256 string `json:"sha256,omitempty"` // of all lines before it
}

// Writer writes a bundle.
type Writer struct {
	out *zstd.Encoder
	sum hash.Hash
}

// NewWriter begins a bundle with its header.
func NewWriter(to io.Writer, header Header) (*Writer, error) {
	out, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("write bundle: %w", err)
	}
	w := &Writer{out: out, sum: sha256.New()}
	header.Version = Version
	return w, w.write(record{Bundle: &header}, true)
}

// Write adds a line.
func (w *Writer) Write(line Line) error { return w.write(record{Line: line}, true) }

func (w *Writer) write(r record, counted bool) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	if counted {
		w.sum.Write(line.Bytes())
	}
	if _, err := w.out.Write(line.Bytes()); err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	return nil
}

// Close ends the bundle with its checksum.
func (w *Writer) Close() error {
	if err := w.write(record{SHA256: hex.EncodeToString(w.sum.Sum(nil))}, false); err != nil {
		return err
	}
	return w.out.Close()
}

// Read checks a bundle as a whole, and then hands its lines to visit. from is read twice.
func Read(from io.ReadSeeker, visit func(Line) error) (Header, error) {
	header, err := pass(from, nil)
	if err != nil || visit == nil {
		return header, err
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return header, fmt.Errorf("read bundle: %w", err)
	}
	return pass(from, visit)
}

// pass reads a bundle once.
func pass(from io.Reader, visit func(Line) error) (header Header, err error) {
	in, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return header, ErrNone
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	sum := sha256.New()
	for first := true; lines.Scan(); first = false {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil || first != (r.Bundle != nil) {
			return header, ErrNone
		}
		switch {
		case first && r.Bundle.Version > Version:
			return *r.Bundle, ErrTooNew
		case first:
			header = *r.Bundle
		case r.SHA256 != "":
			if r.SHA256 != hex.EncodeToString(sum.Sum(nil)) || lines.Scan() {
				return header, ErrDamaged
			}
			return header, nil
		case visit != nil:
			if err := visit(r.Line); err != nil {
				return header, err
			}
		}
		sum.Write(lines.Bytes())
		sum.Write([]byte{'\n'})
	}
	if header.Version == 0 {
		return header, ErrNone
	}
	return header, ErrDamaged // it ends too early
}
