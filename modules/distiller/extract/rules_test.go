package extract_test

import (
	"strings"
	"testing"
)

// Of the rules of a context file those are listed that say what few others say, and how to
// commit where something is to be committed.
func TestConstraints_TheRulesThatSayMost(t *testing.T) {
	rules := "- Never open a pull request for the registry without its numbers.\n- A pull request of the registry must name its popularity.\n" +
		"- Always ask before a pull request touches the registry.\n- Every pull request must pass the registry checks.\n" +
		"- Never format the importer by hand.\n- All commits must follow the conventional format.\n"
	s := session().Prompt("injected", "# AGENTS.md instructions\n\n"+rules).User("Answer the pull request about the importer").Edit(root + "/importer.go")
	var told []string
	for _, c := range fold(s).Constraints {
		told = append(told, c.Text)
	}
	if len(told) != 4 || !strings.Contains(strings.Join(told[:2], "\n"), "by hand") || !strings.Contains(strings.Join(told[:2], "\n"), "conventional format") {
		t.Errorf("told: %q", told)
	}
}

// The options of a question are the list right above it, not an earlier one with numbers.
func TestQuestion_TheListRightAboveHoldsTheOptions(t *testing.T) {
	s := session().User("Was the cache at fault?").Read(root + "/cache.go").
		Agent("It was not. The state is:\n\n1. **Reverted:** the dead helper\n2. **Still there:** the second call\n\nOptions:\n- **Revert fully:** go back to one call\n- **Keep as it is:** it works\n\nWhich do you prefer?")
	asked := fold(s).Turn.Asked
	if asked == nil || len(asked.Options) != 2 || !strings.Contains(asked.Options[0].Text, "Revert fully") || !strings.Contains(asked.Options[1].Text, "Keep as it is") {
		t.Errorf("asked: %+v", asked)
	}
}

