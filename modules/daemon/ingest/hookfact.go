package ingest

import (
	"context"
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// KeepFacts keeps what only a hook knows of a session, where the spec says so:
// some transcripts tell neither times nor the project, some no compaction.
func (s *Service) KeepFacts(ctx context.Context, hook capture.Hook) error {
	spec, err := s.table.Lookup(hook.Tool)
	if err != nil || hook.Session == "" || hook.Agent != "" {
		return nil
	}
	if err := s.keepDecisions(ctx, hook); err != nil {
		return fmt.Errorf("keep what was decided: %w", err)
	}
	for _, fact := range spec.HookFacts {
		if fact.Keeps == "" || fact.Tool != "" || !strings.EqualFold(fact.Event, hook.Event) {
			continue
		}
		if err := s.keepFact(ctx, hook, fact.Keeps); err != nil {
			return fmt.Errorf("keep what the hook %s says: %w", hook.Event, err)
		}
	}
	return nil
}

func (s *Service) keepFact(ctx context.Context, hook capture.Hook, kind string) error {
	event := transcript.Event{
		Tool: hook.Tool, Session: hook.Session, Time: hook.Time.UTC(),
		ID: fmt.Sprintf("hook:%s:%s:%d", hook.Session, hook.Event, hook.Time.UnixMilli()),
	}
	switch kind {
	case "session":
		event.Kind, event.Start = transcript.Session, &transcript.Start{Version: hook.Version, Model: hook.Model}
		if hook.Cwd != "" {
			event.WorkDir = &transcript.WorkDir{Cwd: hook.Cwd}
		}
	case "compaction":
		event.Kind, event.Text = transcript.Compacted, hook.Summary
		event.Compaction = &transcript.CompactionInfo{Trigger: hook.Trigger}
	default:
		return nil
	}
	return s.appendFacts(ctx, hook, []transcript.Located{{Event: event}})
}

// keepDecisions keeps what the user has chosen, the moment it is chosen. The
// transcript's own event, of the same id, takes its place later.
func (s *Service) keepDecisions(ctx context.Context, hook capture.Hook) error {
	if hook.Body == nil {
		return nil
	}
	reader, err := s.readerOf(hook.Tool)
	if err != nil {
		return err
	}
	payloads, ok := reader.(transcript.HookReader)
	if !ok {
		return nil
	}
	var events []transcript.Located
	for _, event := range payloads.ReadHook(hook.Body) {
		event.Tool, event.Session, event.Time = hook.Tool, hook.Session, hook.Time.UTC()
		events = append(events, transcript.Located{Event: event})
	}
	if len(events) == 0 {
		return nil
	}
	return s.appendFacts(ctx, hook, events)
}

func (s *Service) appendFacts(ctx context.Context, hook capture.Hook, events []transcript.Located) error {
	source := ledger.Source{Tool: hook.Tool, Path: "hook:" + hook.Session, Main: hook.Session}
	_, err := s.store.Append(ctx, ledger.Batch{Hook: true, Source: source, Events: events})
	if err == nil {
		s.sessions.Stored(ctx, source, events)
	}
	return err
}
