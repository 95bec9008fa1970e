package memory

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/threads"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// outlined is how many of the newest sessions threads are made of.
const outlined = 400

// outlines keeps the outlines of sessions that did not go on since: making one reads
// all of a session.
type outlines struct {
	mu   sync.Mutex
	kept map[ledger.SessionKey]keptOutline
}

// keptOutline is the outline of a session when it had so many events; worked is false
// for a session without one.
type keptOutline struct {
	threads.Outline
	worked bool
	events int
}

func (o *outlines) of(ctx context.Context, sessions Sessions, session ledger.Session) (threads.Outline, bool, error) {
	o.mu.Lock()
	known, found := o.kept[session.SessionKey]
	o.mu.Unlock()
	if found && known.events == session.Events && known.Project.ID == session.Project.ID {
		return known.Outline, known.worked, nil
	}
	facts, err := sessions.FactsAlone(ctx, session)
	if err != nil {
		return threads.Outline{}, false, err
	}
	made := keptOutline{events: session.Events}
	made.Outline, made.worked = threads.OutlineOf(session, facts)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil || len(o.kept) >= 2*outlined {
		o.kept = map[ledger.SessionKey]keptOutline{}
	}
	made.Project = session.Project
	o.kept[session.SessionKey] = made
	return made.Outline, made.worked, nil
}

// OpenWork joins the newest sessions into threads of work.
func (m *Service) OpenWork(ctx context.Context, request view.OpenWorkRequest) (view.OpenWork, error) {
	work := view.OpenWork{Schema: 1, Items: []view.Thread{}, Counts: map[string]int{}}
	since, err := sinceOf(request.Since, m.now())
	if err != nil {
		return work, err
	}
	work.Since = view.Timestamp(since)
	if m.store == nil {
		return work, nil
	}
	list, err := m.Threads(ctx, request.Directory, request.Newest)
	if err != nil {
		return work, err
	}
	for _, thread := range list {
		if thread.Last.Before(since) {
			continue
		}
		work.Counts[string(thread.State)]++
		atWork := thread.State == threads.Open || thread.State == threads.Waiting
		if !request.All && !atWork || request.Limit > 0 && len(work.Items) == request.Limit {
			continue
		}
		work.Items = append(work.Items, newThread(thread))
	}
	return work, nil
}

// Threads are the threads of a directory's project, or of all (""), the newest first,
// made of so many of the newest sessions (0: all that are ever looked at).
func (m *Service) Threads(ctx context.Context, directory string, newest int) ([]threads.Thread, error) {
	if newest <= 0 {
		newest = outlined
	}
	list, err := m.query.SessionsIn(ctx, directory, ledger.SessionFilter{Limit: min(newest, outlined)})
	if err != nil {
		return nil, err
	}
	in := threads.Input{}
	last := map[ledger.SessionKey]time.Time{}
	var commits []string
	for _, session := range list {
		outline, worked, err := m.outlines.of(ctx, m.sessions, session)
		if err != nil {
			return nil, err
		}
		if worked {
			in.Sessions = append(in.Sessions, outline)
			commits = append(commits, outline.Commits...)
		}
		last[session.SessionKey] = session.Last
	}
	decisions, err := m.store.Restores(ctx, ledger.SessionKey{}, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range decisions {
		if d.Begins() {
			in.Links = append(in.Links, threads.Link{From: d.From, To: d.Session})
		}
	}
	in.Marks, in.Reverted = threads.MarksOf(decisions, last), threads.RevertedIn(commits)
	return threads.Of(in), nil
}

func newThread(t threads.Thread) view.Thread {
	newest := t.Newest()
	shown := view.Thread{
		ID: t.ID, State: string(t.State), Marked: t.Said, Project: newest.Project.Path, Directory: newest.Directory, Branch: newest.Branch,
		Tool: newest.Tool, Session: newest.ID, Task: t.Task(), Outcome: newest.Outcome, Turn: newest.Turn, TurnText: newest.TurnText,
		Next: newest.Next, First: view.Timestamp(t.First), Last: view.Timestamp(t.Last), Files: t.Files(), Sessions: []view.ThreadSession{},
	}
	if checkout := gitrepo.Look(newest.Directory); checkout.Found {
		n := checkout.Unrecorded(shown.Files)
		shown.Uncommitted = &n
	}
	for _, session := range t.Sessions {
		shown.Sessions = append(shown.Sessions, view.ThreadSession{
			Tool: session.Tool, Session: session.ID, Task: session.Task, Outcome: session.Outcome, Commits: session.Commits,
			First: view.Timestamp(session.First), Last: view.Timestamp(session.Last), Joined: session.Why,
		})
	}
	return shown
}

// sinceOf reads a moment: an age, a date, or the last day of that name, at midnight of
// the clock's zone. "" is the beginning of time.
func sinceOf(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if at, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return at, nil
	}
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	for back := range 7 {
		day := midnight.AddDate(0, 0, -back)
		if name := strings.ToLower(day.Weekday().String()); name == strings.ToLower(text) || name[:3] == strings.ToLower(text) {
			return day, nil
		}
	}
	if strings.EqualFold(text, "today") {
		return midnight, nil
	}
	if strings.EqualFold(text, "yesterday") {
		return midnight.AddDate(0, 0, -1), nil
	}
	if age, err := config.Age(text); err == nil {
		return now.Add(-age), nil
	}
	return time.Time{}, view.Invalid("since is an age (14d, 36h), a date (2006-01-02) or a day of the week (monday): " + text)
}
