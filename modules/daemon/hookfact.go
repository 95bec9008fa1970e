package daemon

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// keepFact keeps what only a hook knows of a session, where the spec says so:
// some transcripts tell neither times nor the project.
func (p *Pipeline) keepFact(ctx context.Context, hook capture.Hook) error {
	spec, err := p.Table.Lookup(hook.Tool)
	if err != nil || hook.Session == "" || hook.Agent != "" {
		return nil
	}
	keeps := func(fact toolspecs.HookFact) bool {
		return fact.Keeps == "session" && strings.EqualFold(fact.Event, hook.Event)
	}
	if !slices.ContainsFunc(spec.HookFacts, keeps) {
		return nil
	}
	event := transcript.Event{
		Tool: hook.Tool, Session: hook.Session, ID: fmt.Sprintf("hook:%s:%s:%d", hook.Session, hook.Event, hook.Time.UnixMilli()),
		Kind: transcript.Session, Time: hook.Time.UTC(), Start: &transcript.Start{Version: hook.Version, Model: hook.Model},
	}
	if hook.Cwd != "" {
		event.Place = &transcript.Place{Cwd: hook.Cwd}
	}
	_, err = p.Log.Append(ctx, ledger.Batch{
		Hook:   true,
		Source: ledger.Source{Tool: hook.Tool, Path: "hook:" + hook.Session, Main: hook.Session},
		Events: []transcript.Located{{Event: event}},
	})
	return err
}
