package threads_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/threads"
	"github.com/carryover-go/carryover/modules/ledger"
)

var monday = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// session is one of a project, a day after the one before.
func session(id string, day int, change func(*threads.Outline)) threads.Outline {
	at := monday.AddDate(0, 0, day)
	o := threads.Outline{
		SessionKey: ledger.SessionKey{Tool: "codex", ID: id}, Project: ledger.Project{ID: "p"}, Directory: "/work/p", Branch: "main",
		First: at, Last: at.Add(time.Hour), Task: "task of " + id, Turn: "done",
	}
	if change != nil {
		change(&o)
	}
	return o
}

func files(names ...string) func(*threads.Outline) {
	return func(o *threads.Outline) { o.Files = names }
}

func words(o *threads.Outline) { o.Words = []string{"alpha", "bravo", "charlie", "delta"} }

// stretch is n sessions that follow one another and change one file, and three of other
// days that do not.
func stretch(file string, n int) []threads.Outline {
	var all []threads.Outline
	for i := range n {
		all = append(all, session(fmt.Sprintf("s%d", i), 0, func(o *threads.Outline) {
			o.First = o.First.Add(time.Duration(i) * 90 * time.Minute)
			o.Last, o.Files = o.First.Add(time.Hour), []string{file}
		}))
	}
	for i := range 3 {
		all = append(all, session(fmt.Sprintf("t%d", i), 10+10*i, nil))
	}
	return all
}