// What one of several options would need is no constraint while nobody has chosen it.
func TestConstraints_NoneOfAnOption(t *testing.T) {
	s := session().User("How can the hooks differ on my machine?").Read(root + "/settings.json").
		Agent("### Option 1: a wrapper\n- It reads a variable.\n\n### Option 2: local settings\n- The user must remove the hooks from `settings.json` by hand.\n\nWhich one do you prefer?")
	if got := fold(s).Constraints; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

// A slash command puts a document into the session: what it forbids binds while its work goes on.
func TestConstraints_RulesOfTheCommand(t *testing.T) {
	document := "# Check the setup\n\nLook at everything first.\n\n## Ground rules\n\n- **Propose, then apply, and never the reverse.** Every change is shown before it is made.\n" +
		"- **Figures** are estimates.\n- Do not push anything.\n\n" + strings.Repeat("Each check reads one file and says what it found there. ", 8)
	s := session().User("run the checkup of my setup").Prompt("machine", document).Read(root + "/settings.json")
	var told []string
	for _, c := range fold(s).Constraints {
		told = append(told, c.Text)
	}
	if want := `rules of the command: "Propose, then apply, and never the reverse."`; len(told) != 2 || told[0] != want || !strings.Contains(told[1], "Do not push anything") {
		t.Errorf("told: %q", told)
	}
	other := session().User("run the checkup of my setup").Prompt("injected", document).Read(root + "/settings.json")
	if got := fold(other).Constraints; len(got) != 0 {
		t.Errorf("what another agent says is no command: %+v", got)
	}
	s.Agent("The setup is sound.").User("Write a parser for the invoices of the new supplier, with totals, taxes and currencies")
	if got := fold(s).Constraints; len(got) != 0 {
		t.Errorf("another topic still has %+v", got)
	}
}

// The state's name in a message is no state, and nothing waits for it.
func TestQuestions_ANameInCodeIsNoState(t *testing.T) {
	s := session().User("Rebase the branch").Shell("git push -f", 0, "").
		Agent("`MERGEABLE` now. (`BLOCKED` is just the draft status of `main`, no conflict.)")
	if got := fold(s).Questions; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

// The list of a long request is told whole, by how its entries begin.
func TestTask_AllEntriesOfALongList(t *testing.T) {
	entry := " — this is told at great length, with everything that anybody could ever want to know about it before the work begins, and more"
	s := session().User("Do all of these:\n1. **Stable ids**" + entry + "\n2. Refuse refs that begin with a dash" + entry + "\n3. Say why a mint failed" + entry +
		"\n4. One layer for the routes" + entry + "\n5. Count the retries of the broker" + entry + "\n6. A signal of its own for mismatches" + entry).Read(root + "/a.go")
	task := fold(s).Task.Text
	for _, want := range []string{"Stable ids 2.", "begin with a dash", "mint failed", "layer for the routes", "retries of the broker", "6. A signal of its own"} {
		if !strings.Contains(task, want) {
			t.Errorf("%q is missing in %q", want, task)
		}
	}
}

// Files of another checkout count where nothing of the project was opened: the work is there.
func TestFiles_OfAnotherCheckout(t *testing.T) {
	s := session().User("Read the broker and the routes in the other worktree").Read("/work/other/src/broker.rs").Read("/work/other/src/routes.rs")
	if got := fold(s).Files; len(got) != 2 {
		t.Errorf("got %+v", got)
	}
}

// The id of a commit of which git printed nothing is what git push says the branch moved to.
func TestCommits_TheIDThatWasPushed(t *testing.T) {
	for name, line := range map[string]string{"a push": "   40be882..af7e53d  fix -> fix", "by force": " + d2dc12b...af7e53d fix -> fix (forced update)"} {
		s := session().User("Commit and push").Edit(root+"/a.go").Shell("git commit -q -m 'Trim the comment'", 0, "").Shell("git push -f origin fix", 0, "To host:x\n"+line+"\n")
		if got := fold(s).Git.Commits; len(got) != 1 || got[0] != "af7e53d Trim the comment" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The pull request that gh shows of the branch is what the work is about; those its text speaks of are not.
func TestReferences_ThePullRequestOfTheBranch(t *testing.T) {
	s := session().User("Review this branch").Shell("gh pr view --json body,url", 0, `{"body":"Follows https://github.com/o/shop/pull/7","url":"https://github.com/o/shop/pull/9"}`)
	if got := fold(s).References; len(got) != 1 || !strings.Contains(got[0].Text, "/pull/9") {
		t.Errorf("got %+v", got)
	}
}

// So do those of a folder that the request names.
func TestFiles_OfAFolderThatTheRequestNames(t *testing.T) {
	s := session().User("Add a release to @../tap-of-brew/ for the tool").Read(root + "/go.mod").Read("/work/tap-of-brew/Casks/tool.rb").Read("/work/other/notes.md")
	got := fold(s).Files
	if len(got) != 2 || got[0].Path != "/work/tap-of-brew/Casks/tool.rb" {
		t.Errorf("got %+v", got)
	}
}

// Marks that stand here and there in what a program shows are no list of the person's.
func TestTask_AScreenIsNoList(t *testing.T) {
	row := "- [ NEW ] the row of a session that somebody named at great length, with all that it was ever asked, for the list to show it whole\n> v a row that is folded, of another session, with a title that is hardly any shorter than the one above it, and goes on\n"
	s := session().User("The first row is so long that nothing else is shown, can it be cut?\n" + strings.Repeat(row, 3) + "The count of steps has to stay in any case.").Read(root + "/a.go")
	if task := fold(s).Task.Text; !strings.HasSuffix(task, "The count of steps has to stay in any case.") {
		t.Errorf("got %q", task)
	}
}

// A commit that a reset took back is none of this session's any more.
func TestCommits_NoneThatAResetTookBack(t *testing.T) {
	for name, tt := range map[string]struct{ command, output, head string }{
		"to where git says":   {"git reset --hard HEAD~1", "HEAD is now at 1111111 Trim", "1111111"},
		"so many of them":     {"git reset --soft HEAD~1", "", ""},
		"by the id of it":     {"git reset --hard 1111111", "HEAD is now at 1111111 Trim", "1111111"},
		"with another marker": {"git reset HEAD^", "Unstaged changes after reset:\nM\ta.go", ""},
	} {
		s := session().User("Trim it, then undo the last").Edit(root+"/a.go").Shell("git commit -am Trim", 0, "[main 1111111] Trim").
			Edit(root+"/a.go").Shell("git commit -am Again", 0, "[main 2222222] Again").Shell(tt.command, 0, tt.output)
		if got := fold(s).Git; len(got.Commits) != 1 || got.Commits[0] != "1111111 Trim" || got.Head != tt.head {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What the person rules out by naming it is a constraint; a refusal is none.
func TestConstraints_WhatIsRuledOut(t *testing.T) {
	for text, want := range map[string]bool{
		"Read the crates and list them. No project-wide commands.": true, "Lies die Pakete. Keine neuen Abhängigkeiten.": true,
		"No it is the other crate that I meant, read it first.": false, "Read the crates and list them. No problem.": false,
	} {
		s := session().User(text).Read(root + "/a.rs").Agent("There are nine of them.").User("Now count the lines of each of these as well").Read(root + "/b.rs")
		if got := fold(s).Constraints; len(got) > 0 != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestConstraints_WhatEachCallSetsFirst holds that a part of the environment which the calls
// set again and again is something the next agent has to set too.
func TestConstraints_WhatEachCallSetsFirst(t *testing.T) {
	s := session().User("Attach the session of the shop")
	for _, command := range []string{"shop --help", "shop list", "shop attach 7"} {
		if f := fold(s); tells(f.Constraints, "sets this first") {
			t.Errorf("before it was seen three times: %+v", f.Constraints)
		}
		s.Shell(`$env:Path += ";C:\bin"; `+command, 0, "ok")
	}
	if f := fold(s); !tells(f.Constraints, "each call sets this first: `$env:Path += \";C:\\bin\"`") {
		t.Errorf("constraints %+v", f.Constraints)
	}
}

// A prompt that is one demand is the request; what is not to be done is of this once, what is
// never to be done stays.
func TestConstraints_OfTheRequestAndForGood(t *testing.T) {
	s := session().User("Ensure that reading the settings fails where a key is not known.").Edit(root + "/settings.go").Agent("It fails now.").
		User("Format the manual. Do not change any word of it.").Edit(root + "/manual.md").Agent("Formatted.").
		User("Add the third language. Never touch the pricing table.").Edit(root + "/lang.go").Agent("Added.").
		User("Show the languages in the menu.").Edit(root + "/menu.go").Agent("Shown.")
	told := func() string {
		var list []string
		for _, c := range fold(s).Constraints {
			list = append(list, c.Text)
		}
		return strings.Join(list, "\n")
	}
	if got := told(); strings.Contains(got, "Ensure that") || !strings.Contains(got, "any word") || !strings.Contains(got, "pricing table") {
		t.Errorf("told: %s", got)
	}
	for range 7 {
		s.User("And the next file of the folder, with its test beside it.").Edit(root + "/next.go").Agent("Done with it.")
	}
	if got := told(); strings.Contains(got, "any word") || !strings.Contains(got, "pricing table") {
		t.Errorf("later: %s", got)
	}
}
