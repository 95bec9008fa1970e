package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
)

// What a closing reply leaves to others comes next: commands that the person was given, and
// code that stands in no file yet.
func TestNext_IsWhatTheReplyLeavesToOthers(t *testing.T) {
	deploy := "The host takes its packages from one list now. Switch to it:\n```bash\ncd hosts\n# asks for the password\nsudo rebuild switch --host shop\n```"
	code := "Two arguments are all it takes:\n```csharp\nvar slip = Math.Max(a, b);\nslip = Math.Max(slip, c);\nreturn slip;\n```"
	for name, tt := range map[string]struct {
		session func(*script.Session)
		next    string
		not     string
	}{
		"commands for the person": {func(s *script.Session) {
			s.Edit(root + "/hosts.nix").Agent(deploy)
		}, "given commands to run, which were not run here: `sudo rebuild switch --host shop`", "cd hosts"},
		"a command over several lines": {func(s *script.Session) {
			s.Edit(root + "/hosts.nix").Agent("Commit it yourself:\n```bash\ngit add hosts.nix && \\\n  git commit -m \"$(cat <<'EOF'\none list\n\nfor all hosts\nEOF\n)\"\ngit push\n```")
		}, "`git add hosts.nix && git commit -m \"$(cat <<'EOF' …`, `git push`", "for all hosts"},
		"commands that were run": {func(s *script.Session) {
			s.Edit(root+"/hosts.nix").Shell("cd hosts && sudo rebuild switch --host shop", 0, "done").Agent(deploy)
		}, "uncommitted", "given commands"},
		"what a command prints": {func(s *script.Session) {
			s.Read(root + "/a.go").Agent("It prints:\n```text\nall is well today\n```")
		}, "Nothing is open", "given commands"},
		"code that was only shown": {func(s *script.Session) {
			s.Agent(code)
		}, "put the code of the reply (3 lines) into the files", "Nothing is open"},
		"code of a file that was read": {func(s *script.Session) {
			s.Read(root + "/Wheel.cs").Agent(code)
		}, "Nothing is open", "put the code"},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("make the export of orders stream its rows")
			tt.session(s)
			next := fold(s).Next
			if next == nil || !strings.Contains(next.Text, tt.next) || strings.Contains(next.Text, tt.not) {
				t.Errorf("got %+v", next)
			}
		})
	}
}
