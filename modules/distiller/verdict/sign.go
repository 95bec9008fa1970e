package verdict

import "github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"

// broken are lines that only a failing run ends with, or a compiler's coded
// error: no line that a test prints in passing outweighs them.
var broken = signs(
	"go test", `^(?:FAIL(?:\s+\S+)?(?:\s+\[[a-z ]+\])?(?:\s+[\d.]+s)?|\s*--- FAIL: .*)$|\[(?:build|setup) failed\]$`,
	"golangci-lint", `^[1-9]\d* issues?[:.]|^level=error `,
	"cargo", `^error\[E\d+\]|^error: (?:could not compile|aborting due to|test failed)|^test result: FAILED|^test \S+ \.\.\. FAILED$`,
	"nextest", `^\s*Summary .*\b[1-9]\d* failed`,
	"rustfmt", `^Diff in \S+`,
	"tsc", `\berror TS\d+:|^Found [1-9]\d* errors?\b(?: in |\.|$)`,
	"svelte-check", `found [1-9]\d* errors?\b`,
	"eslint", `✖ \d+ problems? \([1-9]\d* errors?|^\s+\d+:\d+\s+error\s`,
	"oxlint", `\band [1-9]\d* errors?\b`,
	"prettier", `Code style issues (?:found|were found)|^\[error\] `,
	"jest, vitest", `^\s*(?:Tests?|Test Files|Test Suites|Suites|Snapshots):?\s.*\b[1-9]\d* failed|^\s*FAIL\s+\S+\.\w+`,
	"mocha, bun, playwright", `^\s*[1-9]\d* (?:failing|failed|fail|failures?|errored)\s*(?:$|\(|,|\|)`,
	"node --test, tap", `^[#ℹ] fail [1-9]`,
	"deno", `^FAILED \| `,
	"next, webpack", `Failed to compile|Failed to type check|^Type error: |compiled with [1-9]\d* errors?|error during build|[Bb]uild failed with [1-9]\d* errors?`,
	"npm", `^npm (?:ERR!|error) |ELIFECYCLE|\bERR_PNPM_\w+|^error Command failed with exit code|^error: script ".*" (?:exited|was terminated)`,
	"nx, turbo", `^\s*(?:NX|>  NX)\s+Ran target.* failed|^\s*ERROR\s+run failed|^Failed:\s+\S+#\S+`,
	"pytest", `^=+ .*\b[1-9]\d* (?:failed|errors?)\b.*=+$|^[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s|^FAILED \S+\.py|^ERROR \S+\.py|^INTERNALERROR>`,
	"unittest", `^FAILED \((?:failures|errors|unexpected)`,
	"mypy", `^Found [1-9]\d* errors? in \d+ files?`,
	"pyright", `^[1-9]\d* errors?, `,
	"ruff", `^Found \d+ errors? \(\d+ fixed, [1-9]\d* remaining\)`,
	"black", `^would reformat |\b[1-9]\d* files? would be reformatted`,
	"gradle, maven, ant", `^BUILD FAILED|\bBUILD FAILURE\b|^FAILURE: Build |^Execution failed for task|Tests run: \d+, Failures: (?:[1-9]\d*|\d+, Errors: [1-9])|^\S+ > .* FAILED$|^> Task \S+ FAILED$`,
	"kotlinc, javac", `^e: (?:file://|/|\w:)|^[1-9]\d* errors?$`,
	"sbt", `^\[error\] (?:\(|Failed|Total)`,
	"dotnet", `\berror (?:CS|MSB|NU|NETSDK|FS|BC|CA|IDE)\d+|^Build FAILED|^\s*Failed!\s+-`,
	"swift, xcodebuild", `\*\* \w+ FAILED \*\*|Executed \d+ tests?, with [1-9]\d* failures?|^✘ Test run `,
	"rspec, minitest", `^\d+ (?:examples?|runs|tests), .*\b[1-9]\d* (?:failures?|errors?)\b|^rspec \./`,
	"rubocop", `\bfiles? inspected, [1-9]\d* offenses?`,
	"phpunit, pest", `^(?:FAILURES|ERRORS)!|^Tests: .*(?:Failures|Errors): [1-9]`,
	"phpstan, psalm", `^\s*\[ERROR\] |^[1-9]\d* errors found`,
	"php", `^(?:PHP )?(?:Parse|Fatal) error:|^Errors parsing `,
	"gcc, clang", `^[1-9]\d* (?:warnings? and [1-9]\d* )?errors? generated|undefined reference to|^collect2: error|^ld: (?:error|symbol|library)|linker command failed`,
	"ninja, cmake", `^ninja: (?:build stopped|error)|^FAILED: |^CMake Error|Configuring incomplete`,
	"ctest, meson", `\b[1-9]\d* tests? failed out of|^The following tests FAILED|^Fail:\s+[1-9]`,
	"make", `^g?make(?:\[\d+\])?: \*\*\*`,
	"bazel", `Build did NOT complete successfully|^//\S+\s+FAILED`,
	"terraform", `^[│╷ ]*Error: `,
	"shellcheck", `\bSC\d+ \(error\)`,
	"just, task, mise", `^error: [Rr]ecipe .* failed|^task: Failed to run|ERROR task failed|^mise ERROR|\] ERROR task`,
	"elixir", `^== Compilation error|^\*\* \(\w*Error\)|^\d+ (?:doctests?, \d+ )?(?:tests?|properties).*\b[1-9]\d* failures?`,
	"flutter", `\bSome tests failed\b|^\s*error •|^[1-9]\d* issues? found`,
	"zig", `error: the following .*command .*(?:failed|exited|terminated)|^Build Summary: .*\bfailed`,
	"pre-commit", `\.{3,}\S*Failed$`,
	"nix", `^error: (?:builder for|build of|Cannot build|\d+ dependencies of)`,
	"any", `\bexited with (?:code|status|exit code|exit status)[: ]+[1-9]\d*|\b(?:[1-9]\d*) (?:passed|passing|tests?|examples?|specs?|assertions)\b.*\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|\b[1-9]\d* (?:failed|failing)\b.*\b\d+ (?:passed|passing|total)\b`,
)

