package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/capture/filesource"
	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/modules/daemon/capture/zstdsource"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/syntax"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Why a file cannot be read as a transcript.
var (
	ErrForeign = errors.New("not a known tool")
	ErrEmpty   = errors.New("is empty")
	ErrFolder  = errors.New("is a folder")
)

// FileFacts are what one transcript says, read without install, daemon or
// ledger.
type FileFacts struct {
	Facts    distiller.Facts
	Trail    distiller.Trail
	Tool     string
	Path     string
	Coverage transcript.Coverage
	NoPrompt bool // no prompt was found in it, nor is it a subagent's
}

// DistilFile reads one transcript. tool "" recognises it; untilLine > 0 reads
// the lines up to that one only, as a compaction there would.
func (s *Service) DistilFile(path, tool string, untilLine int64) (FileFacts, error) {
	reading, err := s.open(path, tool)
	if err != nil {
		return FileFacts{}, err
	}
	reading.untilLine = untilLine
	opts := extract.Options{Subagent: reading.subagent()}
	state := extract.New(distiller.Facts{}, opts)
	inOrder := true
	for event := range reading.events() {
		if inOrder = state.Add(event); !inOrder {
			break // turns were taken back: only a fold of the whole can honour that
		}
	}
	if !inOrder && reading.err == nil {
		state = extract.Replay(distiller.Facts{}, opts, reading.events())
	}
	if reading.err != nil {
		return FileFacts{}, reading.err
	}
	if c := reading.coverage; c.Read+c.Skipped == 0 {
		if c.Records == 0 {
			return FileFacts{}, fmt.Errorf("%s %w", path, ErrEmpty)
		}
		return FileFacts{}, fmt.Errorf("%s: %w", path, ErrForeign)
	}
	return FileFacts{Facts: state.Facts(), Trail: state.Trail(), Tool: reading.tool, Path: reading.path, Coverage: reading.coverage, NoPrompt: !reading.prompted && !opts.Subagent}, nil
}

// FileEvents are the events of one transcript as the distiller sees them, in
// order, and the tool that wrote it. tool "" recognises it.
func (s *Service) FileEvents(path, tool string) ([]transcript.Located, string, error) {
	reading, err := s.open(path, tool)
	if err != nil {
		return nil, "", err
	}
	events := slices.Collect(reading.events())
	return events, reading.tool, reading.err
}

// open checks that a file can be read as a transcript and whose it is.
func (s *Service) open(path, tool string) (*fileReading, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, fmt.Errorf("distill: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("%s %w", path, ErrFolder)
	case info.Size() == 0:
		return nil, fmt.Errorf("%s %w", path, ErrEmpty)
	}
	if tool == "" {
		known, ok, err := s.Recognise(path)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fmt.Errorf("%s: %w%s", path, ErrForeign, lookedFor(s.table, path))
		}
		tool = known
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	return &fileReading{service: s, tool: tool, path: abs}, nil
}

// fileReading streams the events of a file, as often as it is asked to, in
// constant memory.
type fileReading struct {
	service   *Service
	tool      string
	path      string
	untilLine int64
	coverage  transcript.Coverage
	prompted  bool
	raw       func(*transcript.Event) // sees each event before it is prepared; nil for none
	err       error
}

func (r *fileReading) events() iter.Seq[transcript.Located] {
	return func(yield func(transcript.Located) bool) {
		if err := r.stream(yield); err != nil {
			r.err = fmt.Errorf("read %s: %w", r.path, err)
		}
	}
}

// subagent says that the file is a subagent's: its first event is.
func (r *fileReading) subagent() bool {
	for event := range r.events() {
		return event.Subagent
	}
	return false
}

func (r *fileReading) stream(yield func(transcript.Located) bool) error {
	r.coverage = transcript.Coverage{}
	reader, err := r.service.readerOf(r.tool)
	if err != nil {
		return err
	}
	if rows, ok := reader.(transcript.RowReader); ok && sqlitesource.Is(r.path) {
		return r.rows(rows, yield)
	}
	f, err := filesource.OpenContent(r.path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var in io.Reader = f
	if r.untilLine > 0 {
		in = &firstLines{in: f, left: r.untilLine}
	}
	decoder, err := reader.Decode(transcript.Source{Tool: r.tool, Path: zstdsource.Logical(r.path), Cwd: r.service.sidecar(r.tool, r.path)}, in, transcript.Position{})
	if err != nil {
		return err
	}
	return r.drain(decoder, yield)
}

func (r *fileReading) drain(decoder transcript.Decoder, yield func(transcript.Located) bool) error {
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		r.coverage.Add(batch.Coverage)
		for _, event := range batch.Events {
			code, ok := syntax.Annotate(event, "")
			if r.raw != nil {
				r.raw(&event.Event)
			}
			ledger.Prepare(&event.Event)
			r.prompted = r.prompted || event.Kind == transcript.Prompt || event.Origin == transcript.Typed
			event.Edit = nil
			if !yield(event) {
				return nil
			}
			if ok {
				ledger.Prepare(&code.Event)
				if !yield(code) {
					return nil
				}
			}
		}
	}
}

// firstLines ends a stream after some lines.
type firstLines struct {
	in   io.Reader
	left int64
}

func (f *firstLines) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, io.EOF
	}
	n, err := f.in.Read(p)
	for at := 0; at < n; {
		end := bytes.IndexByte(p[at:n], '\n')
		if end < 0 {
			break
		}
		at += end + 1
		if f.left--; f.left == 0 {
			return at, nil
		}
	}
	return n, err
}
