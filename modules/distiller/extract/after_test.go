package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What happened after something was said stands before it: a commit that was written anew, a
// wait that goes on, a step whose commit was pushed.
func TestWhatHappenedAfter(t *testing.T) {
	commit := func(id string) string { return "[main " + id + "] total\n 1 file changed" }
	for name, tt := range map[string]struct {
		session    func(*script.Session)
		tells, not string
	}{
		"a commit that was amended": {func(s *script.Session) {
			s.Edit(root+"/cart.go").Shell("git commit -m total", 0, commit("abc1234")).Agent("Committed.").
				User("the trailer names another model, fix it").Shell("git commit --amend -m total", 0, commit("def5678")).Agent("Amended.")
		}, "committed def5678", "abc1234"},
		"HEAD beside another commit": {func(s *script.Session) {
			s.Edit(root+"/cart.go").Shell("git commit -m total", 0, commit("abc1234")).Shell("git log -1 --format='%H %s' v0.7; git log --oneline -1", 0, "1234567890123456789012345678901234567890 older\nabc1234 total").Agent("Committed.")
		}, "HEAD was `abc1234`", "HEAD was `1234567"},
		"a wait in the background": {func(s *script.Session) {
			s.Edit(root+"/cart.go").Shell("git commit -m total", 0, commit("abc1234")).Shell("git push", 0, "   1111111..abc1234  main -> main").
				Shell("sleep 120 && gh pr checks 234", 0, "Command running in background with ID: b1. Output is being written to: /tmp/b1.output").Agent("Waiting for the checks. Once they are green the branch is merged.")
		}, "waits for work in the background", "nothing waits"},
		"review threads that were answered": {func(s *script.Session) {
			s.Shell("gh api graphql -f query='mutation …'", 0, `{"data":{"addPullRequestReviewThreadReply":{"comment":{"url":"https://git.test/1"}}}}{"data":{"resolveReviewThread":{"thread":{"isResolved":true}}}}`).Agent("All threads are resolved.")
		}, "replied to review threads, resolved review threads", "looked into"},
		"a step that was delivered": {func(s *script.Session) {
			s.Todo(transcript.Item{Text: "Raise the version", State: "done"}, transcript.Item{Text: "Commit the version and push main", State: "doing"}).
				Edit(root+"/version.go").Shell("git commit -m total", 0, commit("abc1234")).Shell("git push", 0, "   1111111..abc1234  main -> main").Agent("Done: the version is raised, and it is on main.")
		}, "listed as doing, worked on since: Commit the version", "- doing: Commit"},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("make the cart count once, and release it")
			tt.session(s)
			if text := string(render.Handoff(fold(s), render.Options{})); !strings.Contains(text, tt.tells) || strings.Contains(text, tt.not) {
				t.Errorf("%q or %q:\n%s", tt.tells, tt.not, text)
			}
		})
	}
}
