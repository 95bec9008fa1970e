package verdict_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// of judges a shell call that ended with that status.
func of(command, output string, exit int) verdict.Verdict {
	call := transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: command}
	return verdict.Of(call, shell.Commands(command), transcript.ResultInfo{ExitCode: &exit, Failed: exit != 0}, output)
}

// runs are outputs of checks, by the last lines that they end with.
var runs = []struct {
	command, passed, failed string
}{
	{"go test ./...", "ok  \texample.test/a\t0.01s\nok  \texample.test/b\t0.02s", "--- FAIL: TestA (0.00s)\n    a_test.go:9: got 1\nFAIL\nFAIL\texample.test/a\t0.01s\nFAIL"},
	{"go build ./...", "", "# example.test/a\n./a.go:3:5: undefined: b"},
	{"go vet ./...", "", "# example.test/a\nvet: ./a.go:3:5: undefined: b"},
	{"golangci-lint run", "0 issues.", "a.go:3:5: Error return value is not checked (errcheck)\n1 issues:\n* errcheck: 1"},
	{"cargo check", "    Finished `dev` profile [unoptimized] target(s) in 0.3s", "error[E0433]: failed to resolve\n --> src/a.rs:3:5"},
	{"cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored", "test a::b ... FAILED\ntest result: FAILED. 2 passed; 1 failed"},
	{"cargo nextest run", "     Summary [ 0.1s] 3 tests run: 3 passed, 0 skipped", "     Summary [ 0.1s] 3 tests run: 2 passed, 1 failed, 0 skipped"},
	{"cargo fmt --check", "", "Diff in /p/src/a.rs:3:"},
	{"npx tsc --noEmit", "", "src/a.ts(3,5): error TS2307: Cannot find module 'b'"},
	{"npx eslint .", "", "/p/a.ts\n  3:5  error  'b' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)"},
	{"npx eslint src", "✖ 2 problems (0 errors, 2 warnings)", "Oops! Something went wrong! :(\nTypeError: x is not a function"},
	{"biome check .", "Checked 12 files in 4ms. No fixes applied.", "Found 2 errors."},
	{"oxlint", "Found 3 warnings and 0 errors.", "Found 0 warnings and 2 errors."},
	{"prettier --check .", "All matched files use Prettier code style!", "[warn] a.ts\n[warn] Code style issues found in the above file."},
	{"npx jest", "PASS src/a.test.ts\nTests:       3 passed, 3 total", "FAIL src/a.test.ts\nTests:       1 failed, 2 passed, 3 total"},
	{"npx vitest run", " Test Files  1 passed (1)\n      Tests  3 passed (3)", " FAIL  src/a.test.ts > b\n      Tests  1 failed | 2 passed (3)"},
	{"npx mocha", "  3 passing (12ms)", "  2 passing (12ms)\n  1 failing"},
	{"npx playwright test", "  3 passed (4.1s)", "  1 failed\n    [chromium] › a.spec.ts:3:5\n  2 passed (4.1s)"},
	{"node --test", "ℹ pass 3\nℹ fail 0", "ℹ pass 2\nℹ fail 1"},
	{"bun test", " 3 pass\n 0 fail", " 2 pass\n 1 fail"},
	{"deno test", "ok | 3 passed | 0 failed (12ms)", "FAILED | 2 passed | 1 failed (12ms)"},
	{"vite build", "✓ built in 1.2s", "error during build:\nCould not resolve entry"},
	{"pytest -q", "3 passed in 0.12s", "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 2 passed in 0.12s"},
	{"python -m unittest", "Ran 3 tests in 0.1s\n\nOK", "Ran 3 tests in 0.1s\n\nFAILED (failures=1)"},
	{"mypy .", "Success: no issues found in 3 source files", "a.py:3: error: Name \"b\" is not defined  [name-defined]\nFound 1 error in 1 file (checked 3 source files)"},
	{"pyright", "0 errors, 0 warnings, 0 informations", "  /p/a.py:3:5 - error: \"b\" is not defined\n1 error, 0 warnings, 0 informations"},
	{"ruff check .", "All checks passed!", "a.py:3:5: F821 Undefined name `b`\nFound 1 error."},
	{"ruff check --fix .", "Found 3 errors (3 fixed, 0 remaining).", "F821 Undefined name `b`\n --> a.py:3:5\nFound 8 errors (7 fixed, 1 remaining)."},
	{"bundle exec rubocop -a", "3 files inspected, 2 offenses detected, 2 offenses corrected", "3 files inspected, 2 offenses detected, 1 offense corrected"},
	{"npx eslint --fix .", "", "/p/a.ts\n  3:5  error  'b' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)"},
	{"flake8 src", "", "a.py:3:5: F821 undefined name 'b'"},
	{"black --check .", "All done!\n3 files would be left unchanged.", "would reformat a.py\n1 file would be reformatted."},
	{"./gradlew test", "BUILD SUCCESSFUL in 3s", "ATest > b() FAILED\nBUILD FAILED in 3s"},
	{"mvn -q verify", "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS", "[ERROR] Tests run: 3, Failures: 1, Errors: 0\n[INFO] BUILD FAILURE"},
	{"kotlinc a.kt", "", "a.kt:3:5: error: unresolved reference: b"},
	{"sbt compile", "[success] Total time: 3 s", "[error] a.scala:3:5: not found: value b\n[error] (compile) Compilation failed"},
	{"dotnet build", "Build succeeded.\n    0 Error(s)", "A.cs(3,5): error CS0103: The name 'b' does not exist\nBuild FAILED."},
	{"dotnet test", "Passed!  - Failed:     0, Passed:     3", "Failed!  - Failed:     1, Passed:     2"},
	{"swift build", "Build complete! (3.1s)", "/p/a.swift:3:5: error: cannot find 'b' in scope"},
	{"xcodebuild -scheme A test", "** TEST SUCCEEDED **", "** TEST FAILED **"},
	{"bundle exec rspec", "3 examples, 0 failures", "3 examples, 1 failure\n\nrspec ./spec/a_spec.rb:3 # A b"},
	{"bin/rails test", "3 runs, 5 assertions, 0 failures, 0 errors, 0 skips", "3 runs, 5 assertions, 1 failures, 0 errors, 0 skips"},
	{"rubocop", "3 files inspected, no offenses detected", "a.rb:3:5: C: Style/B: message\n3 files inspected, 1 offense detected"},
	{"vendor/bin/phpunit", "OK (3 tests, 5 assertions)", "FAILURES!\nTests: 3, Assertions: 5, Failures: 1."},
	{"phpstan analyse", " [OK] No errors", " [ERROR] Found 1 error"},
	{"gcc -c a.c", "", "a.c:3:5: error: 'b' undeclared\n1 error generated."},
	{"cmake --build build", "[100%] Built target a", "ninja: build stopped: subcommand failed."},
	{"ctest", "100% tests passed, 0 tests failed out of 3", "67% tests passed, 1 tests failed out of 3"},
	{"ninja -C out", "ninja: no work to do.", "FAILED: a.o\nninja: build stopped: subcommand failed."},
	{"bazel test //...", "INFO: Build completed successfully, 3 total actions", "ERROR: Build did NOT complete successfully"},
	{"terraform validate", "Success! The configuration is valid.", "╷\n│ Error: Unsupported argument"},
	{"shellcheck a.sh", "", "In a.sh line 3:\nrm $b\n   ^-- SC2086 (error): quote it"},
	{"make", "", "make: *** [Makefile:3: all] Error 1"},
	{"just test", "3 passed in 0.1s", "error: Recipe `test` failed on line 3 with exit code 1"},
	{"task lint", "0 issues.", "task: Failed to run task \"lint\": exit status 1"},
	{"mise run lint", "0 issues.", "[lint] ERROR task failed"},
	{"npm run build", "webpack 5.9 compiled successfully in 3 ms", "npm ERR! code ELIFECYCLE"},
	{"pnpm test", "Tests  3 passed (3)", " ELIFECYCLE  Test failed. See above for more details."},
	{"yarn lint", "✖ 1 problem (0 errors, 1 warning)", "error Command failed with exit code 1."},
	{"flutter test", "00:01 +3: All tests passed!", "00:01 +2 -1: Some tests failed."},
	{"mix test", "3 tests, 0 failures", "3 tests, 1 failure"},
	{"zig build test", "All 3 tests passed.", "error: the following build command failed with exit code 1:"},
	{"pre-commit run -a", "trim trailing whitespace.....Passed", "trim trailing whitespace.....Failed"},
	{"nix build .#a", "", "error: builder for '/nix/store/a.drv' failed with exit code 1"},
	{"docker compose exec -T web pytest", "3 passed in 0.1s", "1 failed, 2 passed in 0.1s"},
	{"ssh -p 22 host 'cd /srv && go build ./...'", "", "./a.go:3:5: undefined: b"},
	{"mise run test -- -run A", "ok  \texample.test/a\t0.01s", "FAIL\texample.test/a\t0.01s"},
	{"mise run lint", "[lint:go] 0 issues.\n[lint] Finished in 7ms", "[lint:go] a.go:3:5: unused (x)\n[lint:go] 1 issues:"},
	{"nix develop -c cargo clippy", "    Finished `dev` profile [unoptimized] target(s) in 0.3s", "error: could not compile `a` (lib) due to 1 previous error"},
}

