package verdict_test

import (
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// A run without a test proves nothing; one with some tests does, be there none in its other parts.
func TestVerdict_ARunWithoutATest(t *testing.T) {
	const cargoNone = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 40 filtered out; finished in 0.00s"
	tests := []struct {
		command, output string
		want            verdict.Kind
	}{
		{"go test ./cmd -run TestNone", "testing: warning: no tests to run\nPASS\nok  \tshop/cmd\t0.01s [no tests to run]", verdict.Unseen},
		{"go test ./... -run TestOne", "ok  \tshop/cmd\t0.01s [no tests to run]\nok  \tshop/cart\t0.01s", verdict.Passed},
		{"go test ./...", "?   \tshop/cmd\t[no test files]\n?   \tshop/cart\t[no test files]", verdict.Unseen},
		{"go test ./...", "\tshop/cmd\t\tcoverage: 0.0% of statements\n?   \tshop/cart\t[no test files]\nok  \tshop/wire\t(cached)", verdict.Passed},
		{"go test ./... | tail", "?   \tshop/cmd\t[no test files]\nFAIL\tshop/cart [build failed]", verdict.Failed},
		{"pytest -q -k none; true", "no tests ran in 0.01s", verdict.Unseen},
		{"pytest -k none | tail", "collected 0 items\n\n============ no tests ran in 0.01s ============", verdict.Unseen},
		{"pytest", "collected 3 items\n\n============ 3 passed in 0.01s ============", verdict.Passed},
		{"python -m unittest", "Ran 0 tests in 0.000s\n\nOK", verdict.Unseen},
		{"npx jest --passWithNoTests", "No tests found, exiting with code 0", verdict.Unseen},
		{"npx vitest run --passWithNoTests", "No test files found, exiting with code 0", verdict.Unseen},
		{"cargo test nothing", cargoNone + "\n" + cargoNone, verdict.Unseen},
		{"cargo test adds_up", cargoNone + "\nrunning 1 test\ntest cart::adds_up ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored", verdict.Passed},
		{"cargo test -q adds_up | grep 'test result'", "test result: ok. 0 passed; 0 failed; 0 ignored\ntest result: ok. 1 passed; 0 failed; 0 ignored", verdict.Passed},
		{"npx mocha", "  0 passing (1ms)", verdict.Unseen},
		{"node --test", "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0", verdict.Unseen},
		{"bundle exec rspec spec/models", "0 examples, 0 failures", verdict.Unseen},
		{"bin/rails test", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips", verdict.Unseen},
		{"vendor/bin/phpunit --filter None", "No tests executed!", verdict.Unseen},
		{"dotnet test --filter None", "No test matches the given testcase filter `None` in shop.dll", verdict.Unseen},
		{"deno test --filter none", "ok | 0 passed | 0 failed | 3 filtered out (1ms)", verdict.Unseen},
	}
	for _, tt := range tests {
		if v := of(tt.command, tt.output, 0); v.Kind != tt.want {
			t.Errorf("%s → %q: %s, want %s", tt.command, tt.output, v.Kind, tt.want)
		}
	}
}
