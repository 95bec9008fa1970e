package daemon

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// prompted answers a prompt in those tools whose session start does not reach
// the model, or does not come after a cut. It fires for every prompt, so all
// but the first, and the first after a cut, end here.
func (p *Pipeline) prompted(ctx context.Context, hook capture.Hook) (string, error) {
	if err := p.takeHook(ctx, hook); err != nil {
		return "", err
	}
	if err := p.lookAtHead(ctx, hook); err != nil {
		return "", err
	}
	if hook.Session == "" || hook.Agent != "" {
		return "", nil
	}
	defer p.sessions.answer(ledger.SessionKey{Tool: hook.Tool, ID: hook.Session})()
	source, err := p.sourceOf(ctx, hook)
	if err != nil {
		return "", err
	}
	if source == "" {
		return p.notice(ctx, hook)
	}
	hook.Source = source
	p.markGiven(hook)
	return p.sessionStarts(ctx, hook)
}

// markGiven tells the hook client, should it find no daemon at a later prompt,
// that this session has had its answer.
func (p *Pipeline) markGiven(hook capture.Hook) {
	given := p.Home.Given(home.ProjectKey(home.WorktreeRoot(hook.Cwd)), hook.Session)
	err := os.MkdirAll(filepath.Dir(given), 0o700)
	if err == nil {
		err = os.WriteFile(given, nil, 0o600)
	}
	if err != nil {
		p.Zap.Warn("given handoff not noted for the hook client", zap.Error(err))
	}
}

// sourceOf says what a prompt begins: a session, new or resumed, of which
// nothing was decided before, or what comes after a cut; "" when it goes on.
func (p *Pipeline) sourceOf(ctx context.Context, hook capture.Hook) (source string, err error) {
	key := ledger.SessionKey{Tool: hook.Tool, ID: hook.Session}
	decided, err := p.decisions(ctx, key)
	switch {
	case err != nil:
		return "", err
	case len(decided) == 0 && hook.Hook.Gives(toolspecs.AtStart):
		return p.startOf(ctx, key)
	case len(decided) == 0 || !hook.Hook.Gives(toolspecs.AfterCut):
		return "", nil
	}
	cut, err := p.sessions.lastCut(ctx, key)
	if err != nil || !cut.After(lastGiven(decided)) {
		return "", err
	}
	return cutSource, nil
}

// cutSource is the source of a start that follows a cut.
const cutSource = "compact"

// lastGiven is when the session last had something of ours, or an answer to a
// cut; else when it was first met: what was cut before that is old history.
// decided has the newest first.
func lastGiven(decided []ledger.Restore) time.Time {
	for _, decision := range decided {
		if decision.Decision != restore.Notice && decision.Decision != restore.Nothing || decision.Source == cutSource {
			return decision.Time
		}
	}
	return decided[len(decided)-1].Time
}

// startOf tells a new session from a resumed one: the prompt that is just sent
// stands in no transcript yet.
func (p *Pipeline) startOf(ctx context.Context, key ledger.SessionKey) (source string, err error) {
	for event, err := range p.Log.Events(ctx, key) {
		if err != nil {
			return "", err
		}
		if event.Kind == transcript.Prompt {
			return "resume", nil
		}
	}
	return "startup", nil
}

// transcriptOf finds the transcript of a session whose hook does not name it;
// "" when the tool's files are not called by the session.
func (p *Pipeline) transcriptOf(hook capture.Hook) string {
	spec, err := p.Table.Lookup(hook.Tool)
	if err != nil || hook.Session == "" {
		return ""
	}
	for _, place := range spec.Transcripts {
		if place.Role == "subagent" {
			continue
		}
		if files := filesOf(place, hook.Session); len(files) > 0 {
			return files[0]
		}
	}
	return ""
}
