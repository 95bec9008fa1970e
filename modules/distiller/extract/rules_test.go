package extract_test

import (
	"strings"
	"testing"
)

// Of the rules of a context file those are told that say what few others say, and how to
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