func TestVerdict_HiddenStatusIsReadFromTheOutput(t *testing.T) {
	for _, run := range runs {
		hidden := run.command + " 2>&1 | tail -20"
		if v := of(hidden, run.passed, 0); v.Kind != verdict.Passed {
			t.Errorf("%s: %s, want passed by %q", hidden, v.Kind, run.passed)
		}
		for _, form := range []string{" 2>&1 | tail -20", " || true", "; echo done", " 2>&1 | head -40; echo '---'"} {
			if v := of(run.command+form, run.failed, 0); v.Kind != verdict.Failed {
				t.Errorf("%s: %s, want failed by %q", run.command+form, v.Kind, run.failed)
			}
		}
	}
}

func TestVerdict_VisibleStatusDecides(t *testing.T) {
	for _, run := range runs {
		if v := of(run.command, run.passed, 0); v.Kind != verdict.Passed || v.Hidden {
			t.Errorf("%s: %+v, want passed", run.command, v)
		}
		if v := of(run.command, run.failed, 1); v.Kind != verdict.Failed {
			t.Errorf("%s: %+v, want failed", run.command, v)
		}
	}
}

func TestVerdict_HiddenWithoutASignIsNotSeen(t *testing.T) {
	for _, command := range []string{"go test ./... | tail -3", "cargo check 2>&1 | grep error", "npm test || true", "make test > log 2>&1; tail log", "tsc --noEmit 2>/dev/null | wc -l"} {
		if v := of(command, "", 0); v.Kind != verdict.Unseen {
			t.Errorf("%s: %+v, want not seen", command, v)
		}
	}
}

