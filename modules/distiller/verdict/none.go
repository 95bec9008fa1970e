package verdict

import "strings"

// noneRan says that a runner found no test to run: a filter that fits nothing passes, and proves
// nothing. One test of one package is enough to say otherwise.
func noneRan(lines []string) bool {
	none := false
	for _, text := range lines {
		line := lineOf(label.ReplaceAllString(text, ""))
		switch {
		case anyIn(noTest, line):
			none = true
		case anyIn(oneRan, line), anyIn(broken, line), anyIn(sound, line) && strings.ContainsAny(line.text, "123456789"):
			return false
		}
	}
	return none
}

// noTest are lines of a run, or of a part of one, without a test.
var noTest = signs(
	"go test", `\[no tests? (?:to run|files)\]$|^testing: warning: no tests to run$`,
	"pytest, unittest", `\bno tests ran\b|^collected 0 items\b|^Ran 0 tests in |^NO TESTS RAN\b`,
	"jest, vitest, mocha, playwright", `^(?:Error: )?No tests? (?:files )?found\b|^\s*0 passing\b|^\s*Tests:?\s+(?:no tests|0 total)`,
	"cargo test", `^running 0 tests$|^test result: ok\. 0 passed; 0 failed;`,
	"nextest", `^\s*Summary .*\b0 tests run\b`,
	"node --test, tap", `^[#ℹ] (?:tests|pass) 0$|^1\.\.0\b`,
	"bun, deno", `^Ran 0 tests\b|^(?:ok \| )?0 passed \| 0 failed`,
	"rspec, minitest, elixir", `^0 (?:examples|runs|tests|doctests)\b|^There are no tests to run`,
	"phpunit, pest", `^No tests (?:executed|found)!?`,
	"dotnet", `^No test (?:is available|matches)\b`,
	"maven", `^(?:\[INFO\] )?No tests to run\.|Tests run: 0, Failures: 0`,
	"swift, xcodebuild", `\bExecuted 0 tests\b`,
	"ctest, flutter", `^No tests were found|^No tests (?:ran|match)\b`,
)

// oneRan are lines of single tests, and of parts of a run that had some.
var oneRan = signs(
	"go test", `^(?:ok\s|\s*--- )`,
	"jest", `^\s*PASS\s+\S+\.\w+`,
	"cargo test", `^running [1-9]\d* tests?$|^test \S+ .*\.\.\. \w+`,
	"pytest", `^collected [1-9]`,
	"any", `^\s*[✓✔✗✘] `,
)
