package ledgertest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func (f fixture) search(query ledger.Query) ledger.Results {
	f.Helper()
	results, err := f.log.Search(context.Background(), query)
	if err != nil {
		f.Fatal(err)
	}
	return results
}

func testSearch(t *testing.T, open Open) {
	f := newFixture(t, open)
	opened := transcript.Event{ID: "p", Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: "/home/dev/app"}}
	f.append(file("s1", opened,
		prompt("a", "the login fails for getUserName"),
		call("b", "c1", "grep -rn get_user_name src/auth/login.go"),
		result("c", "c1", "src/auth/login.go: login login login fails"),
		reply("d", "fixed the login"),
		prompt("e", "ログイン画面を修正"),
	))
	other := file("x1", prompt("z", "another login"))
	other.Source.Tool = "codex"
	f.append(other)
	project := f.session("s1").Project.ID

	for name, test := range map[string]struct {
		query ledger.Query
		want  []string // in order
	}{
		"people before agents before output": {ledger.Query{Text: "login fails"}, []string{"a", "c"}},
		"phrase":                             {ledger.Query{Text: `"login fails"`}, []string{"a", "c"}},
		"phrase in order":                    {ledger.Query{Text: `"fails login"`}, nil},
		"prefix":                             {ledger.Query{Text: "fix*"}, []string{"d"}},
		"any spelling":                       {ledger.Query{Text: "getUserName"}, []string{"a", "b"}},
		"part of a name":                     {ledger.Query{Text: "userName"}, []string{"a", "b"}},
		"path":                               {ledger.Query{Text: "auth/login.go"}, []string{"b", "c"}},
		"case":                               {ledger.Query{Text: "FIXED"}, []string{"d"}},
		"without spaces":                     {ledger.Query{Text: "画面"}, []string{"e"}},
		"one character":                      {ledger.Query{Text: "修"}, []string{"e"}},
		"tool":                               {ledger.Query{Text: "login", Tool: "codex"}, []string{"z"}},
		"project":                            {ledger.Query{Text: "another", Project: project}, nil},
		"kind":                               {ledger.Query{Text: "login", Kind: transcript.Reply}, []string{"d"}},
		"since":                              {ledger.Query{Text: "login", Since: start.Add(3 * time.Second), Tool: tool}, []string{"d", "c"}},
		"limit":                              {ledger.Query{Text: "login fails", Limit: 1}, []string{"a"}},
		"unknown tool":                       {ledger.Query{Text: "login", Tool: "none"}, nil},
		"nothing asked":                      {ledger.Query{Text: ` "" *`}, nil},
		"no words of a filter":               {ledger.Query{Text: "kprompt"}, nil},
	} {
		results := f.search(test.query)
		var ids []string
		for _, hit := range results.Hits {
			ids = append(ids, hit.ID)
		}
		if !slices.Equal(ids, test.want) {
			t.Errorf("%s: found %q, want %q", name, ids, test.want)
		}
	}

	hit := f.search(ledger.Query{Text: "fixed"}).Hits[0]
	want := ledger.Hit{
		Session: key("s1"), Time: start.Add(4 * time.Second), Kind: transcript.Reply,
		Snippet: ledger.Excerpt{Text: "fixed the login", Marks: []ledger.Span{{From: 0, To: 5}}},
		ID:      "d", Path: "/sessions/s1.jsonl", Ref: transcript.Ref{Offset: 400, Length: 100, Line: 5},
	}
	if !reflect.DeepEqual(hit, want) {
		t.Errorf("hit is %+v\n  want %+v", hit, want)
	}

	t.Run("what agents left is found beside events", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(file("s1", opened, reply("a", "the marmalade is ready")))
		id := f.session("s1").Project.ID
		handoff := ledger.AgentHandoff{
			ID: "h1", AgentName: "cook", CreatedAt: start.Add(time.Minute), Summary: "marmalade and toast", Learnings: []string{"marmalade burns"},
		}
		if err := f.log.PutHandoff(context.Background(), id, handoff); err != nil {
			t.Fatal(err)
		}
		for name, test := range map[string]struct {
			query ledger.Query
			want  []string
		}{
			"worth what people say": {ledger.Query{Text: "marmalade"}, []string{"handoff h1", "reply a"}},
			"handoffs only":         {ledger.Query{Text: "marmalade", Kind: ledger.KindHandoff}, []string{"handoff h1"}},
			"learnings":             {ledger.Query{Text: "marmalade", Kind: ledger.KindLearning}, []string{"learning h1"}},
			"project":               {ledger.Query{Text: "marmalade", Project: id}, []string{"handoff h1", "reply a"}},
			"before":                {ledger.Query{Text: "marmalade", Until: start.Add(30 * time.Second)}, []string{"reply a"}},
			"after":                 {ledger.Query{Text: "marmalade", Since: start.Add(30 * time.Second)}, []string{"handoff h1"}},
			"a tool's sessions":     {ledger.Query{Text: "marmalade", Tool: tool}, []string{"reply a"}},
			"events only":           {ledger.Query{Text: "marmalade", EventsOnly: true}, []string{"reply a"}},
		} {
			var got []string
			for _, hit := range f.search(test.query).Hits {
				got = append(got, string(hit.Kind)+" "+hit.ID)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s: found %q, want %q", name, got, test.want)
			}
		}
	})

	t.Run("a word that occurs nowhere is spelt again", func(t *testing.T) {
		f := newFixture(t, open)
		f.append(file("s1", opened, reply("a", "parse the getUserName of auth/login.go with marmalade")))
		other := file("x1", prompt("z", "umbrella"))
		other.Source.Tool = "codex"
		f.append(other)
		for typed, want := range map[string]string{
			"marmaladd":          "marmalade",
			"marmlade parse":     "marmalade parse",
			"mramalade":          "marmalade",
			"getUsreName":        `"get user name"`,
			`"auth/lgoin.go"`:    `"auth login go"`,
			"marm* loggin":       "marm* login",
			"zebra":              "",
			"pasre zebra":        "", // nothing is like one of them
			`"parse marmalade"`:  "", // both are there, and apart
			"cat":                "", // too short to guess
			"marmalade umbrella": "",
		} {
			if got := f.search(ledger.Query{Text: typed}).Suggestion; got != want {
				t.Errorf("%s: suggested %q, want %q", typed, got, want)
			}
		}
		if got := f.search(ledger.Query{Text: "umbrekla", Tool: tool}).Suggestion; got != "" {
			t.Errorf("a word of what was left out is suggested: %q", got)
		}
	})

	t.Run("totals are counted to 1,500", func(t *testing.T) {
		var events []transcript.Event
		for i := range 2100 {
			events = append(events, reply(fmt.Sprint("many", i), "plenty"))
		}
		f.append(file("s9", events...))
		if got := f.search(ledger.Query{Text: "plenty"}); got.Total != 1500 || len(got.Hits) != 20 || got.Hits[0].ID != "many2099" {
			t.Errorf("total %d, %d hits, first %s", got.Total, len(got.Hits), got.Hits[0].ID)
		}
	})

	t.Run("a session learns its project late", func(t *testing.T) {
		f := newFixture(t, open)
		batch := file("s1", prompt("a", "marmalade"), opened)
		first := batch
		first.Events, first.Source.Position = batch.Events[:1], transcript.Position{Offset: 100, Line: 1}
		f.append(first)
		f.append(batch)
		if got := f.search(ledger.Query{Text: "marmalade", Project: f.session("s1").Project.ID}); got.Total != 1 {
			t.Errorf("found %d times in its project", got.Total)
		}
	})
}
