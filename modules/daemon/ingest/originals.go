package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture/filesource"
	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Sizes of what is kept at once, in bytes of transcripts: a piece, and a transaction.
const (
	pieceSize   = 2 << 20
	keptAtOnce  = 2 << 20
	sourcesOnce = 256
)

// originals notes which sources have raw records that are not kept yet. The tools
// delete their files: what is kept can be given back to them.
type originals struct {
	store  ledger.Store
	table  *toolspecs.Table
	logger *zap.Logger
	on     bool

	mu    sync.Mutex
	dirty map[file]map[string]bool // of a database: the sessions

	running sync.Mutex // one pass at a time
	pieces  []ledger.OriginalPiece
	size    int
	buffer  []byte // that sources are read into, one after the other
}

// documentQuery is the query that gives a session of a tool's database as one document;
// "" where none does.
func (o *originals) documentQuery(tool string) string {
	spec, err := o.table.Lookup(tool)
	if err != nil || spec.Rescue == nil {
		return ""
	}
	return spec.Rescue.Document
}

// note remembers that a source was read.
func (o *originals) note(source ledger.Source, events []transcript.Located) {
	if !o.on {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dirty == nil {
		o.dirty = map[file]map[string]bool{}
	}
	at := file{source.Tool, source.Path}
	if o.dirty[at] == nil {
		o.dirty[at] = map[string]bool{}
	}
	if sqlitesource.Is(source.Path) {
		for i := range events {
			o.dirty[at][events[i].Session] = true
		}
	}
}

// take hands over what is to be kept.
func (o *originals) take() map[file]map[string]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	dirty := o.dirty
	o.dirty = nil
	return dirty
}

// KeepOriginals keeps the raw records of the sources that were read since the last
// time. A source that cannot be read is left out: it is read again when it changes.
func (o *originals) KeepOriginals(ctx context.Context) error {
	o.running.Lock()
	defer o.running.Unlock()
	defer func() { o.buffer = nil }()
	for at, sessions := range o.take() {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := o.keepSource(ctx, at, sessions)
		if errors.Is(err, ledger.ErrReadOnly) || errors.Is(err, ledger.ErrNoSpace) {
			return err
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			o.logger.Warn("raw records not kept", zap.String("tool", at.tool), zap.String("path", at.path), zap.Error(err))
		}
	}
	return o.flush(ctx)
}

// NoteOriginals has every source looked at of which not all is kept: those that were
// read before raw records were kept.
func (o *originals) NoteOriginals(ctx context.Context) error {
	if !o.on {
		return nil
	}
	kept, err := o.store.Originals(ctx, ledger.SessionKey{})
	if err != nil {
		return err
	}
	length := map[file]int64{}
	for _, one := range kept {
		length[file{one.Session.Tool, one.Path}] = one.Length
	}
	sources, err := o.store.Sources(ctx, "")
	if err != nil {
		return err
	}
	for _, source := range sources {
		if length[file{source.Tool, source.Path}] < source.Position.Offset && !sqlitesource.Is(source.Path) {
			o.note(source, nil)
		}
	}
	return nil
}

func (o *originals) keepSource(ctx context.Context, at file, sessions map[string]bool) error {
	if sqlitesource.Is(at.path) {
		return o.keepRows(ctx, at, sessions)
	}
	source, known, err := o.store.Source(ctx, at.tool, at.path)
	if err != nil || !known || source.Parked != "" {
		return err
	}
	kept, err := o.store.OriginalEnd(ctx, at.tool, at.path)
	if err != nil || kept < 0 || kept == source.Position.Offset && !source.Rewrites {
		return err
	}
	content, err := filesource.OpenContent(at.path)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	replace := source.Rewrites || kept > source.Position.Offset // it was rewritten
	if replace {
		kept = 0
	}
	if kept > 0 {
		if _, err := content.Seek(kept, io.SeekStart); err != nil {
			return err
		}
	}
	limit := source.Position.Offset - kept
	if source.Rewrites {
		limit = max(limit, source.Size)
	}
	return o.keepText(ctx, at, io.LimitReader(content, limit), kept, replace)
}

// keepText keeps what a source goes on with, in pieces of whole lines.
func (o *originals) keepText(ctx context.Context, at file, in io.Reader, offset int64, replace bool) error {
	if o.buffer == nil {
		o.buffer = make([]byte, 0, pieceSize)
	}
	buffer := o.buffer[:0]
	for {
		n, err := io.ReadFull(in, buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return fmt.Errorf("read %s: %w", at.path, err)
		}
		whole := len(buffer)
		if !last {
			whole = bytes.LastIndexByte(buffer, '\n') + 1
		}
		if whole == 0 && !last { // a line that is longer than a piece
			buffer = append(make([]byte, 0, 4*cap(buffer)), buffer...)
			continue
		}
		if whole > 0 {
			piece := ledger.OriginalPiece{Tool: at.tool, Path: at.path, Offset: offset, Text: buffer[:whole], Replace: replace}
			if err := o.add(ctx, piece); err != nil {
				return err
			}
			offset, replace = offset+int64(whole), false
		}
		if last {
			return nil
		}
		buffer = append(buffer[:0], buffer[whole:]...)
	}
}

// keepRows keeps sessions of a database, each as the document that its tool imports.
func (o *originals) keepRows(ctx context.Context, at file, sessions map[string]bool) (err error) {
	query := o.documentQuery(at.tool)
	if query == "" || len(sessions) == 0 {
		return nil
	}
	db, err := sqlitesource.Open(ctx, at.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for session := range sessions {
		text, found, err := db.Document(ctx, query, session)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := o.add(ctx, ledger.OriginalPiece{Tool: at.tool, Path: at.path + ledger.RowsOf + session, Session: session, Text: []byte(text), Replace: true}); err != nil {
			return err
		}
	}
	return nil
}

// add has a piece wait, and stores what waits when it is much. The text is the
// caller's again afterwards.
func (o *originals) add(ctx context.Context, piece ledger.OriginalPiece) error {
	o.pieces, o.size = append(o.pieces, piece), o.size+len(piece.Text)
	if o.size >= keptAtOnce || len(o.pieces) >= sourcesOnce {
		return o.flush(ctx)
	}
	o.pieces[len(o.pieces)-1].Text = bytes.Clone(piece.Text)
	return nil
}

func (o *originals) flush(ctx context.Context) error {
	pieces := o.pieces
	o.pieces, o.size = nil, 0
	if len(pieces) == 0 {
		return nil
	}
	return o.store.KeepOriginals(ctx, pieces)
}
