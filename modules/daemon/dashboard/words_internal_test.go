package dashboard

import "testing"

func TestSwitchCommands_OffersAnotherToolFirst(t *testing.T) {
	got := switchCommands([]string{"claude-code", "codex"}, "claude-code", "/work/it's here")
	want := []string{
		`carryover switch codex --exec --project '/work/it'\''s here'`,
		`carryover switch claude-code --exec --project '/work/it'\''s here'`,
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%q", got)
	}
	if none := switchCommands(nil, "aider", "/work"); none != nil {
		t.Errorf("%q", none)
	}
}
