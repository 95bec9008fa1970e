package config_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/config"
)

var update = flag.Bool("update", false, "write docs/config.md again")

const page = "../../../docs/config.md"

func TestSettings_AreDocumented(t *testing.T) {
	want := document()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil || string(got) != want {
		t.Errorf("docs/config.md is not what the settings say (%v): run `go test ./config -update` in modules/daemon", err)
	}
}

func document() string {
	var b strings.Builder
	b.WriteString("# Settings\n\n<!-- Made from modules/daemon/config by `go test ./config -update`. -->\n\n" +
		"Settings are kept in `~/.carryover/config.toml`. `carryover config` lists them, `carryover config KEY VALUE` changes\n" +
		"one. An environment variable overrides the file; the daemon reads the environment it was started with. Restart the\n" +
		"daemon to apply changes: `carryover daemon restart`.\n\n" +
		"| setting | default | values | meaning | variable |\n|---|---|---|---|---|\n")
	for _, s := range config.Settings() {
		values := s.Value
		if len(s.OneOf) > 0 {
			values = "`" + strings.Join(s.OneOf, "`, `") + "`"
		}
		standard := ""
		if s.Default != "" {
			standard = "`" + s.Default + "`"
		}
		doc := quotes.Replace(s.Doc)
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | `%s` |\n", s.Key, standard, values, doc, s.Variable())
	}
	b.WriteString("\nA key with a dot is in a table of the file: `log.level` is `level` below `[log]`.\n\n## In a project\n\n" +
		"A repository may set these for itself in `.carryover.toml` in its root, and nothing else:\n\n")
	for _, s := range config.Settings() {
		if s.Project {
			fmt.Fprintf(&b, "- `%s`\n", s.Key)
		}
	}
	return b.String()
}

// quotes shows the words between single quotes as code.
var quotes = strings.NewReplacer(" '", " `", "' ", "` ", "',", "`,", "';", "`;")
