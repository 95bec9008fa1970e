package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// onlyInTheHistory stands in what the session wrote and read, and in no handoff of it.
const onlyInTheHistory = "assert parser.parse("

// deletions are the ways in which a session of each tool goes: Claude Code deletes what
// is older than 30 days when it starts; OpenCode has a command; of the others a person
// deletes the file.
var deletions = map[string]func(t *testing.T, s *stage, session string, files []string){
	"claude-code": func(t *testing.T, s *stage, _ string, files []string) {
		old := time.Now().AddDate(0, 0, -45)
		for _, file := range files {
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(filepath.Dir(files[0]), old, old); err != nil {
			t.Fatal(err)
		}
		s.ends(t, "claude-code", files)
	},
	"codex":      removeFiles,
	"gemini-cli": removeFiles,
	"opencode": func(t *testing.T, s *stage, session string, _ []string) {
		if out := s.agents["opencode"].Command("session", "delete", session); out.Code != 0 {
			t.Fatalf("session delete: %+v", out)
		}
	},
}

func removeFiles(t *testing.T, _ *stage, _ string, files []string) {
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// ends has a program started by a person until the files are gone: it deletes them in
// the background.
func (s *stage) ends(t *testing.T, tool string, files []string) {
	t.Helper()
	term := s.open(tool)
	defer term.Kill()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if _, err := os.Stat(files[0]); err != nil {
			return
		}
	}
	t.Logf("%s did not delete %s: it is deleted by hand", tool, files[0])
	removeFiles(t, s, "", files)
}

// A session that its tool has deleted is given back, byte for byte where its transcript
// is a file, and the tool itself resumes it.
func TestRescue_TheToolResumesTheSession(t *testing.T) {
	for tool, remove := range deletions {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, tool)
			s.work()
			quietAboutUs(t, s.agents[tool].Prompt(s.Project, request))
			eventually(t, "the handoff is in the project", func() bool {
				return strings.Contains(s.Read(filepath.Join(s.Project, ".carryover", "handoff.md")), nextAction)
			})
			var handoff struct {
				Session string `json:"session"`
			}
			s.Must(s.Project, "handoff", "--json").JSON(t, &handoff)
			session := handoff.Session
			s.Must(s.Project, "daemon", "stop") // and all is kept
			before := transcriptsOf(s, tool, session)
			files := make([]string, 0, len(before))
			for file := range before {
				files = append(files, file)
			}
			if tool != "opencode" { // there it is a document of its own
				if refused := s.Carryover(s.Project, "rescue", session); refused.Code == 0 {
					t.Errorf("a transcript that is there was overwritten: %+v", refused)
				}
			}
			remove(t, s, session, files)
			rescued := s.Must(s.Project, "rescue", session)
			t.Log(rescued.Stdout)
			for file, want := range before {
				if got := s.Read(file); got != want {
					t.Errorf("%s has %d bytes, want %d", file, len(got), len(want))
				}
			}
			if tool == "opencode" {
				if out := s.agents[tool].Command("import", filepath.Join(s.Dir, ".carryover", "rescued", session+".json")); out.Code != 0 {
					t.Fatalf("import: %+v", out)
				}
			}
			s.resumes(t, tool, session)
		})
	}
}

// resumes asserts that the tool has the session's own history.
func (s *stage) resumes(t *testing.T, tool, session string) {
	t.Helper()
	s.knows(t, func() runner.Output { return s.agents[tool].Resume(s.Project, session, "Go on for a moment") })
}

// knows asserts that what a run asks the model begins with the session's own history.
func (s *stage) knows(t *testing.T, run func() runner.Output) {
	t.Helper()
	seen := len(s.model.Requests(mockmodel.Turn))
	out := run()
	var texts []string
	for _, r := range s.model.Requests(mockmodel.Turn)[seen:] {
		texts = append(texts, r.Text())
	}
	if all := strings.Join(texts, "\n"); !strings.Contains(all, onlyInTheHistory) {
		t.Errorf("the resumed session has no history: %+v\n%s", out, excerpt(all))
	}
}

// transcriptsOf are the files of a session with their content; none of a database.
func transcriptsOf(s *stage, tool, session string) map[string]string {
	roots := map[string]string{"claude-code": ".claude/projects", "codex": ".codex/sessions", "gemini-cli": ".gemini/tmp"}
	found := map[string]string{}
	if roots[tool] == "" {
		return found
	}
	_ = filepath.WalkDir(filepath.Join(s.Dir, roots[tool]), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".jsonl") && (strings.Contains(path, session) || tool == "gemini-cli" && strings.Contains(path, "/chats/")) {
			found[path] = s.Read(path)
		}
		return nil
	})
	return found
}
