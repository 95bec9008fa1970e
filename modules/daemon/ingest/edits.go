package ingest

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/capture/filesource"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// EachEvent visits the events of a session as its transcript tells them, with the texts
// of edits, which no ledger keeps: from the file where it is there, else from the raw
// records that are kept.
func (s *Service) EachEvent(ctx context.Context, session ledger.Session, visit func(transcript.Located)) error {
	reader, err := s.readerOf(session.Tool)
	if err != nil {
		return err
	}
	kept, err := s.store.Originals(ctx, session.SessionKey)
	if err != nil {
		return err
	}
	paths := []string{}
	if session.Path != "" {
		paths = append(paths, session.Path)
	}
	for _, original := range kept {
		if original.Path != session.Path {
			paths = append(paths, original.Path)
		}
	}
	for _, path := range paths {
		reads := reader
		if protocol := s.protocolReader(session.Tool, path); protocol != nil {
			reads = protocol
		}
		if err := eachOf(ctx, s.store, reads, session, path, visit); err != nil {
			return err
		}
	}
	return nil
}

// eachOf visits the events of one source of a session.
func eachOf(ctx context.Context, store ledger.Store, reader transcript.Reader, session ledger.Session, path string, visit func(transcript.Located)) error {
	source := transcript.Source{Tool: session.Tool, Path: path, Cwd: session.Cwd}
	var in io.Reader
	if _, document, is := strings.Cut(path, ledger.RowsOf); is {
		source.Path = document + ".json"
	} else if content, err := filesource.OpenContent(path); err == nil {
		defer func() { _ = content.Close() }()
		in = content
	}
	if in == nil {
		pipe, end := io.Pipe()
		defer func() { _ = pipe.Close() }() // ends the writing below, where it is not done
		go func() {
			for text, err := range store.Original(ctx, session.Tool, path) {
				if err == nil {
					_, err = end.Write(text)
				}
				if err != nil {
					_ = end.CloseWithError(err)
					return
				}
			}
			_ = end.Close()
		}()
		in = pipe
	}
	decoder, err := reader.Decode(source, in, transcript.Position{})
	if err != nil {
		return nil //nolint:nilerr // a source that cannot be read so has no texts
	}
	for {
		if err := ctx.Err(); err != nil { // nobody waits for the rest
			return err
		}
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, event := range batch.Events {
			if event.Edit != nil { // from a file, secrets may stand in it
				event.Edit = &transcript.EditText{Path: event.Edit.Path, Before: cleanText(store, event.Edit.Before), After: cleanText(store, event.Edit.After)}
			}
			visit(event)
		}
	}
}