// sound are closing lines of runs in which nothing failed.
var sound = signs(
	"golangci-lint", `^0 issues`,
	"cargo test", `^test result: ok\. `,
	"nextest", `^\s*Summary .*\b\d+ passed`,
	"tsc, biome", `^Found 0 errors|^Checked \d+ files? in .*(?:No fixes applied|Fixed \d+ files?)`,
	"eslint", `✖ \d+ problems? \(0 errors`,
	"oxlint", `^Found \d+ warnings? and 0 errors`,
	"svelte-check", `found 0 errors`,
	"prettier", `^All matched files use Prettier code style`,
	"jest, vitest", `^\s*(?:Tests|Test Files|Test Suites):?\s+(?:.*[,|] )?[1-9]\d* passed`,
	"mocha, bun, playwright", `^\s*(?:[1-9]\d* passing|0 fail|[1-9]\d* passed)\b`,
	"node --test, tap", `^[#ℹ] fail 0`,
	"deno", `^ok \| \d+ passed`,
	"vite, next, webpack", `✓ built in|prerendered as static content|Compiled successfully|compiled (?:successfully|with \d+ warnings?)|^Build (?:succeeded|success|complete|finished)`,
	"turbo, nx", `^\s*Tasks:\s+(\d+) successful|Successfully ran target`,
	"pytest", `^=+ .*\b[1-9]\d* passed\b|^[1-9]\d* passed\b.* in [\d.]+s`,
	"unittest", `^OK(?: \(.*\))?$`,
	"mypy, pyright", `^Success: no issues found|^0 errors, `,
	"ruff", `^All checks passed|^Found \d+ errors? \(\d+ fixed, 0 remaining\)`,
	"black", `^All done!|files? would be left unchanged`,
	"gradle, maven, ant", `^BUILD SUCCESSFUL|\bBUILD SUCCESS\b|Tests run: [1-9]\d*, Failures: 0, Errors: 0`,
	"sbt", `^\[success\]`,
	"dotnet", `^Build succeeded|^\s*Passed!\s+-`,
	"swift, xcodebuild", `^Build complete!|\*\* \w+ SUCCEEDED \*\*|Executed [1-9]\d* tests?, with 0 failures|^✔ Test run .* passed`,
	"rspec, minitest, elixir", `^\s*[1-9]\d* (?:examples?|runs|tests?|doctests?|properties)\b.*\b0 failures\b`,
	"rubocop", `no offenses detected|offenses? corrected`,
	"phpunit, phpstan", `^OK \(\d+ tests?|\[OK\] |No errors found!|^No syntax errors detected`,
	"ninja, cmake, ctest", `^ninja: no work to do|^\[100%\] Built target|100% tests passed`,
	"bazel", `Build completed successfully`,
	"terraform", `^Success! The configuration is valid|^(?:Plan: \d+ to add|No changes\.)`,
	"flutter", `^(?:\S+ \+\d+: )?All tests passed!|^No issues found`,
	"goreleaser", `\b[1-9]\d* configuration file\(s\) validated`,
	"zig", `^All \d+ tests passed`,
	"scripts", `(?i)^\W*all\b.*\b(?:ok|pass|passed|valid|succeeded|green)\W*$`,
	"any", `^\s*(?:\w+:\s+)?[1-9]\d* (?:tests? )?passed\b|\b[1-9]\d* (?:passed|tests?|examples?|specs?|assertions)\b.*\b0 (?:failed|failing|failures?|errors?)\b`,
)

