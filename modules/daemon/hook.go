package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// catchUp bounds how long a session start waits for what was just written.
const catchUp = 150 * time.Millisecond

// Hook handles one hook call and returns what is to reach the model. A hook is
// a signal: it makes its transcript be read; a session start is answered, and
// a prompt where the spec says that something is given there.
func (p *Pipeline) Hook(ctx context.Context, hook capture.Hook) (string, error) {
	if spec, err := p.Table.Lookup(hook.Tool); err == nil {
		p.presence.note(spec, hook)
	}
	if err := p.keepFacts(ctx, hook); err != nil {
		return "", err
	}
	if hook.Payload != nil {
		return "", p.takePayload(ctx, hook)
	}
	switch hook.Role {
	case "session_start":
		if !hook.Hook.Gives(toolspecs.AtStart) {
			return "", p.takeHook(ctx, hook)
		}
		return p.sessionStarts(ctx, hook)
	case "prompt":
		return p.prompted(ctx, hook)
	case "pre_compact":
		return p.beforeCut(ctx, hook)
	case "post_tool":
		return p.toolRan(ctx, hook)
	case "turn_end", "post_compact", "session_end", "interrupt":
		return "", p.takeHook(ctx, hook)
	}
	return "", nil
}

// takeHook reads the transcript a hook names. A tool tells its path before the
// file is there, so a missing one is no error.
func (p *Pipeline) takeHook(ctx context.Context, hook capture.Hook) error {
	if hook.Payload != nil {
		return p.takePayload(ctx, hook)
	}
	if hook.Transcript == "" {
		hook.Transcript = p.transcriptOf(hook)
	}
	if hook.Transcript == "" {
		return p.takeDatabases(ctx, hook.Tool)
	}
	if !p.known(hook) {
		return nil
	}
	_, err := p.Take(ctx, hook.Tool, hook.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// known says whether a path named by a hook is one of the tool's transcripts:
// a payload is not trusted to make us read any file.
func (p *Pipeline) known(hook capture.Hook) bool {
	for _, place := range p.places() {
		if place.Tool == hook.Tool && place.Holds(hook.Transcript) {
			return true
		}
	}
	// A tool whose folder was moved by a variable that we do not have.
	return filepath.IsAbs(hook.Transcript) && strings.Contains(filepath.Base(hook.Transcript), hook.Session) && hook.Session != ""
}

// sessionStarts is the restore stage: read the project's sources to their end,
// ask the gate, put the text together, record the decision.
func (p *Pipeline) sessionStarts(ctx context.Context, hook capture.Hook) (string, error) {
	identity, inProject := gitrepo.Identity(hook.Cwd)
	if inProject {
		p.catchUp(ctx, identity.Worktree, hook)
	}
	key := ledger.SessionKey{Tool: hook.Tool, ID: hook.Session}
	from, start, err := p.question(ctx, hook, identity, inProject)
	if err != nil {
		return "", err
	}
	row := restore.Decide(start)
	text, err := p.compose(ctx, hook, row, from, start, identity.Worktree)
	if err != nil {
		return "", err
	}
	decision := ledger.Restore{
		Session: key, From: from.SessionKey, Project: from.Project.ID, Event: hook.Event, Source: hook.Source,
		Decision: row.Give, Reason: p.reason(row, identity.Worktree), Lines: strings.Count(text, "\n"), Bytes: len(text), Time: hook.Time.UTC(),
	}
	if text != "" {
		sum := sha256.Sum256([]byte(text))
		decision.SHA256 = hex.EncodeToString(sum[:])
	}
	if err := p.Log.RecordRestore(ctx, decision); err != nil {
		return "", err
	}
	if begins(decision) {
		p.sessions.forget(key) // its predecessor is known now
	}
	return text, nil
}

// catchUp reads what agents of this project have written a moment ago, so that
// the session that starts sees the one that ended just before.
func (p *Pipeline) catchUp(ctx context.Context, worktree string, hook capture.Hook) {
	ctx, cancel := context.WithTimeout(ctx, catchUp)
	defer cancel()
	if err := p.takeHook(ctx, hook); err != nil {
		p.Zap.Warn("transcript of a starting session not read", zap.String("tool", hook.Tool), zap.Error(err))
	}
	if p.Flush != nil {
		p.Flush(ctx)
	}
	list, err := p.Log.Sessions(ctx, ledger.SessionFilter{Worktree: worktree, Limit: keptFolds})
	if err != nil {
		return
	}
	for _, session := range list {
		if session.Path == "" || ctx.Err() != nil {
			continue
		}
		p.takeFile(ctx, session.Tool, session.Path)
	}
}

// question collects what the gate depends on. from is the session whose
// handoff would be given.
func (p *Pipeline) question(ctx context.Context, hook capture.Hook, identity ledger.ProjectIdentity, inProject bool) (from ledger.Session, start restore.Start, err error) {
	key := ledger.SessionKey{Tool: hook.Tool, ID: hook.Session}
	choices := p.projectChoices(identity.Worktree)
	start = restore.Start{
		Source: hook.Source, Subagent: hook.Agent != "", NoProject: !inProject,
		Excluded: choices.Excluded(identity.Worktree), StaleAfter: choices.StaleAfter,
	}
	if !inProject {
		return from, start, nil
	}
	own, ownFound, err := p.Log.Session(ctx, key)
	if err != nil {
		return from, start, err
	}
	from, start.Found, err = p.candidate(ctx, hook, identity, own, ownFound)
	if err != nil || !start.Found {
		return from, start, err
	}
	value, err := p.sessions.worth(ctx, from)
	if err != nil {
		return from, start, err
	}
	start.NoRequest = value == noRequest
	start.Own = from.SessionKey == key
	start.Since = ownFound && from.Last.After(own.Last)
	start.Inherited = ownFound && own.How == "fork"
	start.Age = hook.Time.Sub(from.Last)
	_, start.Opened = p.openedWith(ctx, hook)
	start.Headless = p.headless(hook)
	start.OtherWorktree = from.Worktree != "" && from.Worktree != identity.Worktree
	start.OtherBranch = restore.OnOtherBranch(from, identity.Worktree)
	if start.Given, err = p.given(ctx, key); err != nil {
		return from, start, err
	}
	if start.Dismissed, err = p.Dismissed(ctx, from); err != nil {
		return from, start, err
	}
	others, err := p.atWork(ctx, hook, identity.Worktree)
	start.Parallel = len(others) > 0
	return from, start, err
}

// atWork are the other sessions of a worktree that have not ended and in which
// something was worked on. A session that was cleared has ended, whether its
// tool says so or not.
func (p *Pipeline) atWork(ctx context.Context, hook capture.Hook, worktree string) ([]ledger.SessionKey, error) {
	list, err := p.Log.Sessions(ctx, ledger.SessionFilter{Worktree: worktree, Limit: keptFolds})
	var others []ledger.SessionKey
	cleared := hook.Source == "clear"
	for _, session := range list {
		switch {
		case session.Tool == hook.Tool && session.ID == hook.Session:
		case session.Tool == hook.Tool && cleared:
			cleared = false
		case p.presence.open(session.SessionKey, hook.Time):
			value, err := p.sessions.worth(ctx, session)
			if err != nil {
				return others, err
			}
			if value == ownWork {
				others = append(others, session.SessionKey)
			}
		}
	}
	return others, err
}

// reason is why a row decided, with the configured resume mode where that was
// the header, and what is wrong with the project's own configuration.
func (p *Pipeline) reason(row restore.Row, worktree string) string {
	if row.Give != restore.Full {
		return row.Why
	}
	choices, err := p.Choices.ForProject(worktree)
	why := row.Why + "; resume mode " + choices.Resume
	if row.Head == restore.HeadSilent {
		why = row.Why + "; resume mode silent"
	}
	if err != nil {
		why += "; " + err.Error() + ", so the defaults are used"
	}
	return why
}

// candidate is the session a starting one may continue: itself after a cut,
// else the newest other one with work of its own of the worktree, else of the
// project, else one that hands on what it was given. Without any it is one
// without a request.
func (p *Pipeline) candidate(ctx context.Context, hook capture.Hook, identity ledger.ProjectIdentity, own ledger.Session, ownFound bool) (ledger.Session, bool, error) {
	if ownFound && hook.Source == "compact" {
		return own, true, nil
	}
	if opened, found := p.openedWith(ctx, hook); found {
		return opened, true, nil
	}
	project, err := p.Log.Project(ctx, identity)
	if err != nil {
		return ledger.Session{}, false, err
	}
	say := func(session ledger.Session) (pass, take bool) {
		itself := session.ID == hook.Session && session.Tool == hook.Tool
		return itself, itself && ownFound && hook.Source == "resume" // nobody worked here since
	}
	var best ledger.Session
	var value worth
	known := false
	for _, filter := range []ledger.SessionFilter{{Worktree: identity.Worktree}, {Project: project.ID}} {
		session, w, found, err := p.standingBut(ctx, filter, say)
		if err != nil || w == ownWork {
			return session, found, err
		}
		if found && (!known || w > value) {
			best, value, known = session, w, true
		}
	}
	return best, known, nil
}

// given says whether something was restored into the session before: by us, or
// by the hook client while there was no daemon. What a cut took away again is
// given back by an earlier row of the gate.
func (p *Pipeline) given(ctx context.Context, key ledger.SessionKey) (bool, error) {
	list, err := p.Log.Restores(ctx, key, 0)
	if err != nil {
		return false, err
	}
	for _, before := range list {
		if begins(before) || before.Decision == restore.Pointer {
			return true, nil
		}
	}
	return false, nil
}

// begins says whether a session began with the handoff of another one.
func begins(r ledger.Restore) bool {
	return (r.Decision == restore.Full || r.Decision == restore.Opened) && r.From != r.Session
}

// factsFor are the facts of a session as a hook may tell them: one that comes
// with a call's result does not say that the call has none.
func (p *Pipeline) factsFor(ctx context.Context, hook capture.Hook, session ledger.Session) (distiller.Facts, error) {
	if hook.Role == "post_tool" {
		return p.sessions.factsAfter(ctx, session, hook)
	}
	return p.Distil(ctx, session)
}

// compose puts the text together that one hook answer carries, within bounds.
func (p *Pipeline) compose(ctx context.Context, hook capture.Hook, row restore.Row, from ledger.Session, start restore.Start, worktree string) (string, error) {
	if row.Give == restore.Nothing || row.Give == restore.Opened {
		return "", nil
	}
	choices := p.projectChoices(worktree)
	facts, err := p.factsFor(ctx, hook, from)
	if err != nil {
		return "", err
	}
	if row.Give == restore.Pointer {
		return restore.StalePointer(facts, start.Age), nil
	}
	head := render.Head(facts, render.Mode(choices.Resume))
	switch row.Head {
	case restore.HeadSeam:
		if head, err = p.seamHead(ctx, from, facts); err != nil {
			return "", err
		}
	case restore.HeadSilent:
		head = render.Head(facts, render.Silent)
	}
	body := p.Render(facts, choices).Body
	delivery := restore.Delivery{From: from, Facts: facts, Age: start.Age, Worktree: worktree}
	if row.Give == restore.Full {
		if delivery.Others, err = p.atWork(ctx, hook, worktree); err != nil {
			return "", err
		}
	}
	trail, err := p.sessions.trail(ctx, from)
	if err != nil {
		return "", err
	}
	delivery.Jobs = trail.Jobs
	return render.Compose(head, restore.Since(ctx, delivery), body)
}

// headless says whether nobody can answer a question in this run.
func (p *Pipeline) headless(hook capture.Hook) bool {
	spec, err := p.Table.Lookup(hook.Tool)
	if err != nil {
		return false
	}
	if spec.HeadlessEnv(hook.Marks) || hook.Marks[home.Unattended] != "" {
		return true
	}
	session, found, err := p.Log.Session(context.Background(), ledger.SessionKey{Tool: hook.Tool, ID: hook.Session})
	return err == nil && found && session.Headless
}

// spoolGiven records what the hook client gave out while there was no daemon.
func (p *Pipeline) spoolGiven(ctx context.Context, e home.Envelope) error {
	if e.Given == "" {
		return nil
	}
	from, found, err := p.Log.Session(ctx, ledger.SessionKey{Tool: e.Tool, ID: e.Given})
	if err != nil {
		return err
	}
	if !found { // handed over from another tool
		list, err := p.Log.Sessions(ctx, ledger.SessionFilter{IDPrefix: e.Given, Limit: 1})
		if err != nil || len(list) == 0 {
			return err
		}
		from = list[0]
	}
	key := ledger.SessionKey{Tool: e.Tool, ID: e.Session}
	defer p.sessions.forget(key) // its predecessor is known now
	return p.Log.RecordRestore(ctx, ledger.Restore{
		Session: key, From: from.SessionKey, Project: from.Project.ID,
		Event: e.Event, Source: e.Source, Decision: restore.Full, Reason: "given by the hook client while the daemon was away",
		Time: time.UnixMilli(e.Time).UTC(),
	})
}