func TestVerdict_AClosingLineOutweighsWhatPassingTestsPrint(t *testing.T) {
	for _, log := range []string{"error: connection refused", "a.go:3:5: wrong", "panic: recovered", "ValueError: expected", "sh: foo: command not found"} {
		for command, closing := range map[string]string{"pytest | tail": "3 passed in 0.1s", "npx jest | tail": "Tests:       3 passed, 3 total", "cargo test | tail": "test result: ok. 3 passed; 0 failed"} {
			if v := of(command, log+"\n"+closing, 0); v.Kind != verdict.Passed {
				t.Errorf("%s after %q: %+v, want passed", command, log, v)
			}
		}
		if v := of("go test -v ./...", log, 0); v.Kind != verdict.Passed {
			t.Errorf("go test, status seen, after %q: %+v, want passed", log, v)
		}
	}
}

func TestVerdict_EchoedStatus(t *testing.T) {
	tests := []struct {
		command, output string
		want            verdict.Kind
	}{
		{"tsc --noEmit | head; echo \"EXIT: ${PIPESTATUS[0]}\"", "EXIT: 2", verdict.Failed},
		{"tsc --noEmit | head; echo \"EXIT: ${PIPESTATUS[0]}\"", "EXIT: 0", verdict.Passed},
		{"make test; echo $?", "running\n1", verdict.Failed},
		{"make test; echo $?", "running\n0", verdict.Passed},
		{"npm test | tail; echo $?", "0", verdict.Unseen},
		{"go build ./... && echo OK", "OK", verdict.Passed},
		{"npm run lint && echo fine || echo broken", "broken", verdict.Failed},
		{"npm run lint && echo fine || echo broken", "fine", verdict.Passed},
		{"go test ./... | tail && echo OK", "OK", verdict.Unseen},
		{"npm run lint || echo OK", "OK", verdict.Failed},
		{"timeout 60 npm test 2>/dev/null || echo '✅ All tests passed'", "✅ All tests passed", verdict.Failed},
		{"npm test || echo -e '\\n✅ All tests passed\\n'", "\n✅ All tests passed\n", verdict.Failed},
		{"tsc --noEmit || (echo OK)", "OK", verdict.Failed},
		{"tsc --noEmit && ./shop --once || echo OK", "OK", verdict.Unseen},
		{"tsc --noEmit && ./shop --once || echo OK", "", verdict.Passed},
		{"timeout 3 ./shop serve 2>/dev/null || echo '✅ it starts'", "listening\n✅ it starts", verdict.Unseen},
		{"timeout 3 ./shop serve 2>/dev/null || echo '✅ it starts'", "listening", verdict.Passed},
		{"ls notes || echo none", "none", verdict.Passed},
	}
	for _, tt := range tests {
		if v := of(tt.command, tt.output, 0); v.Kind != tt.want {
			t.Errorf("%s → %q: %s, want %s", tt.command, tt.output, v.Kind, tt.want)
		}
	}
}

