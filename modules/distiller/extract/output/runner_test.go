package output

import (
	"slices"
	"testing"
)

func TestReportsOfTheCommonRunners(t *testing.T) {
	for name, tt := range map[string]struct {
		output  string
		failed  bool
		test    string
		failing string
		passing string
		unseen  bool
	}{
		"go fails":                {output: "--- FAIL: TestTotal (0.00s)\n    cart_test.go:9: no\nFAIL\tshop/cart\t0.01s\n", failed: true, test: "TestTotal"},
		"go passes":               {output: "ok  \tshop/cart\t0.01s\n"},
		"pytest fails":            {output: "FAILED tests/test_cart.py::test_total - assert 3 == 4\n=== 1 failed, 3 passed in 0.12s ===\n", failed: true, test: "tests/test_cart.py::test_total", failing: "tests/test_cart.py"},
		"pytest passes":           {output: "===== 4 passed in 0.12s =====\n"},
		"vitest fails":            {output: " FAIL  src/cart.test.ts > cart > adds up\n Test Files  1 failed | 2 passed (3)\n", failed: true, test: "cart > adds up", failing: "src/cart.test.ts"},
		"vitest passes":           {output: " ✓ src/cart.test.ts (13 tests) 12ms\n Test Files  1 passed (1)\n      Tests  13 passed (13)\n", passing: "src/cart.test.ts"},
		"jest fails":              {output: "FAIL src/cart.test.js\n  ● cart › adds up\nTests:       1 failed, 2 passed, 3 total\n", failed: true, test: "cart › adds up", failing: "src/cart.test.js"},
		"jest passes":             {output: "PASS src/cart.test.js\nTests:       3 passed, 3 total\n", passing: "src/cart.test.js"},
		"cargo fails":             {output: "test cart::adds_up ... FAILED\nthread 'x' panicked at src/cart.rs:9:5:\ntest result: FAILED. 1 passed; 1 failed\n", failed: true, test: "cart::adds_up", failing: "src/cart.rs"},
		"cargo passes":            {output: "test result: ok. 2 passed; 0 failed\n"},
		"cargo in full":           {output: "test result: ok. 52 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.04s\n"},
		"cargo started":           {output: "   Compiling shop v0.1.0\n", unseen: true},
		"rspec fails":             {output: "3 examples, 1 failure\nrspec ./spec/cart_spec.rb:4 # Cart adds up\n", failed: true, test: "Cart adds up", failing: "spec/cart_spec.rb"},
		"rspec passes":            {output: "3 examples, 0 failures\n"},
		"dotnet fails":            {output: "  Failed Shop.CartTest.AddsUp [3 ms]\nFailed!  - Failed: 1, Passed: 2\n", failed: true, test: "Shop.CartTest.AddsUp"},
		"dotnet passes":           {output: "Passed!  - Failed: 0, Passed: 3\n"},
		"phpunit fails":           {output: "1) CartTest::testAddsUp\nFAILURES!\nTests: 3, Assertions: 3, Failures: 1.\n", failed: true, test: "CartTest::testAddsUp"},
		"phpunit passes":          {output: "OK (3 tests, 4 assertions)\n"},
		"junit fails":             {output: "[ERROR] CartTest.addsUp:12 expected 4\nTests run: 3, Failures: 1, Errors: 0, Skipped: 0\n", failed: true, test: "CartTest.addsUp:12"},
		"junit passes":            {output: "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n"},
		"mocha fails":             {output: "  2 passing (3ms)\n  1 failing\n", failed: true},
		"mocha passes":            {output: "  2 passing (3ms)\n"},
		"unittest fails":          {output: "FAIL: test_total (tests.CartTest)\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n", failed: true, test: "test_total (tests.CartTest)"},
		"go without a test":       {output: "ok  \tshop/cart\t0.01s [no tests to run]\n", unseen: true},
		"unittest without a test": {output: "Ran 0 tests in 0.000s\n\nOK\n", unseen: true},
		"mocha without a test":    {output: "  0 passing (1ms)\n", unseen: true},
		"rspec without a test":    {output: "0 examples, 0 failures\n", unseen: true},
		"coloured":                {output: "\x1b[31m--- FAIL: TestTotal (0.00s)\x1b[0m\n", failed: true, test: "TestTotal"},
	} {
		t.Run(name, func(t *testing.T) {
			r := ReadReport(tt.output)
			if r.Failed != tt.failed || r.seen == tt.unseen {
				t.Errorf("failed %v, seen %v: %+v", r.Failed, r.seen, r)
			}
			if tt.test != "" && !slices.Contains(r.Tests, tt.test) {
				t.Errorf("failing tests %q, want %q", r.Tests, tt.test)
			}
			if tt.failing != "" && !slices.Contains(r.Failing, tt.failing) {
				t.Errorf("failing files %q, want %q", r.Failing, tt.failing)
			}
			if tt.passing != "" && !slices.Contains(r.Passing, tt.passing) {
				t.Errorf("passing files %q, want %q", r.Passing, tt.passing)
			}
		})
	}
}
