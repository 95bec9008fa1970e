package extract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// named are the paths listed as named and not opened.
func named(s *script.Session) []string {
	var out []string
	for _, n := range fold(s).Named {
		out = append(out, n.Path)
	}
	return out
}

// file is an entry of the list of files, nil for none.
func file(f distiller.Facts, p string) *distiller.File {
	for i := range f.Files {
		if f.Files[i].Path == p {
			return &f.Files[i]
		}
	}
	return nil
}

func TestNamed_AFileWhoseContentWasShownIsRead(t *testing.T) {
	for command, exit := range map[string]int{
		"grep -n total src/cart.go": 0, "grep -n nothing src/cart.go": 1, "rg -A 3 -e total src/cart.go": 0, "cd src && sed -n 1,20p cart.go": 0,
		"git show HEAD~2:src/cart.go": 0, "git diff -- src/cart.go": 0, "git blame src/cart.go": 0, "awk '/total/ {print $2}' src/cart.go": 0,
	} {
		s := session().User("Why is the total wrong?").Agent("It is made in src/cart.go.").Shell(command, exit, map[int]string{0: "12: total := 0"}[exit])
		if got := file(fold(s), "src/cart.go"); got == nil || got.Change != "read" || len(named(s)) != 0 {
			t.Errorf("%s: read %+v, named %q", command, got, named(s))
		}
	}
	for _, command := range []string{"grep -ln total src/cart.go", "git diff --stat -- src/cart.go", "grep -n total src/cart.go src/sum.go"} {
		s := session().User("Why is the total wrong?").Agent("It is made in src/cart.go.").Shell(command, 0, "src/cart.go")
		if !slices.Contains(named(s), "src/cart.go") {
			t.Errorf("%s shows no file whole: %q", command, named(s))
		}
	}
	s := session().User("Why is the total wrong?").Agent("It is made in src/cart.go.").
		Call(transcript.CallInfo{Name: "Grep", Meaning: transcript.Search, Paths: []string{root + "/src/cart.go"}, Detail: "total"}).Result(transcript.ResultInfo{Text: "12: total := 0"})
	if file(fold(s), "src/cart.go") == nil || len(named(s)) != 0 {
		t.Errorf("by a search tool: %q", named(s))
	}
	s = session().User("How does the other one do it?").Shell("gh api repos/ada/shop/contents/src/cart.go --jq .content", 0, "package src").Agent("src/cart.go adds up.")
	if len(named(s)) != 0 {
		t.Errorf("from a forge: %q", named(s))
	}
}

func TestNamed_NotWhatIsNotThere(t *testing.T) {
	s := session().User("Make it update itself").Shell("ls", 0, "README.md\ngo.mod\nmain.go\n").Agent("I can write update.ps1 for you, or jobs/update.go.")
	if got := named(s); slices.Contains(got, "update.ps1") || slices.Contains(got, "jobs/update.go") {
		t.Errorf("offered, and no folder holds it: %q", got)
	}
	for _, shown := range []string{"jobs/update.ps1: 3 lines", "--- a/jobs/update.ps1"} {
		if s := s.Shell("git log -1 --stat", 0, shown); !slices.Contains(named(s), "update.ps1") && !slices.Contains(named(s), "jobs/update.ps1") {
			t.Errorf("once it was shown: %q", named(s))
		}
	}
	for text, name := range map[string]string{
		"Run `curl https://get.shop.test/install.sh`; install.sh asks for a folder.": "install.sh",
		"The workflow listens to refs/tags/v1.1 and refs/heads/fix.go.":              "refs/heads/fix.go",
	} {
		if s := session().User("How is it installed?").Agent(text); len(named(s)) != 0 {
			t.Errorf("%s is no file here: %q", name, named(s))
		}
	}
	s = session().User("What is ignored?").Shell("cat .gitignore", 0, "build/cache.json\nconfig/local.yml\n")
	if got := named(s); len(got) != 0 {
		t.Errorf("patterns: %q", got)
	}
	s = session().User("Which versions?").Shell("curl -d '{\"android.java\": 17}' https://shop.test/versions", 0, "ok")
	if got := named(s); len(got) != 0 {
		t.Errorf("a key: %q", got)
	}
}