func TestVerdict_OtherOutcomes(t *testing.T) {
	one := 1
	tests := []struct {
		name   string
		call   transcript.CallInfo
		result transcript.ResultInfo
		want   verdict.Kind
	}{
		{"refused", transcript.CallInfo{}, transcript.ResultInfo{Outcome: transcript.Rejected}, verdict.Refused},
		{"cancelled", transcript.CallInfo{}, transcript.ResultInfo{Outcome: transcript.Cancelled}, verdict.Cancelled},
		{"guard", transcript.CallInfo{}, transcript.ResultInfo{Outcome: transcript.Blocked}, verdict.Denied},
		{"untold", transcript.CallInfo{}, transcript.ResultInfo{Outcome: transcript.UnknownOutcome}, verdict.Unseen},
		{"search", transcript.CallInfo{Meaning: transcript.Search}, transcript.ResultInfo{Failed: true}, verdict.NoHit},
		{"a setting that is not there", transcript.CallInfo{Command: "git config --global core.excludesfile"}, transcript.ResultInfo{Failed: true, ExitCode: &one}, verdict.NoHit},
		{"a setting that is made", transcript.CallInfo{Command: "git config gc.auto 0"}, transcript.ResultInfo{Failed: true, ExitCode: &one}, verdict.Failed},
		{"grep", transcript.CallInfo{Command: "grep a b"}, transcript.ResultInfo{Failed: true, ExitCode: &one}, verdict.NoHit},
		{"sandbox", transcript.CallInfo{Command: "curl x"}, transcript.ResultInfo{Failed: true, ExitCode: &one, Text: "network access denied by sandbox"}, verdict.Denied},
		{"background", transcript.CallInfo{Command: "npm test"}, transcript.ResultInfo{Text: "Command running in background with ID: b1"}, verdict.Unseen},
		{"push behind a pipe", transcript.CallInfo{Command: "git push 2>&1 | tail -3"}, transcript.ResultInfo{Text: "error: failed to push some refs"}, verdict.Failed},
		{"gave up, status lost", transcript.CallInfo{Command: "cargo check --lib"}, transcript.ResultInfo{Text: "    Updating crates.io index\nerror: no library targets found in package `shop`"}, verdict.Failed},
		{"gave up with advice, status lost", transcript.CallInfo{Command: "cargo build --all-target"}, transcript.ResultInfo{Text: "error: unexpected argument '--all-target' found\n\n  tip: a similar argument exists: '--all-targets'\n\nUsage: cargo build [OPTIONS]\n\nFor more information, try '--help'."}, verdict.Failed},
		{"went on after an error, status lost", transcript.CallInfo{Command: "make all"}, transcript.ResultInfo{Text: "error: no cache\nall targets are up to date"}, verdict.Passed},
		{"check of other code", transcript.CallInfo{Command: "git stash && go test ./... | tail; git stash pop"}, transcript.ResultInfo{Text: "FAIL"}, verdict.Unseen},
		{"errors looked for", transcript.CallInfo{Command: "git fsck 2>&1 | grep error"}, transcript.ResultInfo{Text: "error: bad object"}, verdict.Passed},
		{"log behind a pipe", transcript.CallInfo{Command: "git log | head"}, transcript.ResultInfo{Text: "fatal: in a subject"}, verdict.Passed},
		{"missing program, status lost", transcript.CallInfo{Command: "markdownlint a.md"}, transcript.ResultInfo{Text: "zsh:1: command not found: markdownlint"}, verdict.Failed},
		{"files not formatted", transcript.CallInfo{Command: "gofmt -l . | head"}, transcript.ResultInfo{Text: "internal/auth/auth_test.go\nshop.go", ExitCode: new(int)}, verdict.Failed},
		{"files formatted now", transcript.CallInfo{Command: "gofmt -l -w ."}, transcript.ResultInfo{Text: "shop.go", ExitCode: new(int)}, verdict.Passed},
		{"all formatted", transcript.CallInfo{Command: "gofmt -l ."}, transcript.ResultInfo{ExitCode: new(int)}, verdict.Passed},
		{"missing program, no status", transcript.CallInfo{Command: "python tool.py"}, transcript.ResultInfo{Text: "zsh:1: command not found: python"}, verdict.Failed},
	}
	for _, tt := range tests {
		v := verdict.Of(tt.call, shell.Commands(tt.call.Command), tt.result, tt.result.Text)
		if v.Kind != tt.want {
			t.Errorf("%s: %+v, want %s", tt.name, v, tt.want)
		}
	}
}

