package containers

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/runner"
)

// A session of an agent in a container is carried in a bundle to a clone of its project
// outside, at another path and with a ledger of its own. The second import adds nothing.
func TestContainersABundleMeetsItsProjectOutside(t *testing.T) {
	s := newStage(t)
	s.work()
	inside := s.start(t, agents["claude-code"])
	inside.install()
	inside.prompt("Add a date parser in parser.py with a test; dates are ISO 8601 only.")
	inside.run("carryover", "daemon", "stop")
	file := filepath.Join(s.home.Dir, "proj.carryover")
	inside.run("carryover", "export", "--bundle", file)

	outside := runner.New(t, s.home.Model)
	clone := filepath.Join(outside.Dir, "another", "clone")
	outside.Write(filepath.Join(outside.Dir, ".gitconfig"), "[safe]\n\tdirectory = *\n") // the container's user owns it
	if out := outside.Run(outside.Dir, outside.Env(), "git", "clone", "-q", s.home.Project, clone); out.Code != 0 {
		t.Fatalf("git clone: %+v", out)
	}
	if out := outside.Carryover(outside.Project, "import", file); out.Code == 0 || !strings.Contains(out.Stderr, "first commit") {
		t.Errorf("another project took the bundle: %+v", out)
	}
	if out := outside.Must(clone, "import", file); !strings.Contains(out.Stdout, "1 of 1 session are new") {
		t.Errorf("it is not said what would be added: %+v", out)
	}
	outside.Must(clone, "import", file, "--yes")
	first := digest(t, outside, clone)
	var again struct{ Sessions, New, Added int }
	outside.Must(clone, "import", file, "--yes", "--json").JSON(t, &again)
	if again.Sessions != 1 || again.New != 0 || again.Added != 0 || digest(t, outside, clone) != first {
		t.Errorf("the second import changed something: %+v", again)
	}
	if handoff := outside.Must(clone, "handoff").Stdout; !strings.Contains(handoff, "Add a date parser") || !strings.Contains(handoff, "the parts to int in parser.py") {
		t.Errorf("the clone has no handoff of the work in the container:\n%s", handoff)
	}
}

// digest is that of a home's ledger.
func digest(t *testing.T, home *runner.Home, dir string) (sum string) {
	t.Helper()
	var answer struct{ SHA256 string }
	home.Must(dir, "ledger", "digest", "--json").JSON(t, &answer)
	if answer.SHA256 == "" {
		t.Fatal("the ledger has no digest")
	}
	return answer.SHA256
}