// soundPart are lines of a part of a run that went well: enough where the rest
// of the output is there too.
var soundPart = signs(
	"go test", `^ok\s+\S+\s|^PASS$`,
	"jest", `^\s*PASS\s+\S+\.\w+`,
	"pre-commit", `\.{3,}\S*Passed$`,
)

// compiled is how cargo ends a build. Before a test run it says nothing.
var compiled = form("^\\s*Finished .*(?:profile|target\\(s\\))")

// shapes are the forms of an error line of any compiler, linter, interpreter
// or shell. A passing test may print one: a sound closing line outweighs it.
var shapes = forms(
	`^(?:\.{1,2}/)*[\w@./\\+-]+\.\w{1,6}(?::\d+:\d+|\(\d+,\d+\)):?\s+(.*)$`,
	`^(?:\w:)?[^\s:()]+(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)):? +(?:(?:fatal|syntax|internal|parse|compile|type|runtime) )?[Ee]rror\b`,
	`^\s*(?:Error|ERROR|error|FATAL|Fatal|fatal|fatal error)(?:\[[\w:-]+\])?: \S`,
	`^(?:panic|Panic|PANIC): |^goroutine \d+ \[|\bpanicked at\b|^fatal error: `,
	`^(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)\b(?::|$| \[)|^Exception in thread|^Traceback \(most recent call last\)|^Unhandled|^Uncaught|^Caused by: `,
	`: (?:fatal )?error(?: \w+\d+)?: |^\[(?:ERROR|error)\]|^\[\S*\] ?ERROR\b|^e: |^E   |^ERROR:? \S`,
	`^\s*(?:✖|✗|✘|×|❌|✕|❯) |^not ok \d`,
	`^(?:\S+: )?(?:line \d+: |\d+: )?\S+: (?:command )?not found$|^\S+:\d*:? ?command not found: |is not recognized as |executable file not found in`,
	`^(?:\S+: )+(?:No such file or directory|Permission denied|Is a directory)$|[Cc]annot find module|Module not found|No module named|[Mm]issing script`,
	`^In \S+ line \d+:$| in \S+ on line \d+$|^go: \S.*(?:cannot|not found|no required module|does not|errors parsing|no such)|^vet: |^(?:bash|sh|zsh|make|gmake|cc|ld|clang|gcc)(?:\[\d+\])?: .*(?:[Ee]rror|cannot|No rule)`,
	`[Ss]egmentation fault|core dumped|^Killed$|[Oo]ut of memory|^[Tt]imed? ?out\b|^Command timed out`,
)

// milder begins the message of a line that has the shape of an error and says
// that it is none.
var milder = lazyregexp.New(`(?i)^.{0,24}\b(?:warning|warn|note|info|help|hint|remark|deprecated)\b`)

// gaveUp begins a line of a program of any kind that gives up.
var gaveUp = form(`^(?:[Ee]rror(?:\[\w+\])?|fatal|panic): |^FAIL(?:ED)?\b|^ ! \[(?:remote )?rejected\]|^Traceback \(most recent call last\)|^(?:\S+: )?(?:line \d+: )?\S+: command not found$|^zsh:\d*:? ?command not found: `)
