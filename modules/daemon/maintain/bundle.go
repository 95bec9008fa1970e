package maintain

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/bundle"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// ImportBundle adds the sessions of a bundle to the project of a directory.
func (m *Service) ImportBundle(ctx context.Context, request view.BundleRequest) (view.BundleResult, error) {
	result := view.BundleResult{Schema: 1, Preview: request.Preview}
	file, err := regularfile.Open(request.File)
	if err != nil {
		return result, view.NotFound("import: " + err.Error())
	}
	defer func() { _ = file.Close() }()
	header, err := bundle.Read(file, nil)
	if err != nil {
		return result, view.Invalid(request.File + ": " + err.Error())
	}
	result.From, result.Sessions = header.Root, header.Sessions
	root, err := rootFor(ctx, header, request.Directory)
	if err != nil {
		return result, err
	}
	result.Project = filepath.Join(root, filepath.FromSlash(header.Below))
	if _, err := file.Seek(0, 0); err != nil {
		return result, fmt.Errorf("import: %w", err)
	}
	in := &bundleImport{Service: m, ctx: ctx, request: request, header: header, root: root, result: &result}
	if _, err := bundle.Read(file, in.take); err != nil {
		return result, err
	}
	if err := in.flush(); err != nil {
		return result, err
	}
	if !request.Preview {
		m.changed()
	}
	return result, nil
}

// rootFor is where the repository of a bundle lies here: the one with its first commit; for
// a project outside git the directory itself.
func rootFor(ctx context.Context, header bundle.Header, directory string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(header.Below)) && header.Below != "" {
		return "", view.Invalid("the bundle names a place outside of its project")
	}
	worktree, inGit := gitrepo.Find(directory)
	if header.FirstCommit == "" {
		if inGit {
			return worktree.Root, nil
		}
		return filepath.Clean(directory), nil
	}
	if !inGit || worktree.FirstCommit(ctx) != header.FirstCommit {
		return "", &view.Error{
			Code: view.CodeNotFound, Message: "the bundle is of the project " + header.Name + " (first commit " + header.FirstCommit[:min(9, len(header.FirstCommit))] + "), and " + directory + " is not",
			Hint: "run it in a clone of that repository, or name one with --project",
		}
	}
	return worktree.Root, nil
}

// bundleImport is the reading of one bundle.
type bundleImport struct {
	*Service
	ctx     context.Context
	request view.BundleRequest
	header  bundle.Header
	root    string
	result  *view.BundleResult

	session *ledger.Session
	events  []transcript.Located
	offset  int64
}

// bundleEvents is how many events are stored at once.
const bundleEvents = 2000

func (b *bundleImport) take(line bundle.Line) error {
	switch {
	case line.Session != nil:
		if err := b.flush(); err != nil {
			return err
		}
		b.session, b.offset = line.Session, 0
		here, known, err := b.store.Session(b.ctx, line.Session.SessionKey)
		switch {
		case err != nil:
			return err
		case !known:
			b.result.New++
		case !b.isOurs(here):
			b.result.Elsewhere++ // a bundle speaks of its own project alone
			b.session = nil
		}
	case line.Event != nil && b.session != nil:
		event := *line.Event
		event.Tool, event.Session = b.session.Tool, b.session.ID
		b.rebase(&event)
		b.events = append(b.events, transcript.Located{Event: event, Ref: transcript.Ref{Offset: b.offset, Length: 1, Line: b.offset + 1}})
		b.offset++
		b.result.Events++
		if len(b.events) == bundleEvents {
			return b.flush()
		}
	case line.Handoff != nil:
		return b.handoff(*line.Handoff)
	}
	return nil
}

// move is where a path of the other machine is here: below the worktree of its session, or
// where the project lay.
func (b *bundleImport) move(path string) string {
	for _, from := range []string{b.session.Worktree, b.header.Root} {
		if from == "" {
			continue
		}
		if below, ok := strings.CutPrefix(filepath.ToSlash(path)+"/", strings.TrimSuffix(filepath.ToSlash(from), "/")+"/"); ok {
			return filepath.Join(b.root, filepath.FromSlash(below))
		}
	}
	return path
}

// isOurs says whether a session that is known is of the project that the bundle goes to.
func (b *bundleImport) isOurs(session ledger.Session) bool {
	identity, ok := gitrepo.Identity(b.root)
	if !ok {
		return false
	}
	project, err := b.store.Project(b.ctx, identity)
	return err == nil && project.ID == session.Project.ID
}

// isBelow says whether a path is a folder or below it.
func isBelow(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// place is where a session stood. It decides whose project a session is: one that is
// elsewhere would speak in the name of another project.
func (b *bundleImport) place(cwd string) string {
	if moved := b.move(cwd); isBelow(b.root, moved) {
		return moved
	}
	return b.root
}

// rebase lets an event have happened where the project lies here.
func (b *bundleImport) rebase(event *transcript.Event) {
	move := b.move
	if event.WorkDir != nil {
		moved := *event.WorkDir
		moved.Cwd = b.place(moved.Cwd)
		event.WorkDir = &moved
	}
	if event.Call != nil {
		moved := *event.Call
		moved.Cwd, moved.Paths = move(moved.Cwd), nil
		for _, path := range event.Call.Paths {
			moved.Paths = append(moved.Paths, move(path))
		}
		event.Call = &moved
	}
}

// flush stores the events that wait. The source is no file: its name says whence they came.
func (b *bundleImport) flush() error {
	events := b.events
	b.events = nil
	if b.session == nil || len(events) == 0 || b.request.Preview {
		return nil
	}
	place := "bundle:" + b.header.FirstCommit + "/" + b.header.Below + "#" + b.session.ID
	source := ledger.Source{Tool: b.session.Tool, Path: place, Main: b.session.ID, Subagent: b.session.Subagent, Position: transcript.Position{Offset: b.offset, Line: b.offset}}
	appended, err := b.store.Append(b.ctx, ledger.Batch{Source: source, Events: events})
	b.result.Added += appended.Events
	return err
}

// handoff keeps a handoff of a named agent that is not known.
func (b *bundleImport) handoff(handoff ledger.AgentHandoff) error {
	known, err := b.store.Handoffs(b.ctx, ledger.HandoffFilter{ID: handoff.ID, Archived: true})
	if err != nil || len(known) > 0 {
		return err
	}
	b.result.Handoffs++
	identity, ok := gitrepo.Identity(b.root)
	if b.request.Preview || !ok || !ledger.ValidAgent(handoff.AgentName) {
		return nil
	}
	project, err := b.store.Project(b.ctx, identity)
	if err != nil && !errors.Is(err, ledger.ErrNoProject) {
		return err
	}
	return b.store.PutHandoff(b.ctx, project.ID, handoff)
}