// chains are the ids of the sessions of each thread, in order.
func chains(list []threads.Thread) string {
	var all []string
	for _, t := range list {
		var ids []string
		for _, s := range t.Sessions {
			ids = append(ids, s.ID)
		}
		all = append(all, strings.Join(ids, "-"))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestThreads_NeedTwoRareKeys(t *testing.T) {
	tests := map[string]struct {
		in   threads.Input
		want string
	}{
		"one shared file is not enough": {threads.Input{Sessions: []threads.Outline{session("a", 0, files("date.go")), session("b", 3, files("date.go"))}}, "a b"},
		"the next in the worktree within a day and a file": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, files("date.go")), session("b", 1, files("date.go")),
		}}, "a-b"},
		"the next in another worktree": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, files("date.go")), session("b", 1, func(o *threads.Outline) { o.Directory, o.Files = "/work/q", []string{"date.go"} }),
		}}, "a b"},
		"the next within a day and words alone": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, words), session("b", 1, words),
		}}, "a b"},
		"a session in between takes nothing away": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, files("date.go")), session("b", 0, func(o *threads.Outline) { o.First, o.Last = o.Last, o.Last.Add(time.Minute) }),
			session("c", 0, func(o *threads.Outline) {
				o.First, o.Last, o.Files = o.Last.Add(2*time.Minute), o.Last.Add(time.Hour), []string{"date.go"}
			}),
		}}, "a-c b"},
		"beside another and a file": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, func(o *threads.Outline) { o.Last, o.Files = o.Last.AddDate(0, 0, 2), []string{"date.go"} }), session("b", 1, files("date.go")),
		}}, "b-a"},
		"two files of one name": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, files("a/date.go", "b/date.go")), session("b", 3, files("a/date.go", "b/date.go")),
		}}, "a-b"},
		"the same request with an addition, on the branch that it named": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, func(o *threads.Outline) { o.Names, o.Asked = []string{"dates"}, "parse the dates of all the files" }),
			session("b", 3, func(o *threads.Outline) {
				o.Branch, o.Names, o.Asked = "dates", []string{"dates"}, "parse the dates of all the files and zones"
			}),
		}}, "a-b"},
		"the same request a day later": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, func(o *threads.Outline) { o.Asked = "parse the dates" }),
			session("b", 0, func(o *threads.Outline) { o.First, o.Last = o.Last.Add(3*time.Hour), o.Last.Add(4*time.Hour) }),
			session("c", 1, func(o *threads.Outline) { o.Asked = "parse the dates" }),
		}}, "a-c b"},
		"a file that many sessions of one stretch change": {threads.Input{Sessions: stretch("date.go", 5)}, "s0-s1-s2-s3-s4 t0 t1 t2"},
		"two are": {threads.Input{Sessions: []threads.Outline{session("a", 0, files("date.go", "zone.go")), session("b", 1, files("date.go", "zone.go"))}}, "a-b"},
		"a branch and a file": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, func(o *threads.Outline) { o.Branch, o.Files = "dates", []string{"date.go"} }),
			session("b", 1, func(o *threads.Outline) { o.Branch, o.Files = "dates", []string{"date.go"} }),
		}}, "a-b"},
		"the trunk says nothing": {threads.Input{Sessions: []threads.Outline{session("a", 0, files("date.go")), session("b", 3, files("date.go"))}}, "a b"},
		"a handoff alone is not enough": {threads.Input{
			Sessions: []threads.Outline{session("a", 0, nil), session("b", 1, nil)},
			Links:    []threads.Link{{From: ledger.SessionKey{Tool: "codex", ID: "a"}, To: ledger.SessionKey{Tool: "codex", ID: "b"}}},
		}, "a b"},
		"a handoff and nothing asked but to go on": {threads.Input{
			Sessions: []threads.Outline{session("a", 0, nil), session("b", 1, func(o *threads.Outline) { o.Task = "" })},
			Links:    []threads.Link{{From: ledger.SessionKey{Tool: "codex", ID: "a"}, To: ledger.SessionKey{Tool: "codex", ID: "b"}}},
		}, "a-b"},
		"a fork has the history of its origin": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, nil), session("b", 1, func(o *threads.Outline) { o.From, o.How = "a", "fork" }),
		}}, "a-b"},
		"a cleared context may be about anything": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, nil), session("b", 1, func(o *threads.Outline) { o.From, o.How = "a", "clear" }),
		}}, "a b"},
		"an issue named in both and the same file": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, func(o *threads.Outline) { o.Names, o.Files = []string{"#412"}, []string{"date.go"} }),
			session("b", 3, func(o *threads.Outline) { o.Names, o.Files = []string{"#412"}, []string{"date.go"} }),
		}}, "a-b"},
		"a file and its own name count once": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, func(o *threads.Outline) { o.Names, o.Files = []string{"date.go"}, []string{"date.go"} }),
			session("b", 3, func(o *threads.Outline) { o.Names, o.Files = []string{"date.go"}, []string{"date.go"} }),
		}}, "a b"},
		"too long ago": {threads.Input{Sessions: []threads.Outline{session("a", 0, files("date.go", "zone.go")), session("b", 30, files("date.go", "zone.go"))}}, "a b"},
		"other projects stay apart": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, files("date.go", "zone.go")),
			session("b", 1, func(o *threads.Outline) { o.Project.ID, o.Files = "q", []string{"date.go", "zone.go"} }),
		}}, "a b"},
		"no project is none": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, func(o *threads.Outline) { o.Project.ID, o.Files = "", []string{"date.go", "zone.go"} }),
			session("b", 1, func(o *threads.Outline) { o.Project.ID, o.Files = "", []string{"date.go", "zone.go"} }),
		}}, "a b"},
		"what every project has is not rare": {threads.Input{Sessions: []threads.Outline{
			session("a", 0, files("package.json", "README.md")), session("b", 1, files("package.json", "README.md")),
			session("c", 2, func(o *threads.Outline) { o.Project.ID, o.Files = "q", []string{"package.json", "docs/README.md"} }),
		}}, "a b c"},
	}
	for name, test := range tests {
		if got := chains(threads.Of(test.in)); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestThreads_AreTheSameInAnyOrder(t *testing.T) {
	var sessions []threads.Outline
	for i := range 40 {
		sessions = append(sessions, session(fmt.Sprintf("s%02d", i), i, files(fmt.Sprintf("f%d.go", i/3), fmt.Sprintf("g%d.go", i/3), "all.go")))
	}
	want := chains(threads.Of(threads.Input{Sessions: sessions}))
	dice := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		dice.Shuffle(len(sessions), func(i, j int) { sessions[i], sessions[j] = sessions[j], sessions[i] })
		if got := chains(threads.Of(threads.Input{Sessions: sessions})); got != want {
			t.Fatalf("another order gives\n%s\nand not\n%s", got, want)
		}
	}
}

