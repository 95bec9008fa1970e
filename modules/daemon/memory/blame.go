package memory

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// How far a file is looked for.
const (
	blamedHits  = 2000 // calls that name a file of that name
	blamedItems = 20
	decisionsOf = 3 // of one request
)

// fileRef is a file as sessions of any worktree of its project name it.
type fileRef struct {
	project ledger.Project
	rel     string // below the worktree, with slashes
	abs     string
}

// changes says whether a path of a call is the file: below the session's worktree at
// the same place.
func (f fileRef) is(session ledger.Session, call *transcript.CallInfo, cwd, path string) bool {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		base := call.Cwd
		if base == "" {
			base = cwd
		}
		path = filepath.ToSlash(filepath.Join(base, path))
	}
	root := session.Worktree
	return path == f.abs || root != "" && strings.TrimPrefix(path, strings.TrimSuffix(root, "/")+"/") == f.rel
}

// fileOf finds a file in its project.
func (m *Service) fileOf(ctx context.Context, request view.BlameRequest) (file fileRef, found bool, err error) {
	directory, err := filepath.Abs(request.Directory)
	if err != nil {
		return file, false, err
	}
	file.abs = request.Path
	if !filepath.IsAbs(file.abs) {
		file.abs = filepath.Join(directory, file.abs)
	}
	root := directory
	if identity, ok := gitrepo.Identity(directory); ok {
		root = identity.Worktree
	}
	rel, err := filepath.Rel(root, file.abs)
	if err != nil || strings.HasPrefix(rel, "..") {
		return file, false, view.Invalid(request.Path + " is not below " + root)
	}
	file.rel = filepath.ToSlash(rel)
	file.project, found, err = m.query.ProjectOf(ctx, directory)
	return file, found, err
}

// Blame looks for the calls that changed a file, and says for what.
func (m *Service) Blame(ctx context.Context, request view.BlameRequest) (view.Blame, error) {
	file, found, err := m.fileOf(ctx, request)
	blame := view.Blame{Schema: 1, Path: file.rel, Items: []view.BlameItem{}}
	if err != nil || !found {
		return blame, err
	}
	sessions, err := m.sessionsNaming(ctx, file)
	if err != nil {
		return blame, err
	}
	limit := request.Limit
	if limit <= 0 {
		limit = blamedItems
	}
	for _, session := range sessions {
		items, err := m.blameIn(ctx, session, file)
		if err != nil {
			return blame, err
		}
		blame.Items = append(blame.Items, items...)
	}
	slices.SortStableFunc(blame.Items, func(a, b view.BlameItem) int { return strings.Compare(b.Time, a.Time) })
	blame.Items = blame.Items[:min(limit, len(blame.Items))]
	return blame, nil
}

// sessionsNaming are the sessions with a call that names a file of this name.
func (m *Service) sessionsNaming(ctx context.Context, file fileRef) ([]ledger.Session, error) {
	hits, err := m.store.Search(ctx, ledger.Query{Text: `"` + path.Base(file.rel) + `"`, Project: file.project.ID, Kind: transcript.Call, EventsOnly: true, Limit: blamedHits})
	if err != nil {
		return nil, err
	}
	var sessions []ledger.Session
	seen := map[ledger.SessionKey]bool{}
	for _, hit := range hits.Hits {
		if seen[hit.Session] {
			continue
		}
		seen[hit.Session] = true
		session, found, err := m.store.Session(ctx, hit.Session)
		if err != nil {
			return nil, err
		}
		if found {
			sessions = append(sessions, session)
		}
	}
	return sessions, nil
}

// blaming goes through the events of one session.
type blaming struct {
	file    fileRef
	session ledger.Session
	cwd     string
	items   []view.BlameItem
	request string
	decided []string
	fresh   bool // no item of the current request yet
	calls   map[string]int
}

func (m *Service) blameIn(ctx context.Context, session ledger.Session, file fileRef) ([]view.BlameItem, error) {
	b := &blaming{file: file, session: session, cwd: session.Cwd, fresh: true, calls: map[string]int{}}
	for event, err := range m.store.Events(ctx, session.SessionKey) {
		if err != nil {
			return nil, err
		}
		if !event.Withdrawn {
			b.add(event)
		}
	}
	return b.items, nil
}

func (b *blaming) add(event transcript.Located) {
	if event.WorkDir != nil && event.WorkDir.Cwd != "" {
		b.cwd = event.WorkDir.Cwd
	}
	switch event.Kind {
	case transcript.Prompt:
		if event.Origin == transcript.Typed || event.Origin == transcript.Queued || event.Origin == "" {
			b.request, b.decided, b.fresh = event.Text, nil, true
		}
	case transcript.Decided:
		b.decide(event.Decision)
	case transcript.Call:
		b.call(event)
	case transcript.Result:
		if at, ours := b.calls[event.Result.CallID]; ours && (event.Result.Failed || event.Result.Outcome != "" && event.Result.Outcome != transcript.UnknownOutcome) {
			b.items[at].Failed++
		}
	}
}

