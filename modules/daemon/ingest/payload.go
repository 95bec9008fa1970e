package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// TakePayload stores what the payload of a hook says, for tools that keep no
// transcript one could read.
func (s *Service) TakePayload(ctx context.Context, hook capture.Hook) error {
	if hook.Session == "" {
		return nil
	}
	events, err := s.readPayload(ctx, hook)
	if err != nil {
		return fmt.Errorf("read payload of %s: %w", hook.Event, err)
	}
	if len(events) == 0 {
		return nil
	}
	source := ledger.Source{Tool: hook.Tool, Path: "hook:" + hook.Session, Main: hook.Session}
	if _, err := s.store.Append(ctx, ledger.Batch{Hook: true, Source: source, Events: events}); err != nil {
		return err
	}
	s.stored(ctx, source, events)
	return nil
}

// readPayload reads a payload as a transcript of one line. Each one opens its
// session; what is known of the session is not stored again.
func (s *Service) readPayload(ctx context.Context, hook capture.Hook) ([]transcript.Located, error) {
	reader, err := s.readerOf(hook.Tool)
	if err != nil {
		return nil, err
	}
	session, known, err := s.store.Session(ctx, ledger.SessionKey{Tool: hook.Tool, ID: hook.Session})
	if err != nil {
		return nil, err
	}
	src := transcript.Source{Tool: hook.Tool, Path: hook.Session, Cwd: hook.Cwd}
	decoder, err := reader.Decode(src, bytes.NewReader(hook.Payload), transcript.Position{})
	if err != nil {
		return nil, err
	}
	var events []transcript.Located
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		events = append(events, batch.Events...)
	}
	return slices.DeleteFunc(events, func(event transcript.Located) bool {
		return known && event.Kind == transcript.Session && (event.WorkDir == nil || event.WorkDir.Cwd == "" || event.WorkDir.Cwd == session.Cwd)
	}), nil
}
