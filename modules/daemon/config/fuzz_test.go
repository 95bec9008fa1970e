package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
)

// FuzzLoad reads whatever stands in config.toml, and FuzzForProject what a repository
// brings: a choice that is taken has a value that can be shown and set again.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"listen = \"127.0.0.1:1\"\nexclude = [\"~/x\"]\n", "[retention]\nsessions = \"30d\"\n", "resume = 7", "stale_after = \"-1h\"", "fullness = 3", "[fullness]\nnotice = 1e9", "a = \"\x00\"",
		"exclude = [[[[[[1]]]]]]", "\ufeffresume = \"ask\"",
	} {
		f.Add(seed)
	}
	dir := home.Dir(f.TempDir())
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(dir.Config(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		choices, err := config.Load(dir)
		if err != nil && choices.StaleAfter <= 0 {
			t.Errorf("%v leaves no choices", err)
		}
		if values := config.Values(choices); len(values) == 0 {
			t.Error("no choices are shown")
		}
	})
}

func FuzzForProject(f *testing.F) {
	for _, seed := range []string{"resume = \"silent\"\n", "exclude = true", "exclude = [\"..\", \"/\", \"a/../../b\"]", "listen = \"0.0.0.0:1\"", "pointer = []", "[resume]"} {
		f.Add(seed)
	}
	project := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(filepath.Join(project, ".carryover.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		before := config.Default()
		after, _ := before.ForProject(project)
		if after.Listen != before.Listen || after.StaleAfter != before.StaleAfter || after.KeepSessions != before.KeepSessions {
			t.Errorf("a repository chose %+v", after)
		}
	})
}