// A file that was worked on and is found to be gone is listed no more, under its whole name or the bare one; that the
// person wanted to see it is no failed approach.
func TestFiles_NoneThatIsGone(t *testing.T) {
	s := session().User("Round the prices").Edit(root + "/shop/prices.py").Read(root + "/shop/cart.py").Agent("Rounded.").User("And prices.py in the till?").
		Event(transcript.Event{Kind: transcript.Call, Origin: transcript.Typed, Call: &transcript.CallInfo{ID: "a1", Name: "add", Meaning: transcript.Read, Paths: []string{"shop/prices.py"}}}).
		Result(transcript.ResultInfo{CallID: "a1", Failed: true, Text: "file not found error"}).Agent("It was in prices.py, which is not there.")
	f := fold(s)
	for _, file := range f.Files {
		if file.Path == "shop/prices.py" {
			t.Errorf("listed: %+v", file)
		}
	}
	if slices.Contains(named(s), "prices.py") || len(f.Failures) > 0 {
		t.Errorf("named %q, failed %+v", named(s), f.Failures)
	}
}

// A search that finds nothing has read its file; a command that could not read it has not.
func TestFiles_ReadByASearchThatFindsNothing(t *testing.T) {
	s := session().User("Which tasks are there?").Shell("cat tasks/lint.sh", 1, "cat: tasks/lint.sh: Is a directory").Shell("grep -n vet tasks/all.sh", 1, "")
	if f := fold(s).Files; len(f) != 1 || f[0].Path != "tasks/all.sh" {
		t.Errorf("got %+v", f)
	}
}

func TestNamed_ByAListingAloneWhereTheWorkIs(t *testing.T) {
	s := session().User("Add a discount").Shell("ls src docs", 0, "src:\ncart.go\nsum.go\n\ndocs:\nguide.md\n")
	if got := named(s); len(got) != 3 {
		t.Errorf("nothing was changed yet: %q", got)
	}
	if got := named(s.Edit(root + "/src/cart.go")); !slices.Equal(got, []string{"src/sum.go"}) {
		t.Errorf("beside a changed file: %q", got)
	}
	if got := named(s.Agent("docs/guide.md tells of it too.")); !slices.Contains(got, "docs/guide.md") {
		t.Errorf("once something else names it: %q", got)
	}
}

func TestNamed_ATreeIsReadByItsFolders(t *testing.T) {
	s := session().User("Add a discount").
		Call(transcript.CallInfo{Name: "LS", Meaning: transcript.Search, Paths: []string{root}, Detail: root}).
		Result(transcript.ResultInfo{Text: "- " + root + "/\n  - src/\n    - cart.go\n    - sum.go\n  - main.go\n"}).
		Edit(root + "/src/cart.go").Edit(root + "/go.mod")
	if got := named(s); len(got) != 2 || !slices.Contains(got, "src/sum.go") || !slices.Contains(got, "main.go") {
		t.Errorf("got %q", got)
	}
}

func TestFiles_ARenamedOneIsListedByItsNewName(t *testing.T) {
	s := session().User("Polish it").Write(root+"/src/polished.go").Edit(root+"/src/polished.go", "Polished").Edit(root+"/src/cart.go", "Old").
		Shell("rm src/cart.go && mv src/polished.go src/cart.go", 0, "")
	f := fold(s)
	if got := file(f, "src/cart.go"); file(f, "src/polished.go") != nil || got == nil || got.Change != "move" || !slices.Equal(got.Symbols, []string{"Polished"}) {
		t.Errorf("the files are %+v", f.Files)
	}
	f = fold(s.Shell("mv src lib", 0, ""))
	if got := file(f, "lib/cart.go"); got == nil || !slices.Equal(got.Symbols, []string{"Polished"}) {
		t.Errorf("with the folder: %+v", f.Files)
	}
}

