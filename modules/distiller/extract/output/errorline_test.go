package output

import "testing"

func TestErrorLine(t *testing.T) {
	const node = "node:internal/modules/run_main:123\n    triggerUncaughtException(\n    ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'till' imported from /home/dev/shop/a.mjs\n    at packageResolve (node:internal/modules/esm/resolve:873:9)\n  code: 'ERR_MODULE_NOT_FOUND'\n}\n\nNode.js v22.14.0"
	for name, tt := range map[string]struct{ output, want string }{
		"panic of Rust":             {"running 1 test\n\nthread 'cart::adds_up' panicked at src/cart.rs:10:5:\ncalled `Option::unwrap()` on a `None` value\nnote: run with `RUST_BACKTRACE=1`", "panicked at src/cart.rs:10:5: called `Option::unwrap()` on a `None` value"},
		"what Rust compared":        {"thread 'main' (4211) panicked at src/cart.rs:10:5:\nassertion `left == right` failed: sum\n  left: 3\n right: 4\nnote: run with", "panicked at src/cart.rs:10:5: assertion `left == right` failed: sum, left: 3, right: 4"},
		"panic far away":            {"thread 'main' panicked at /home/dev/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/till-0.2.0/src/drawer.rs:10:5:\nno drawer", "panicked at …/drawer.rs:10:5: no drawer"},
		"panic of an older Rust":    {"thread 'main' panicked at 'no drawer', src/cart.rs:10:5", "thread 'main' panicked at 'no drawer', src/cart.rs:10:5"},
		"panic without its message": {"thread 'main' panicked at src/cart.rs:10:5:", "thread 'main' panicked at src/cart.rs:10:5:"},
		"module that Node lacks":    {node, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'till' imported from /home/dev/shop/a.mjs"},
		"code that Node points at":  {"/home/dev/shop/a.js:3\n  throw new TillException(\n  ^\n\nTillError: no drawer\n    at main (a.js:3:9)", "TillError: no drawer"},
		"code that javac points at": {"Cart.java:3: error: ';' expected\n  fail(error: x)\n               ^\n1 error", "Cart.java:3: error: ';' expected"},
		"shell refuses a pattern":   {"(eval):1: no matches found: /tmp/shop*\nnode:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module '/tmp/shop/a.js'", "(eval):1: no matches found: /tmp/shop*"},
		"shell lacks a program":     {"zsh: command not found: till\nTraceback (most recent call last):\nValueError: empty", "zsh: command not found: till"},
		"shell says the line":       {"bash: line 3: cd: shop: No such file or directory\nError: no cart", "bash: line 3: cd: shop: No such file or directory"},
		"check failed by itself":    {"zsh: command not found: till\n--- FAIL: TestTotal (0.00s)\n    cart_test.go:9: error: got 1\nFAIL", "cart_test.go:9: error: got 1"},
		"shell lacks a locale":      {"bash: warning: setlocale: LC_ALL: cannot change locale (C.UTF-8)\nError: no cart", "Error: no cart"},
		"finding that is left":      {"src/cart.py:3:5: F821 Undefined name `total`\nFound 8 errors (7 fixed, 1 remaining).", "src/cart.py:3:5: F821 Undefined name `total`"},
		"rule of a linter, counted": {"$ lint\n\n  x eslint(sort-keys): Object keys should be sorted\n    ,-[shop/cart.tsx:6:16]\n\nFound 0 warnings and 1 error.", "x eslint(sort-keys): Object keys should be sorted"},
		"cause drawn as a branch":   {"2026-07-01T20:37:40Z  WARN till: drawer not found\nError: till::run::failed\n\n  × Command failed: bats test\n  ╰─▶ No such file or directory (os error 2)\n\n[test] ERROR task failed", "× Command failed: bats test: No such file or directory (os error 2)"},
		"message that leads on":     {"error: rustc 1.93.0 is not supported by the following package:\n  till@6.7.1 requires rustc 1.95\nEither upgrade", "error: rustc 1.93.0 is not supported by the following package: till@6.7.1 requires rustc 1.95"},
		"causes in a list":          {"Error: the till did not open\n\nCaused by:\n    0: no drawer\n    1: drawer 7 is locked", "Error: the till did not open: drawer 7 is locked"},
		"cause of cargo":            {"error: failed to download `till`\n\nCaused by:\n  Could not resolve host\n", "error: failed to download `till`: Could not resolve host"},
		"Prettier among warnings":   {"[warn] src/cart.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.\n\n/shop/src/cart-errors.ts\n  3:1  warning  Unexpected any", "Code style issues found in the above file. Run Prettier with --write to fix."},
	} {
		if got := ErrorLine(tt.output); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
