package verdict

import (
	"slices"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// Check is what a command examines; "" for one that examines nothing.
type Check string

// The kinds of checks.
const (
	Test   Check = "test"
	Build  Check = "build"
	Lint   Check = "lint"
	Types  Check = "types"
	Format Check = "format"
)

// order says which check of several in one command counts.
var order = []Check{Test, Build, Types, Lint, Format}

// programs are the tools that do one kind of check.
var programs = kinds(map[Check]string{
	Test: "pytest py.test unittest nosetests nose2 jest vitest mocha ava tap tape karma cypress rspec minitest cucumber phpunit paratest pest codecept behat ctest gotestsum " +
		"tox nox bats busted behave robot playwright playwright-test testem ginkgo xctest prove testcafe wdio detox maestro k6 newman doctest sbatch-test",
	Build: "gcc g++ cc c++ clang clang++ javac kotlinc scalac rustc swiftc ghc dmd ldc2 ninja samu make gmake rollup webpack esbuild tsup parcel tsdown unbuild microbundle swc babel " +
		"xcodebuild nix-build hugo mkdocs sphinx-build mdbook ant bazel bazelisk buck buck2 pants elm protoc buf scons waf ld compileall py_compile pyinstaller cython maturin goreleaser nvcc",
	Lint: "eslint biome oxlint xo standard stylelint markdownlint markdownlint-cli2 golangci-lint staticcheck revive errcheck ruff flake8 pylint pycodestyle pydocstyle bandit vulture " +
		"rubocop standardrb reek brakeman phpcs phpmd shellcheck hadolint actionlint yamllint ansible-lint ktlint detekt checkstyle swiftlint clang-tidy cppcheck tflint checkov " +
		"luacheck selene sqlfluff vale cspell codespell typos commitlint knip depcheck pre-commit prek lefthook zizmor statix deadnix clj-kondo credo textlint htmlhint jshint ultracite djlint semgrep gosec govulncheck",
	Types:  "tsc vue-tsc mypy dmypy pyright basedpyright pyre pytype ty pyrefly flow svelte-check phpstan psalm srb attw arktype dialyzer",
	Format: "prettier dprint gofmt goimports gofumpt gci rustfmt black isort clang-format shfmt stylua ormolu fourmolu taplo nixfmt alejandra oxfmt yapf autopep8 google-java-format swiftformat treefmt pint",
})

// verbs are the subcommands of programs that have several.
var verbs = map[string]map[string]Check{
	"go":             kinds(map[Check]string{Test: "test", Build: "build install", Lint: "vet", Format: "fmt"}),
	"cargo":          kinds(map[Check]string{Test: "test t nextest llvm-cov tarpaulin miri", Build: "build b check c doc rustc", Lint: "clippy deny audit machete", Format: "fmt"}),
	"dotnet":         kinds(map[Check]string{Test: "test", Build: "build publish pack msbuild", Format: "format"}),
	"swift":          kinds(map[Check]string{Test: "test", Build: "build"}),
	"zig":            kinds(map[Check]string{Test: "test", Build: "build build-exe build-lib", Format: "fmt"}),
	"mix":            kinds(map[Check]string{Test: "test", Build: "compile", Lint: "credo", Types: "dialyzer", Format: "format"}),
	"flutter":        kinds(map[Check]string{Test: "test", Build: "build", Lint: "analyze"}),
	"dart":           kinds(map[Check]string{Test: "test", Build: "compile", Lint: "analyze", Format: "format"}),
	"deno":           kinds(map[Check]string{Test: "test", Build: "compile bundle", Lint: "lint", Types: "check", Format: "fmt"}),
	"bun":            kinds(map[Check]string{Test: "test", Build: "build"}),
	"bazel":          kinds(map[Check]string{Test: "test coverage"}),
	"meson":          kinds(map[Check]string{Test: "test", Build: "compile setup"}),
	"terraform":      kinds(map[Check]string{Lint: "validate", Build: "plan", Format: "fmt"}),
	"tofu":           kinds(map[Check]string{Lint: "validate", Build: "plan", Format: "fmt"}),
	"helm":           kinds(map[Check]string{Lint: "lint", Build: "template"}),
	"nix":            kinds(map[Check]string{Test: "flake", Build: "build", Format: "fmt"}),
	"cue":            kinds(map[Check]string{Lint: "vet", Build: "eval export", Format: "fmt"}),
	"home-manager":   kinds(map[Check]string{Build: "switch build"}),
	"nixos-rebuild":  kinds(map[Check]string{Build: "switch build test boot dry-build"}),
	"darwin-rebuild": kinds(map[Check]string{Build: "switch build check"}),
	"docker":         kinds(map[Check]string{Build: "build buildx bake"}),
	"podman":         kinds(map[Check]string{Build: "build"}),
	"stack":          kinds(map[Check]string{Test: "test", Build: "build"}),
	"cabal":          kinds(map[Check]string{Test: "test", Build: "build v2-build"}),
	"dune":           kinds(map[Check]string{Test: "test runtest", Build: "build"}),
	"sbt":            kinds(map[Check]string{Test: "test", Build: "compile"}),
	"lein":           kinds(map[Check]string{Test: "test", Build: "compile uberjar"}),
	"rebar3":         kinds(map[Check]string{Test: "eunit ct", Build: "compile", Types: "dialyzer"}),
	"rails":          kinds(map[Check]string{Test: "test test:system", Lint: "zeitwerk:check"}),
	"ng":             kinds(map[Check]string{Test: "test e2e", Build: "build", Lint: "lint"}),
	"vite":           kinds(map[Check]string{Build: "build"}),
	"next":           kinds(map[Check]string{Build: "build", Lint: "lint"}),
	"astro":          kinds(map[Check]string{Build: "build", Types: "check"}),
	"nuxt":           kinds(map[Check]string{Build: "build", Types: "typecheck"}),
	"expo":           kinds(map[Check]string{Build: "export", Lint: "lint"}),
	"ruff":           kinds(map[Check]string{Lint: "check", Format: "format"}),
	"biome":          kinds(map[Check]string{Lint: "check lint ci", Format: "format"}),
	"prisma":         kinds(map[Check]string{Build: "generate", Lint: "validate"}),
	"playwright":     kinds(map[Check]string{Test: "test"}),
	"cypress":        kinds(map[Check]string{Test: "run"}),
	"packer":         kinds(map[Check]string{Lint: "validate", Build: "build"}),
	"buf":            kinds(map[Check]string{Lint: "lint breaking", Build: "build generate", Format: "format"}),
	"forge":          kinds(map[Check]string{Test: "test", Build: "build", Format: "fmt"}),
	"wasm-pack":      kinds(map[Check]string{Test: "test", Build: "build"}),
	"golangci-lint":  kinds(map[Check]string{Format: "fmt"}),
	"hatch":          kinds(map[Check]string{Test: "test", Build: "build", Format: "fmt"}),
	"artisan":        kinds(map[Check]string{Test: "test"}),
	"manage.py":      kinds(map[Check]string{Test: "test", Lint: "check"}),
	"xcodebuild":     kinds(map[Check]string{Test: "test test-without-building"}),
	"uv":             kinds(map[Check]string{Build: "build", Format: "format"}),
	"poetry":         kinds(map[Check]string{Build: "build", Lint: "check"}),
	"npm":            kinds(map[Check]string{Test: "t"}),
	"yarn":           kinds(map[Check]string{Test: "t"}),
	"pnpm":           kinds(map[Check]string{Test: "t"}),
}

// withDefault are those among them that check without a subcommand too.
var withDefault = setOf("ruff biome xcodebuild bazel buf golangci-lint")

// runners run a task of the project that its own name describes.
var runners = kinds(map[Check]string{Test: "npm pnpm yarn bun make gmake just task go-task mise rtx rake nx turbo lerna composer rush moon mage poe pdm hatch hk deno gulp grunt invoke inv doit " +
	"earthly dagger gradle gradlew mvn mvnw sbt nox tox lake xtask wireit vp pixi ant"})

// taskWords are what the parts of a task's name say of it.
var taskWords = kinds(map[Check]string{
	Test:   "test tests testing spec specs e2e unit integration coverage smoke tested",
	Build:  "build builds compile bundle dist assemble package all compiler classes",
	Types:  "typecheck types type tsc typescript mypy pyright typing",
	Lint:   "lint lints linting check checks vet clippy verify validate ci style quality eslint ruff audit detekt ktlint analyze precommit fix",
	Format: "fmt format formatting prettier spotless",
})

func kinds(words map[Check]string) map[string]Check {
	out := map[string]Check{}
	for check, list := range words {
		for w := range strings.FieldsSeq(list) {
			out[w] = check
		}
	}
	return out
}

// CheckOf says what a simple command, or a family of them, is to examine. Of a family no flags
// are known, so that a formatter is Format here whether it checks or writes: see Proves.
func CheckOf(argv []string) Check {
	check, _ := kindOf(argv)
	return check
}

// ChecksIn are the places of the commands that examine something, formatters that write among
// them.
func ChecksIn(commands []shell.Command) []int { return placesOf(commands, CheckOf) }

func placesOf(commands []shell.Command, check func(argv []string) Check) []int {
	var out []int
	for i, c := range commands {
		if check(c.Argv) != "" {
			out = append(out, i)
		}
	}
	return out
}

// kindOf is the kind of a simple command, and whether it is a formatter that writes.
func kindOf(argv []string) (check Check, writes bool) {
	argv = shell.Unwrap(argv)
	if len(argv) == 0 || slices.ContainsFunc(argv[1:], func(w string) bool { return w == "--version" || w == "--help" || w == "-h" || w == "-version" }) {
		return "", false
	}
	prog, words := shell.Program(argv), shell.Words(argv)
	switch prog {
	case "python", "python3", "py", "php", "ruby", "node", "perl", "tsx", "ts-node":
		return interpreted(prog, argv)
	}
	check = namedCheck(prog, argv, words)
	return check, check == Format && rewrites(prog, argv, words)
}

// namedCheck is what the names of a program and of its subcommand or task say.
func namedCheck(prog string, argv, words []string) Check {
	switch prog {
	case "golangci-lint":
		if len(words) > 0 && slices.Contains([]string{"version", "help", "linters", "config", "cache", "formatters"}, words[0]) {
			return ""
		}
	case "cmake":
		if slices.Contains(argv, "--build") {
			return Build
		}
		return ""
	}
	if known := verbs[prog]; known != nil && len(words) > 0 {
		if check := known[words[0]]; check != "" {
			return check
		}
	}
	if runners[prog] != "" {
		return taskCheck(prog, words)
	}
	if verbs[prog] != nil && !withDefault[prog] {
		return ""
	}
	return programs[prog]
}

// interpreted looks at what an interpreter runs: `python -m pytest`, `php
// artisan test`, `node --test`, `python manage.py test`.
func interpreted(prog string, argv []string) (check Check, writes bool) {
	rest := argv[1:]
	switch {
	case len(rest) == 0:
		return "", false
	case rest[0] == "-m" && len(rest) > 1:
		return kindOf(rest[1:])
	case rest[0] == "--test" && prog == "node", rest[0] == "-Itest", rest[0] == "-Ilib:test":
		return Test, false
	case (rest[0] == "--check" || rest[0] == "-c" && prog == "node" || rest[0] == "-l" && prog == "php" || rest[0] == "-c" && prog == "ruby"):
		return Lint, false
	}
	rest = shell.SkipFlags(rest, map[string]bool{"-d": true, "-r": true, "--import": true, "--require": true, "-X": true, "-W": true})
	if len(rest) == 0 || rest[0] == argv[0] {
		return "", false
	}
	name := shell.Program(rest[:1])
	if verbs[name] != nil || programs[name] != "" {
		return kindOf(rest)
	}
	return "", false
}

// taskCheck is the strongest of what the names of the tasks say.
func taskCheck(prog string, words []string) Check {
	for len(words) > 0 && slices.Contains([]string{"run", "r", "run-script", "task", "script", "exec", "run-many", "affected"}, words[0]) {
		words = shell.SkipFlags(words[1:], map[string]bool{"-C": true, "--filter": true, "-F": true, "-w": true, "--prefix": true, "-t": false})
	}
	if len(words) == 0 {
		if prog == "make" || prog == "gmake" || prog == "rake" || prog == "mage" {
			return Build
		}
		if prog == "tox" || prog == "nox" {
			return Test
		}
		return ""
	}
	if installs(prog, words[0]) {
		return ""
	}
	goals := words[:1]
	if strings.HasPrefix(prog, "gradle") || strings.HasPrefix(prog, "mvn") || prog == "make" || prog == "gmake" || prog == "ant" || prog == "just" || prog == "sbt" {
		goals = words
	}
	if words[0] == "install" { // make install, mvn install: built first
		goals = []string{"build"}
	}
	found := map[Check]bool{}
	for _, goal := range goals {
		if strings.HasPrefix(goal, "-") || strings.Contains(goal, "=") {
			continue
		}
		for _, part := range parts(goal) {
			if check := taskWords[part]; check != "" {
				found[check] = true
			}
		}
	}
	for _, check := range order {
		if found[check] {
			return check
		}
	}
	return ""
}

// installs says that a manager's own command brings dependencies in.
func installs(prog, word string) bool {
	switch prog {
	case "npm", "pnpm", "yarn", "bun", "composer", "pdm", "deno", "pixi", "rush":
		return word == "install" || word == "ci" || word == "audit" || word == "validate"
	case "make", "gmake", "just", "mvn", "mvnw", "ninja", "rake", "mage", "ant", "task", "go-task":
		return false
	}
	return word == "install"
}

// parts are the words of a task's name: "test:unit", "type-check",
// "testDebugUnitTest", ":app:lint".
func parts(name string) []string {
	if strings.HasPrefix(strings.ToLower(name), "type-check") || strings.HasSuffix(strings.ToLower(name), "type-check") || strings.HasSuffix(strings.ToLower(name), ":types") {
		return []string{"typecheck"}
	}
	var out []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			out = append(out, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && word.Len() > 0 && strings.ToUpper(word.String()) != word.String():
			flush()
		}
		word.WriteRune(r)
	}
	flush()
	return out
}