// decide notes a decision of the current request, for the change that is there too.
func (b *blaming) decide(decision *transcript.Decision) {
	if decision == nil || len(decision.Chosen) == 0 || len(b.decided) == decisionsOf {
		return
	}
	topic := decision.Question
	if topic == "" {
		topic = decision.Topic
	}
	b.decided = append(b.decided, strings.TrimPrefix(topic+" → "+strings.Join(decision.Chosen, ", "), " → "))
	if !b.fresh {
		b.items[len(b.items)-1].Decisions = b.decided
	}
}

// call notes a call that changes the file.
func (b *blaming) call(event transcript.Located) {
	call := event.Call
	is := func(path string) bool { return b.file.is(b.session, call, b.cwd, path) }
	change := string(call.Meaning)
	switch call.Meaning {
	case transcript.Edit, transcript.Write, transcript.Delete:
		if !slices.ContainsFunc(call.Paths, is) {
			return
		}
	default:
		if !changedIn(event, is) {
			return
		}
		change = byCommand
	}
	if b.fresh {
		b.fresh = false
		b.items = append(b.items, view.BlameItem{Tool: b.session.Tool, Session: b.session.ID, Request: b.request, Decisions: b.decided})
	}
	item := &b.items[len(b.items)-1]
	item.Calls++
	item.Change, item.Time, item.Source = change, view.Timestamp(event.Time), view.LocationOf(event)
	if call.ID != "" {
		b.calls[call.ID] = len(b.items) - 1
	}
}

// edit is a change of a file's text.
type edit struct {
	at            time.Time
	session       string
	before, after string
	whole         bool // after is the whole file
}

// FileAt is a file as agents left it at a moment, the zero one now. now is its text on
// disk. view.CodeNotFound when no text of an edit is known.
func (m *Service) FileAt(ctx context.Context, request view.BlameRequest, at time.Time, now string) (view.FileAt, error) {
	file, found, err := m.fileOf(ctx, request)
	result := view.FileAt{Schema: 1, Path: file.abs, At: view.Timestamp(at), Sessions: []string{}}
	if err != nil {
		return result, err
	}
	var edits []edit
	var commands []time.Time
	if found {
		if edits, commands, err = m.editsOf(ctx, file); err != nil {
			return result, err
		}
	}
	if len(edits) == 0 {
		return result, &view.Error{Code: view.CodeNotFound, Message: "no text of an edit of " + file.rel + " is known", Hint: "run `carryover blame " + request.Path + "`; the texts come from the raw records (`carryover config transcripts.keep`)"}
	}
	replay(&result, edits, at, now)
	for _, when := range commands {
		if at.IsZero() || !when.After(at) {
			result.Commands++
		}
	}
	return result, nil
}

// editsOf are the edits of a file that went well, oldest first, and when shell commands
// changed it.
func (m *Service) editsOf(ctx context.Context, file fileRef) (edits []edit, commands []time.Time, err error) {
	sessions, err := m.sessionsNaming(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	for _, session := range sessions {
		failed := map[string]bool{}
		cwd := session.Cwd
		var own []edit
		var ids []string
		err := m.edits.EachEvent(ctx, session, func(event transcript.Located) {
			if event.WorkDir != nil && event.WorkDir.Cwd != "" {
				cwd = event.WorkDir.Cwd
			}
			switch {
			case event.Kind == transcript.Result && event.Result.Failed:
				failed[event.Result.CallID] = true
			case event.Kind == transcript.Call && event.Edit != nil && file.is(session, event.Call, cwd, event.Edit.Path):
				own = append(own, edit{event.Time, session.ID, event.Edit.Before, event.Edit.After, event.Call.Meaning == transcript.Write && event.Edit.Before == ""})
				ids = append(ids, event.Call.ID)
			case changedIn(event, func(path string) bool { return file.is(session, event.Call, cwd, path) }):
				commands = append(commands, event.Time)
			}
		})
		if err != nil {
			return nil, nil, err
		}
		for i, one := range own {
			if !failed[ids[i]] {
				edits = append(edits, one)
			}
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at.Compare(b.at) })
	return slices.Compact(edits), commands, nil
}

// replay derives the text: from the last write of the whole file before the moment on,
// or, where there is none, from the text on disk back.
func replay(result *view.FileAt, edits []edit, at time.Time, now string) {
	until := len(edits)
	for !at.IsZero() && until > 0 && edits[until-1].at.After(at) {
		until--
	}
	from := until - 1
	for from >= 0 && !edits[from].whole {
		from--
	}
	swap := func(one edit, before, after string) {
		if before == "" || !strings.Contains(result.Text, before) {
			result.Skipped++
			return
		}
		result.Text = strings.Replace(result.Text, before, after, 1)
		result.Edits++
		if !slices.Contains(result.Sessions, one.session) {
			result.Sessions = append(result.Sessions, one.session)
		}
	}
	if from >= 0 {
		result.Whole, result.Text, result.Edits, result.Sessions = true, edits[from].after, 1, []string{edits[from].session}
		for _, one := range edits[from+1 : until] {
			swap(one, one.before, one.after)
		}
		return
	}
	result.Text = now
	for _, one := range slices.Backward(edits[until:]) {
		swap(one, one.after, one.before)
	}
}
