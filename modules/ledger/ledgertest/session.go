package ledgertest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func testSessions(t *testing.T, open Open) {
	opened := func(id, cwd, branch, version string) transcript.Event {
		return transcript.Event{
			ID: id, Kind: transcript.Session,
			WorkDir: &transcript.WorkDir{Cwd: cwd, Branch: branch},
			Start:   &transcript.Start{Version: version},
		}
	}
	title := func(id, text string) transcript.Event {
		return transcript.Event{ID: id, Kind: transcript.Title, Text: text}
	}

	t.Run("made from events", func(t *testing.T) {
		f := newFixture(t, open)
		first := opened("a", "/home/dev/app", "main", "2.1.0")
		first.Start.From, first.Start.How, first.Start.Headless = "s0", "fork", true
		used := reply("d", "x")
		used.Usage = &transcript.UsageInfo{Context: 1000, Window: 200_000}
		f.append(file("s1", first, title("b", "old"), opened("c", "/home/dev/app/sub", "fix", "2.1.1"), used, title("e", "new")))
		got := f.session("s1")
		want := ledger.Session{
			SessionKey: key("s1"), Project: got.Project, Cwd: "/home/dev/app", Worktree: "/home/dev/app",
			Branch: "fix", Title: "new", From: "s0", How: "fork", Version: "2.1.1",
			First: start, Last: start.Add(4 * time.Second), Events: 5, Path: "/sessions/s1.jsonl", Usage: got.Usage,
		}
		if got.Project.Path != "/home/dev/app" || got.Usage == nil || got.Usage.Context != 1000 {
			t.Errorf("session is %+v", got)
		}
		if got.Headless {
			t.Error("the latest run was attended")
		}
		got.Project.Paths = nil
		want.Project = got.Project
		if !sameSession(got, want) {
			t.Errorf("session is %+v\n      want %+v", got, want)
		}
	})

	t.Run("whatever is read first", func(t *testing.T) {
		whole := file("s1", opened("a", "/one", "main", "1"), title("b", "old"), opened("c", "/two", "fix", "2"), title("d", "new"))
		copied := file("s2", opened("a", "/one", "main", "1"), opened("z", "/three", "other", "3"))
		copied.Events[1].Session = "s1"
		var sessions []ledger.Session
		for _, order := range [][]ledger.Batch{{whole, copied}, {copied, whole}} {
			f := newFixture(t, open)
			for _, batch := range order {
				f.append(batch)
			}
			sessions = append(sessions, f.session("s1"))
		}
		if !sameSession(sessions[0], sessions[1]) || sessions[0].Title != "new" || sessions[0].Cwd != "/one" || sessions[0].Branch != "fix" {
			t.Errorf("%+v\n%+v", sessions[0], sessions[1])
		}
	})

	t.Run("filters", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(file("s1", opened("a", "/one", "", "")))
		later := opened("b", "/two", "", "")
		later.Time = start.Add(time.Hour)
		f.append(file("s2", later))
		agent := opened("c", "/two", "", "")
		agent.Start.How = "subagent"
		f.append(file("t3", agent))
		two := f.session("s2").Project.ID
		for name, test := range map[string]struct {
			filter ledger.SessionFilter
			want   []string
		}{
			"all":       {ledger.SessionFilter{}, []string{"s2", "s1"}},
			"subagents": {ledger.SessionFilter{Subagents: true}, []string{"s2", "s1", "t3"}},
			"limit":     {ledger.SessionFilter{Limit: 1}, []string{"s2"}},
			"tool":      {ledger.SessionFilter{Tool: "codex"}, nil},
			"project":   {ledger.SessionFilter{Project: two}, []string{"s2"}},
			"worktree":  {ledger.SessionFilter{Worktree: "/one"}, []string{"s1"}},
			"since":     {ledger.SessionFilter{Since: start.Add(time.Minute)}, []string{"s2"}},
			"after": {
				ledger.SessionFilter{Subagents: true, After: ledger.SessionMark{Last: start, Tool: "claude-code", ID: "s1"}},
				[]string{"t3"},
			},
			"prefix": {ledger.SessionFilter{IDPrefix: "s"}, []string{"s2", "s1"}},
		} {
			sessions, err := f.log.Sessions(context.Background(), test.filter)
			var ids []string
			for _, session := range sessions {
				ids = append(ids, session.ID)
			}
			if err != nil || !slices.Equal(ids, test.want) {
				t.Errorf("%s: %q, want %q, %v", name, ids, test.want, err)
			}
		}
	})
}

func sameSession(a, b ledger.Session) bool {
	if (a.Usage == nil) != (b.Usage == nil) || a.Usage != nil && *a.Usage != *b.Usage {
		return false
	}
	if a.Project.ID != b.Project.ID || a.Project.Path != b.Project.Path {
		return false
	}
	a.Usage, b.Usage = nil, nil
	a.Project, b.Project = ledger.Project{}, ledger.Project{}
	return a.SessionKey == b.SessionKey && a.Cwd == b.Cwd && a.Worktree == b.Worktree && a.Branch == b.Branch &&
		a.Title == b.Title && a.From == b.From && a.How == b.How && a.Version == b.Version &&
		a.Headless == b.Headless && a.Subagent == b.Subagent && a.First.Equal(b.First) && a.Last.Equal(b.Last) &&
		a.Events == b.Events && a.Path == b.Path
}

func testProjects(t *testing.T, open Open) {
	f := newFixture(t, open)
	resolve := func(common, worktree string) ledger.Project {
		project, err := f.log.Project(context.Background(), ledger.ProjectIdentity{Common: common, Worktree: worktree})
		if err != nil {
			t.Fatal(err)
		}
		return project
	}
	main := resolve("/home/dev/app/.git", "/home/dev/app")
	linked := resolve("/home/dev/app/.git", "/home/dev/app-fix")
	if main.ID != linked.ID || linked.Path != "/home/dev/app" {
		t.Errorf("worktrees: %+v and %+v", main, linked)
	}
	// The worktree was removed: git no longer says whose it was.
	if gone := resolve("/home/dev/app-fix", "/home/dev/app-fix"); gone.ID != main.ID {
		t.Errorf("a removed worktree is another project: %+v", gone)
	}
	plain := resolve("/home/dev/notes", "/home/dev/notes")
	if versioned := resolve("/home/dev/notes/.git", "/home/dev/notes"); versioned.ID != plain.ID || plain.ID == main.ID {
		t.Errorf("git init made another project: %+v and %+v", plain, versioned)
	}
	projects, err := f.log.Projects(context.Background())
	if err != nil || len(projects) != 2 || len(projects[0].Paths) != 3 {
		t.Errorf("projects are %+v, %v", projects, err)
	}
}