func TestThreads_AWrongJoinIsUndone(t *testing.T) {
	a, b, c := session("a", 0, files("date.go", "zone.go")), session("b", 1, files("date.go", "zone.go")), session("c", 2, nil)
	said := func(key ledger.SessionKey, decision string, from ledger.SessionKey) ledger.Restore {
		return ledger.Restore{Session: key, From: from, Decision: decision, Time: monday.AddDate(0, 0, 9)}
	}
	in := func(newestFirst ...ledger.Restore) threads.Input {
		return threads.Input{Sessions: []threads.Outline{a, b, c}, Marks: threads.MarksOf(newestFirst, nil)}
	}
	apart := said(b.SessionKey, ledger.ThreadApart, ledger.SessionKey{})
	for want, input := range map[string]threads.Input{
		"a-b c": in(said(b.SessionKey, ledger.ThreadUnmarked, ledger.SessionKey{}), apart),
		"a b c": in(apart),
		"a b-c": in(apart, said(c.SessionKey, ledger.ThreadJoined, b.SessionKey)),
	} {
		if got := chains(threads.Of(input)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestThreads_SayWhereTheyStand(t *testing.T) {
	key := ledger.SessionKey{Tool: "codex", ID: "a"}
	last := map[ledger.SessionKey]time.Time{key: monday.Add(time.Hour)}
	later := ledger.Restore{Session: key, Time: monday.Add(2 * time.Hour)}
	marked := func(decision string, at time.Time) []ledger.Restore {
		r := later
		r.Decision, r.Time = decision, at
		return []ledger.Restore{r}
	}
	tests := map[string]struct {
		change   func(*threads.Outline)
		said     []ledger.Restore
		reverted []string
		want     threads.State
	}{
		"nothing waits":             {nil, nil, nil, threads.Done},
		"a question to the user":    {func(o *threads.Outline) { o.Turn = "user" }, nil, nil, threads.Waiting},
		"stopped in the middle":     {func(o *threads.Outline) { o.Turn = "agent" }, nil, nil, threads.Open},
		"steps are left":            {func(o *threads.Outline) { o.Todo = true }, nil, nil, threads.Open},
		"dismissed":                 {func(o *threads.Outline) { o.Turn = "agent" }, marked(ledger.Dismissed, later.Time), nil, threads.Dropped},
		"done, says the user":       {func(o *threads.Outline) { o.Turn = "agent" }, marked(ledger.ThreadDone, later.Time), nil, threads.Done},
		"worked on since it was so": {func(o *threads.Outline) { o.Turn = "agent" }, marked(ledger.ThreadDone, monday), nil, threads.Open},
		"its commit was reverted":   {func(o *threads.Outline) { o.Commits = []string{"abc1234 Parse dates"} }, nil, threads.RevertedIn([]string{`def5678 Revert "Parse dates"`}), threads.Reverted},
		"one of two was reverted":   {func(o *threads.Outline) { o.Commits = []string{"abc1234 Parse dates", "bcd2345 Parse zones"} }, nil, []string{"Parse dates"}, threads.Done},
	}
	for name, test := range tests {
		list := threads.Of(threads.Input{Sessions: []threads.Outline{session("a", 0, test.change)}, Marks: threads.MarksOf(test.said, last), Reverted: test.reverted})
		if len(list) != 1 || list[0].State != test.want {
			t.Errorf("%s: %+v, want %s", name, list, test.want)
		}
	}
}
