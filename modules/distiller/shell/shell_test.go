package shell_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/shell"
)

func TestCommands_HiddenStatus(t *testing.T) {
	tests := map[string]string{ // programs whose status does not show
		"a && b":                        "",
		"a | b":                         "a",
		"a && b | c":                    "b",
		"a; b":                          "a",
		"a || true":                     "a",
		"a || exit 1":                   "",
		"set -e; a; b":                  "",
		"set -o pipefail; a | b":        "set",
		"a & b":                         "a",
		"if a; then b; fi":              "a b",
		"(a && b) | c":                  "a b",
		"bash -c 'a | b'":               "a",
		"bash -c 'a' | b":               "a",
		"a > out.txt 2>&1; echo $?":     "a",
		"a; rc=$?; echo done; exit $rc": "",
	}
	for text, want := range tests {
		var hidden []string
		for _, c := range shell.Commands(text) {
			if c.Hidden && len(c.Argv) > 0 && c.Argv[0] != "echo" {
				hidden = append(hidden, c.Argv[0])
			}
		}
		if got := strings.Join(hidden, " "); got != want {
			t.Errorf("%s: hidden %q, want %q", text, got, want)
		}
	}
}

func TestUnwrap_FindsTheProgram(t *testing.T) {
	tests := map[string]string{
		"sudo -u app go test":                       "go test",
		"env A=b C=d timeout -s KILL 30s pytest":    "pytest",
		"uv run --with x pytest -q":                 "pytest -q",
		"poetry run mypy .":                         "mypy .",
		"bundle exec rspec":                         "rspec",
		"npx -y eslint@9 .":                         "eslint .",
		"pnpm dlx biome check":                      "biome check",
		"pnpm run lint":                             "pnpm run lint",
		"docker compose -f a.yml exec -T web npm t": "npm t",
		"docker run --rm -v a:b image make":         "make",
		"docker compose up -d":                      "docker compose up -d",
		"mise exec node@22 -- node a.js":            "node a.js",
		"mise run test -- -run A":                   "mise run test -- -run A",
		"nix develop .#ci -c cargo test":            "cargo test",
		"kubectl exec -it pod -- ls":                "ls",
		"command -v go":                             "command -v go",
	}
	for text, want := range tests {
		if got := strings.Join(shell.Unwrap(strings.Fields(text)), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestCommands_KeepTheirText(t *testing.T) {
	tests := map[string]string{
		`cd a && DB="x y" cargo check 2>&1 | tail -5`: `DB="x y" cargo check`,
		"make test >/dev/null 2>&1; echo $?":          "make test",
		"(cd a; go vet ./...)":                        "go vet ./...",
	}
	for text, want := range tests {
		found := false
		for _, c := range shell.Commands(text) {
			found = found || c.Text == want
		}
		if !found {
			t.Errorf("%s: no command %q in %+v", text, want, shell.Commands(text))
		}
	}
}

func FuzzCommands(f *testing.F) {
	f.Add("a && (b | c) ; bash -c 'd; e' <<EOF\nf\nEOF")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range shell.Commands(text) {
			shell.Family(c.Argv)
			shell.Targets(c.Argv)
		}
		shell.Echoes(shell.Commands(text))
	})
}

func TestShown_LeavesOutWhatOnlyPrepares(t *testing.T) {
	for text, want := range map[string][2]string{
		`$env:Path += ";C:\bin"; Set-Location "C:\shop"; shop attach 7`: {"shop attach 7", `$env:Path += ";C:\bin"`},
		"cd /shop && export TOKEN=x && make test":                       {"export TOKEN=x && make test", "export TOKEN=x"},
		`sleep 2 && echo "== tests" && make test`:                       {"make test", ""},
		`echo "" >> a.py && ruff check a.py`:                            {`echo "" >> a.py && ruff check a.py`, ""},
		"make test; echo done":                                          {"make test; echo done", ""},
		`$env:Path += ";C:\bin"`:                                        {`$env:Path += ";C:\bin"`, ""},
	} {
		if got := [2]string{shell.Shown(text), shell.Environment(text)}; got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// Where a build puts its result is no target: it builds the same.
func TestTargets_WithoutTheOutput(t *testing.T) {
	for command, want := range map[string]string{
		"go build -o shop main.go":      "main.go",
		"go build -o shop":              "",
		"esbuild a.ts --outfile b.js":   "a.ts",
		"go test -run Total ./cart":     shell.FilterMark + "Total ./cart",
		"cargo build --target-dir /tmp": "",
	} {
		if got := strings.Join(shell.Targets(strings.Fields(command)), " "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
