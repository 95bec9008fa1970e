package daemon

import (
	"context"
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// keepFacts keeps what only a hook knows of a session, where the spec says so:
// some transcripts tell neither times nor the project, some no cut.
func (p *Pipeline) keepFacts(ctx context.Context, hook capture.Hook) error {
	spec, err := p.Table.Lookup(hook.Tool)
	if err != nil || hook.Session == "" || hook.Agent != "" {
		return nil
	}
	for _, fact := range spec.HookFacts {
		if fact.Keeps == "" || !strings.EqualFold(fact.Event, hook.Event) {
			continue
		}
		if err := p.keepFact(ctx, hook, fact.Keeps); err != nil {
			return fmt.Errorf("keep what the hook %s says: %w", hook.Event, err)
		}
	}
	return nil
}

func (p *Pipeline) keepFact(ctx context.Context, hook capture.Hook, kind string) error {
	event := transcript.Event{
		Tool: hook.Tool, Session: hook.Session, Time: hook.Time.UTC(),
		ID: fmt.Sprintf("hook:%s:%s:%d", hook.Session, hook.Event, hook.Time.UnixMilli()),
	}
	switch kind {
	case "session":
		event.Kind, event.Start = transcript.Session, &transcript.Start{Version: hook.Version, Model: hook.Model}
		if hook.Cwd != "" {
			event.Place = &transcript.Place{Cwd: hook.Cwd}
		}
	case "compaction":
		event.Kind, event.Text = transcript.Compacted, hook.Summary
		event.Compaction = &transcript.CompactionInfo{Trigger: hook.Trigger}
	default:
		return nil
	}
	source := ledger.Source{Tool: hook.Tool, Path: "hook:" + hook.Session, Main: hook.Session}
	events := []transcript.Located{{Event: event}}
	_, err := p.Log.Append(ctx, ledger.Batch{Hook: true, Source: source, Events: events})
	if err == nil {
		p.sessions.stored(ctx, source, events)
	}
	return err
}