func TestCheckOf_LooksThroughWrappers(t *testing.T) {
	tests := map[string]verdict.Check{
		"mise exec -- golangci-lint run":                        verdict.Lint,
		"docker compose run --rm -e A=b web npm test":           verdict.Test,
		"docker exec -it web sh -c 'vendor/bin/phpstan'":        verdict.Types,
		"ssh -i key host 'make build'":                          verdict.Build,
		"uv run --with pytest pytest -q":                        verdict.Test,
		"poetry run mypy .":                                     verdict.Types,
		"sudo -u app env A=b timeout -k 5 60 bundle exec rspec": verdict.Test,
		"pnpm --filter web exec tsc --noEmit":                   verdict.Types,
		"npx --yes eslint@9 .":                                  verdict.Lint,
		"bash -lc 'cd a && cargo clippy'":                       verdict.Lint,
		"./gradlew :app:testDebugUnitTest":                      verdict.Test,
		"./gradlew assembleDebug":                               verdict.Build,
		"npm run test:unit":                                     verdict.Test,
		"pnpm fix":                                              verdict.Lint,
		"npm audit fix":                                         "",
		"yarn workspace web type-check":                         verdict.Types,
		"npm ci":                                                "",
		"npm install":                                           "",
		"go run ./cmd/a":                                        "",
		"eslint --version":                                      "",
		"python manage.py test":                                 verdict.Test,
		"php artisan test":                                      verdict.Test,
		"cmake -S . -B build":                                   "",
		"make -C dir fmt":                                       verdict.Format,
		"git commit -m 'build: make test pass'":                 "",
	}
	for command, want := range tests {
		var got verdict.Check
		for _, c := range shell.Commands(command) {
			if found := verdict.CheckOf(c.Argv); found != "" {
				got = found
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func BenchmarkVerdict(b *testing.B) {
	output := strings.Repeat("ok  \texample.test/some/package\t0.01s\n", 60) + strings.Repeat("src/a.ts(3,5): warning x: error in none\n", 40)
	for b.Loop() {
		of("go test ./... | tail -100", output, 0)
	}
}

// What comes behind && runs where the check passed; its own errors are no failed check.
func TestOf_WordsBehindACheckProveIt(t *testing.T) {
	const command = "go build -o /tmp/shop ./cmd/shop && echo '=== wrong flag ===' && /tmp/shop --nope 2>&1 | tail -5"
	call := transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: command}
	v := verdict.Of(call, shell.Commands(command), transcript.ResultInfo{}, "=== wrong flag ===\nError: unknown flag: --nope")
	if v.Kind != verdict.Passed {
		t.Errorf("got %+v", v)
	}
	v = verdict.Of(call, shell.Commands(command), transcript.ResultInfo{}, "# example.test/shop\n./a.go:3:5: undefined: b\nError: build failed")
	if v.Kind != verdict.Failed {
		t.Errorf("without the words: %+v", v)
	}
}

// Of a command that a person ran nobody tells how it ended: what it printed may.
func TestOf_AnOutputMayShowHowACommandEnded(t *testing.T) {
	for _, test := range []struct {
		command, output string
		want            verdict.Kind
	}{
		{"git commit -m release", "[main 62ad1de] release\n 4 files changed, 34 insertions(+)", verdict.Passed},
		{"git commit -m release", "", verdict.Unseen},
		{"git push origin main", "To github.com:a/b.git\n   2ce9805..5d3d955  main -> main", verdict.Passed},
		{"git push origin main --tags", " * [new tag]         v1 -> v1\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'github.com:a/b.git'", verdict.Failed},
		{"gh pr create --fill", "https://github.com/a/b/pull/235", verdict.Passed},
		{"go test ./...", "ok  \texample.test/a\t0.01s", verdict.Passed},
		{"go test ./...", "--- FAIL: TestA (0.00s)\nFAIL", verdict.Failed},
		{"go test ./... -run None", "ok  \texample.test/a\t0.01s [no tests to run]", verdict.Unseen},
		{"go build ./...", "", verdict.Unseen},
	} {
		call := transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: test.command}
		if got := verdict.Of(call, shell.Commands(test.command), transcript.ResultInfo{Outcome: transcript.UnknownOutcome}, test.output); got.Kind != test.want {
			t.Errorf("%s: %s, want %s", test.command, got.Kind, test.want)
		}
	}
}

// A runner of tasks shows the command first; a task that it has not was no check.
func TestOf_WhatARunnerOfTasksPrints(t *testing.T) {
	if got := of("npm run typecheck 2>&1 | tail -20", "\n> shop@0.1.0 typecheck\n> tsc --noEmit\n", 0); got.Kind != verdict.Passed || got.Check != verdict.Types {
		t.Errorf("nothing to say: %+v", got)
	}
	if got := of("pnpm run typecheck 2>&1 | tail", "$ tsc --noEmit", 0); got.Kind != verdict.Passed {
		t.Errorf("of pnpm: %+v", got)
	}
	if got := of("mise run lint 2>&1 | tail -40", "mise ERROR error parsing config file: ~/shop/mise.toml\nmise ERROR Config files in ~/shop/mise.toml are not trusted.\nTrust them with `mise trust`.", 0); got.Check != "" {
		t.Errorf("not allowed yet: %+v", got)
	}
	if got := of("npm run lint 2>&1 | head -30 || true", "npm error Missing script: \"lint\"", 0); got.Kind != verdict.Failed || got.Check != "" {
		t.Errorf("not there: %+v", got)
	}
}
