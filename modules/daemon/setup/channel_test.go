package setup_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/setup"
)

func TestTheUpgradeIsThatOfTheChannel(t *testing.T) {
	user, tree := t.TempDir(), t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("GOBIN", "")
	t.Setenv("GOPATH", "")
	if err := os.WriteFile(filepath.Join(tree, "go.work"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{
		"/opt/homebrew/Cellar/carryover/1.2.0/bin/carryover":                                           "`brew upgrade carryover`",
		"/home/linuxbrew/.linuxbrew/Cellar/carryover/1.2.0/bin/carryover":                              "`brew upgrade carryover`",
		"/usr/lib/node_modules/carryover/bin/carryover":                                                "`npm install -g carryover@latest`",
		"/usr/lib/node_modules/@owner/carryover/node_modules/@owner/carryover-linux-x64/bin/carryover": "`npm install -g @owner/carryover@latest`",
		"/nix/store/0c1k-carryover-1.2.0/bin/carryover":                                                "`nix profile upgrade carryover`",
		filepath.Join(user, "go", "bin", "carryover"):                                                  "`go install github.com/carryover-go/carryover/cmd/...@latest`",
		filepath.Join(tree, "bin", "carryover"):                                                        "`git pull && make build` in " + tree,
		"/opt/carryover/carryover":                                                                     "unpack the newest release over /opt/carryover",
	} {
		if got := setup.Upgrade(program); got != want {
			t.Errorf("%s is upgraded by %s, want %s", program, got, want)
		}
	}
}
