package dashboard

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/picture"
	"github.com/carryover-go/carryover/modules/daemon/dashboard/words"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// How much the first page shows.
const (
	nowProjects = 12
	nowSessions = 12
	nowDays     = 28
	nowCommands = 3
)

// now is the first page: what is open, what is at work, what was done.
type now struct {
	Health   healthView
	Ledger   view.LedgerStatus
	Limits   []view.LimitHit
	Live     []liveSession
	Open     []projectCard // something waits there
	Rested   []projectCard // nothing does
	More     int           // projects that are not shown
	Recent   []sessionRow
	Activity picture.Activity
	WholeURL string // this page with all that it shows
	Whole    bool   // it is; else what is made of long sessions comes after it
}

// liveSession is a session at work, with how full its context is.
type liveSession struct {
	view.LiveSession
	Name string
	ID   string // of the project
}

// projectCard is a project with where its newest session stands.
type projectCard struct {
	Project ledger.Project
	Newest  ledger.Session
	Digest  digest
	Switch  []string // commands that open an agent with this handoff, the likeliest first
}

func (p *Page) now(r *http.Request) (screen, error) {
	ctx := r.Context()
	status, err := p.Service.Status(ctx)
	if err != nil {
		return screen{}, err
	}
	sessions, err := p.Ledger.Sessions(ctx, ledger.SessionFilter{})
	if err != nil {
		return screen{}, err
	}
	newest := newestOf(sessions)
	cards, recent := newest[:min(nowProjects, len(newest))], sessions[:min(nowSessions, len(sessions))]
	data := now{
		WholeURL: whole(r), Whole: quick(r, p.digests.unread(slices.Concat(cards, recent))),
		More: max(0, len(newest)-nowProjects), Activity: activityOf(sessions, p.Now()),
		Health: p.health.view(p.Now()), Ledger: status.Ledger, Limits: status.Limits,
	}
	data.Live, data.Recent = p.liveOf(ctx, status.Live, sessions, data.Whole), p.rows(ctx, recent, data.Whole)
	projects, err := p.cards(ctx, cards, likelyTools(p.Openable, sessions), data.Whole)
	for _, card := range projects {
		if card.Digest.IsOpen() || card.Digest.Task == "" && !data.Whole {
			data.Open = append(data.Open, card)
		} else {
			data.Rested = append(data.Rested, card)
		}
	}
	return screen{template: "now", title: "Now", at: "now", data: data}, err
}

// liveOf joins what is notified of the sessions at work with their names.
func (p *Page) liveOf(ctx context.Context, live []view.LiveSession, sessions []ledger.Session, wait bool) []liveSession {
	named := map[ledger.SessionKey]ledger.Session{}
	for _, session := range sessions {
		named[session.SessionKey] = session
	}
	list := make([]liveSession, len(live))
	for i, status := range live {
		session := named[ledger.SessionKey{Tool: status.Tool, ID: status.Session}]
		list[i] = liveSession{LiveSession: status, Name: p.digests.name(ctx, p.Sessions, session, wait), ID: session.Project.ID}
	}
	return list
}

// newestOf is the newest session of each project, newest first, of sessions in
// that order.
func newestOf(sessions []ledger.Session) []ledger.Session {
	seen := map[string]bool{"": true}
	var newest []ledger.Session
	for _, session := range sessions {
		if !seen[session.Project.ID] {
			seen[session.Project.ID] = true
			newest = append(newest, session)
		}
	}
	return newest
}

func (p *Page) cards(ctx context.Context, newest []ledger.Session, tools []string, wait bool) ([]projectCard, error) {
	cards := make([]projectCard, len(newest))
	for i, session := range newest {
		digest, err := p.digests.shown(ctx, p.Sessions, session, wait)
		if err != nil {
			return nil, err
		}
		cards[i] = projectCard{
			Project: session.Project, Newest: session, Digest: digest,
			Switch: switchCommands(tools, session.Tool, cmp.Or(session.Worktree, session.Project.Path)),
		}
	}
	return cards, nil
}

// likelyTools are the tools that sessions were of and that can be opened, the one
// used last first.
func likelyTools(openable []string, sessions []ledger.Session) []string {
	var tools []string
	for _, session := range sessions {
		if !slices.Contains(tools, session.Tool) && slices.Contains(openable, session.Tool) {
			tools = append(tools, session.Tool)
		}
	}
	return tools
}

// switchCommands open one of the tools with the handoff of a directory: another
// one than that of the session first, for that one still has its own history.
func switchCommands(tools []string, own, directory string) []string {
	var commands []string
	add := func(tool string) {
		if len(commands) < nowCommands {
			commands = append(commands, "carryover switch "+tool+" --exec --project "+words.ShellWord(directory))
		}
	}
	for _, tool := range tools {
		if tool != own {
			add(tool)
		}
	}
	if slices.Contains(tools, own) {
		add(own)
	}
	return commands
}

// activityOf draws the sessions of the last weeks.
func activityOf(sessions []ledger.Session, now time.Time) picture.Activity {
	worked := make([]picture.Worked, len(sessions))
	for i, session := range sessions {
		worked[i] = picture.Worked{Tool: session.Tool, At: session.Last}
	}
	return picture.ActivityOf(worked, now, nowDays)
}
