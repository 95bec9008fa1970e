package extract_test

import (
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
)

// What a formatter that writes, and a run without a test, leave of a request is no passed check.
func TestOutcome_NoCheckThatExaminedNothing(t *testing.T) {
	begin := func() *script.Session {
		return session().User("Add the user agent to all requests").Edit(root + "/agent.go")
	}
	for name, tt := range map[string]struct {
		session *script.Session
		want    string
	}{
		"a formatter that writes": {begin().Shell("cargo fmt", 0, ""), "changed 1 file, not checked"},
		"a formatter that checks": {begin().Shell("cargo fmt --check", 0, ""), "changed 1 file, format check passed, no test ran"},
		"a run without a test":    {begin().Shell("go test ./agent -run None", 0, "ok  \tshop/agent\t0.1s [no tests to run]"), "changed 1 file, not checked"},
		"words behind ||":         {begin().Shell("npm run lint 2>/dev/null || echo 'lint is fine'", 0, "lint is fine"), "changed 1 file, lint failed last"},
	} {
		if f := fold(tt.session); f.Requests[0].Outcome != tt.want {
			t.Errorf("%s: %q, want %q", name, f.Requests[0].Outcome, tt.want)
		}
	}
}
