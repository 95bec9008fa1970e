package scenario

import (
	"encoding/json"
	"testing"
)

// staysHealthy has every scenario end with a doctor's visit: nothing is wrong with a home
// in which all went well, and a warning that comes all the same is a false alarm. What a
// scenario breaks on purpose is said with expectWarnings.
func (s *stage) staysHealthy(t *testing.T) {
	t.Cleanup(func() {
		if t.Failed() || t.Skipped() || s.broken {
			return
		}
		s.Carryover(s.Dir, "daemon", "start")
		out := s.Carryover(s.Dir, "doctor", "--json")
		var report struct {
			Checks []struct{ Name, Result, Message string }
		}
		if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil || len(report.Checks) == 0 {
			t.Errorf("doctor said %q, %q: %v", out.Stdout, out.Stderr, err)
		}
		for _, check := range report.Checks {
			if bad := check.Result == "warning" || check.Result == "error"; bad && check.Name != notReviewed {
				t.Errorf("doctor: %s of %s: %s", check.Result, check.Name, check.Message)
			}
		}
	})
}

// notReviewed is true of every home here: Codex is started past the review of its hooks.
const notReviewed = "codex-trust"

// expectWarnings says that the scenario breaks something that the doctor must find.
func (s *stage) expectWarnings() { s.broken = true }
