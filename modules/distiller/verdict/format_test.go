package verdict_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// A formatter that writes proves nothing, however it ends; CheckOf knows it by its family still.
func TestProves_AFormatterOnlyWhereItChecks(t *testing.T) {
	checks := []string{
		"cargo fmt --check", "cargo fmt --all -- --check", "rustfmt --check a.rs", "prettier --check .", "npx prettier -c src", "prettier --list-different .",
		"gofmt -l .", "gofmt -d a.go", "gofumpt -l .", "shfmt -d -i 2 a.sh", "ruff format --check", "ruff format --diff .", "black --check --diff .", "python -m black --check .",
		"mix format --check-formatted", "dotnet format --verify-no-changes", "swiftformat --lint .", "clang-format -n --Werror a.c", "terraform fmt -check -recursive",
		"dart format --set-exit-if-changed .", "dart format -o none .", "deno fmt --check", "treefmt --fail-on-change", "biome format .", "dprint check", "ormolu --mode check a.hs",
		"golangci-lint fmt --diff", "npm run format -- --check", "isort -c .", "google-java-format --set-exit-if-changed A.java",
	}
	writes := []string{
		"cargo fmt", "cargo fmt --all", "go fmt ./...", "gofmt -w .", "gofmt -l -w .", "prettier --write .", "prettier --check --write .", "ruff format", "black .", "python3 -m black src",
		"mix format", "dotnet format", "swiftformat .", "clang-format -i a.c", "clang-format -n a.c", "terraform fmt -diff", "dart format lib", "deno fmt", "treefmt", "biome format --write .", "dprint fmt",
		"shfmt -i 2 -w a.sh", "golangci-lint fmt", "make -C dir fmt", "npm run format", "mise run format", "isort .", "black --line-length 100 -l 100 .",
	}
	proves := func(command string) verdict.Check { return verdict.Proves(shell.Commands(command)[0].Argv) }
	for _, command := range checks {
		if got := proves(command); got != verdict.Format {
			t.Errorf("%s: proves %q, want format", command, got)
		}
	}
	for _, command := range writes {
		if got, family := proves(command), verdict.CheckOf(shell.Commands(command)[0].Argv); got != "" || family != verdict.Format {
			t.Errorf("%s: proves %q, is %q, want a formatter that proves nothing", command, got, family)
		}
	}
	for command, want := range map[string]verdict.Check{"npm run format:check": verdict.Lint, "golangci-lint run": verdict.Lint, "golangci-lint": verdict.Lint, "golangci-lint version": "", "ruff check --fix .": verdict.Lint} {
		if got := proves(command); got != want {
			t.Errorf("%s: proves %q, want %q", command, got, want)
		}
	}
}

func TestVerdict_OfFormatters(t *testing.T) {
	const change = "diff a.go.orig a.go\n--- a.go.orig\n+++ a.go\n@@ -1,2 +1,2 @@\n-a  := 1\n+a := 1"
	tests := []struct {
		command, output string
		exit            int
		check           verdict.Check
		want            verdict.Kind
	}{
		{"cargo fmt", "", 0, "", verdict.Passed},
		{"cargo fmt", "error: cannot find `Cargo.toml`", 1, "", verdict.Failed},
		{"cargo fmt && cargo test", "test result: ok. 3 passed; 0 failed", 0, verdict.Test, verdict.Passed},
		{"cargo fmt --check", "Diff in /p/src/a.rs:3:", 1, verdict.Format, verdict.Failed},
		{"cargo fmt; cargo clippy | tail", "    Finished `dev` profile [unoptimized] target(s) in 0.3s", 0, verdict.Lint, verdict.Passed},
		{"gofmt -d a.go", change, 0, verdict.Format, verdict.Failed},
		{"gofmt -d a.go | head -40", change, 0, verdict.Format, verdict.Failed},
		{"gofmt -l a.go; git diff", change, 0, verdict.Format, verdict.Unseen},
		{"gofmt -d a.go", "", 0, verdict.Format, verdict.Passed},
	}
	for _, tt := range tests {
		if v := of(tt.command, tt.output, tt.exit); v.Kind != tt.want || v.Check != tt.check {
			t.Errorf("%s → %q: %s of %q, want %s of %q", tt.command, strings.SplitN(tt.output, "\n", 2)[0], v.Kind, v.Check, tt.want, tt.check)
		}
	}
}
