package shell

import (
	"slices"
	"strings"
)

// Quiet programs neither fail nor succeed in a way worth telling.
var Quiet = setOf("cd chmod touch echo printf export source . set pwd true sleep mkdir clear wait exit local return then do done fi if for while else esac case unset alias trap shift read break continue pushd popd ulimit umask")

// Probes are commands whose failing answers a question.
var Probes = setOf("grep rg egrep fgrep ag ack test [ [[ diff cmp which type command ls find fd pgrep pkill lsof stat cat head tail sed awk wc file tree cut sort uniq xargs nl less bat whereis readlink realpath basename dirname env printenv date whoami hostname uname id du df ps column tr")

// withSubcommands are the programs whose first word says what they do.
var withSubcommands = setOf("git darwin-rebuild nixos-rebuild home-manager cue go cargo gh docker podman kubectl dotnet make gmake just task mvn mvnw gradle gradlew bundle rails rake pip pip3 brew terraform tofu deno bun swift mix composer php hk tox nox " +
	"helm nix bazel zig flutter dart meson ng vite next astro prisma ruff biome cmake sbt stack cabal dune jj hg svn glab")

// taskRunners have scripts of the project behind their subcommand.
var taskRunners = setOf("npm pnpm yarn mise rush nx turbo lerna poe hatch moon")

// flagged are the flags before a subcommand that have a value.
var flagged = setOf("-C -f --prefix --filter -F --dir --cwd --directory --manifest-path --file -c --project-name --git-dir --work-tree -w --workspace")

// shells run a script that is given to them.
var shells = setOf("sh bash zsh dash ksh fish pwsh powershell")

// Words are the arguments of a command that are no flags, nor the values of
// those that stand before its subcommand.
func Words(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	rest := SkipFlags(argv[1:], flagged)
	if Program(argv) == "cargo" && len(rest) > 0 && strings.HasPrefix(rest[0], "+") {
		rest = SkipFlags(rest[1:], flagged)
	}
	if Program(argv) == "yarn" && len(rest) > 2 && rest[0] == "workspace" {
		rest = rest[2:]
	}
	return rest
}

// sets says that a line of PowerShell sets a variable, or is no more than a text that it prints.
func sets(argv []string) bool {
	return len(argv) > 1 && strings.HasPrefix(argv[0], "$") && strings.HasSuffix(argv[1], "=") || len(argv) == 1 && strings.Contains(argv[0], " ")
}

// Family names what a simple command does, so that two spellings of one thing
// are seen as the same: program, and subcommand where the program has them.
func Family(argv []string) string {
	argv = Unwrap(argv)
	if len(argv) == 0 || sets(argv) {
		return ""
	}
	prog := Program(argv)
	rest := Words(argv)
	switch {
	case withSubcommands[prog]:
		if len(rest) > 0 {
			return prog + " " + rest[0]
		}
	case taskRunners[prog]:
		for len(rest) > 1 && (rest[0] == "run" || rest[0] == "r" || rest[0] == "run-script" || rest[0] == "task") {
			rest = SkipFlags(rest[1:], flagged)
		}
		if len(rest) > 0 {
			return prog + " " + rest[0]
		}
	case prog == "python", prog == "python3", prog == "py":
		if len(argv) > 2 && argv[1] == "-m" {
			return argv[2]
		}
		if len(rest) > 0 && strings.HasSuffix(rest[0], ".py") {
			return "python " + Program(rest[:1])
		}
		return "python"
	case shells[prog] && len(rest) > 0: // run by its name or through a shell, it is the same script
		return Program(rest[:1])
	case prog == "node":
		if len(argv) > 1 && argv[1] == "--test" {
			return "node --test"
		}
		if len(rest) > 0 {
			return "node " + Program(rest[:1])
		}
	}
	return prog
}

// filterFlags choose tests by name; their value is no target.
var filterFlags = setOf("-t -run --run -k --grep -g --filter --testNamePattern --test-name-pattern -m --name -n --test")

// outputFlags say where the result goes; their value is no target.
var outputFlags = setOf("-o --output --out --out-dir --outfile --outdir --target-dir")

// FilterMark begins a filter among the targets.
const FilterMark = "filter "

// Targets are the arguments of a command that are neither flags nor part of
// its family: what a test run or a build was asked to look at.
func Targets(argv []string) []string {
	fam := strings.Fields(Family(argv))
	var out []string
	words := Unwrap(argv)
	for i, w := range words {
		if i > 0 && filterFlags[words[i-1]] {
			out = slices.Insert(out, 0, FilterMark+w)
			continue
		}
		if i > 0 && outputFlags[words[i-1]] {
			continue
		}
		if i == 0 || strings.HasPrefix(w, "-") || (len(fam) > 1 && w == fam[1]) || w == "run" || w == "-m" || len(fam) > 0 && w == fam[0] {
			continue
		}
		out = append(out, w)
	}
	return out
}

// splitFirst splits a shell text behind its first command, outside of quotes.
func splitFirst(text string) (first, rest string, ok bool) {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '\n' || c == ';':
			return strings.TrimSpace(text[:i]), text[i+1:], true
		case c == '&' && strings.HasPrefix(text[i:], "&&"):
			return strings.TrimSpace(text[:i]), text[i+2:], true
		}
	}
	return text, "", false
}

// Key is a shell text without what does not change what it does: the change of
// directory before it, pagers after it, white space.
func Key(text string) string {
	key := Shown(text)
	for _, tail := range []string{" | tail", " | head"} {
		if i := strings.LastIndex(key, tail); i > 0 {
			key = key[:i]
		}
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(key), "2>&1"))
}

// Shown is a shell text on one line, without the change of directory, or of PowerShell's
// environment, before it.
func Shown(text string) string {
	text = strings.TrimSpace(WithoutHereDocs(text))
	for range 3 {
		first, rest, ok := splitFirst(text)
		if !ok || strings.TrimSpace(rest) == "" || !preparing(first) {
			break
		}
		text = strings.TrimSpace(rest)
	}
	return strings.Join(strings.Fields(text), " ")
}

// preparing says that a command only says where, when, and with what in its environment, the
// next one runs, or heads what that prints.
func preparing(command string) bool {
	program, _, _ := strings.Cut(command, " ")
	switch program {
	case "cd", "Set-Location", "sleep", "mkdir", "touch":
		return true
	case "echo":
		return !strings.Contains(command, ">") // else it writes a file
	}
	return strings.HasPrefix(program, "$env:")
}

// Environment is the first of the commands before what a shell text does that sets a variable
// of its environment, "" for none.
func Environment(text string) string {
	text = strings.TrimSpace(text)
	for range 3 {
		first, rest, ok := splitFirst(text)
		if !ok || strings.TrimSpace(rest) == "" {
			return ""
		}
		program, args, _ := strings.Cut(first, " ")
		if strings.HasPrefix(program, "$env:") || program == "export" && strings.Contains(args, "=") {
			return strings.Join(strings.Fields(first), " ")
		}
		if !preparing(first) {
			return ""
		}
		text = strings.TrimSpace(rest)
	}
	return ""
}