func TestFiles_WhatTheSessionMadeAndRemovedIsNotListed(t *testing.T) {
	for _, command := range []string{"rm src/try.go", "rm -r src", "rm src/*.go", "mv src/try.go src/t.go && rm src/t.go"} {
		if f := fold(session().User("Try it").Write(root+"/src/try.go").Shell(command, 0, "")); len(f.Files) != 0 {
			t.Errorf("%s: %+v", command, f.Files)
		}
	}
	if f := fold(session().User("Try it").Read(root+"/src/cart.go").Shell("rm src/cart.go", 0, "")); len(f.Files) != 1 || f.Files[0].Change != "delete" {
		t.Errorf("it was there before: %+v", f.Files)
	}
}

func TestVerify_NamesWhatWasRemovedAndNotMadeHere(t *testing.T) {
	const said = "removed, not made in this session: `src/hooks.go`"
	listed := func(s *script.Session) bool { return tells(fold(s).Verify, "removed, not made in this session") }
	removed := func(prompt string) *script.Session {
		return session().User(prompt).Edit(root+"/src/cart.go").Shell("go build ./...", 1, "src/hooks.go:12:2: undefined: total").Shell("rm src/hooks.go", 0, "")
	}
	if f := fold(removed("Polish it")); !tells(f.Verify, said) {
		t.Errorf("verify: %+v", f.Verify)
	}
	for why, s := range map[string]*script.Session{
		"the person named it":     removed("Polish it, and drop the hooks"),
		"it was committed":        removed("Polish it").Shell("git commit -am 'Polish it'", 0, "[main abc1234] Polish it\n 2 files changed"),
		"git put it back":         removed("Polish it").Shell("git checkout -- src/hooks.go", 0, ""),
		"it was read since":       removed("Polish it").Read(root + "/src/hooks.go"),
		"git removed it":          session().User("Polish it").Read(root+"/src/hooks.go").Shell("git rm src/hooks.go", 0, "rm 'src/hooks.go'"),
		"it has another name":     session().User("Polish it").Read(root+"/src/hooks.go").Shell("mv src/hooks.go src/calls.go", 0, ""),
		"a build made it":         session().User("Polish it").Read(root+"/dist/app.js").Shell("rm dist/app.js", 0, ""),
		"nothing showed it":       session().User("Polish it").Shell("rm -f src/hooks.go", 0, ""),
		"a command may have":      session().User("Polish it").Shell("python3 gen.py src/hooks.go", 0, "wrote src/hooks.go").Shell("rm src/hooks.go", 0, ""),
		"the session made it":     session().User("Polish it").Write(root+"/src/hooks.go").Shell("rm src/hooks.go", 0, ""),
		"it failed to be removed": session().User("Polish it").Read(root+"/src/hooks.go").Shell("rm src/hooks.go", 1, "rm: src/hooks.go: Permission denied"),
	} {
		if listed(s) {
			t.Errorf("%s: %+v", why, fold(s).Verify)
		}
	}
	moved := session().User("Polish it").Read(root+"/src/hooks.go").Shell("mv src/hooks.go src/calls.go", 0, "").Shell("rm src/calls.go", 0, "")
	if f := fold(moved); !tells(f.Verify, said) {
		t.Errorf("under its new name: %+v", f.Verify)
	}
}

func TestCode_NotesFollowARenamedFile(t *testing.T) {
	s := session().User("Polish it").Call(transcript.CallInfo{Name: "Edit", Meaning: transcript.Edit, Paths: []string{root + "/src/polished.go"}}).
		Code(transcript.CodeInfo{Path: root + "/src/polished.go", Added: []string{"TODO: round it"}}, "Polished").Result(transcript.ResultInfo{Text: "ok"})
	f := fold(s.Shell("rm src/cart.go; mv src/polished.go src/cart.go", 0, ""))
	if !slices.ContainsFunc(f.Verify, func(v distiller.Statement) bool { return strings.HasPrefix(v.Text, "left in src/cart.go: TODO") }) {
		t.Errorf("verify: %+v", f.Verify)
	}
	if f = fold(s.Shell("rm src/cart.go", 0, "")); tells(f.Verify, "left in ") {
		t.Errorf("once it is removed: %+v", f.Verify)
	}
}
