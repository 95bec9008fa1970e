package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/integration/runner"
)

const day = 24 * time.Hour

// month is one session of a tool a while ago.
type month struct {
	age   time.Duration
	files map[string]string // by path
}

// lives has a tool work with its clock moved back, so that its own records are of that
// time, and gives the files it wrote the time they would have.
func (s *stage) lives(t *testing.T, tool string, age time.Duration) month {
	t.Helper()
	agent := s.agents[tool]
	agent.Extra = runner.Ago(t, age)
	before := transcriptsOf(s, tool, "")
	quietAboutUs(t, agent.Prompt(s.Project, request))
	agent.Extra = nil
	m := month{age: age, files: map[string]string{}}
	at := time.Now().Add(-age)
	for file, text := range transcriptsOf(s, tool, "") {
		if _, old := before[file]; old {
			continue
		}
		m.files[file] = text
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	// Claude Code cleans up once a day, by the time of this file.
	if err := os.Chtimes(filepath.Join(s.Dir, ".claude", ".last-cleanup"), at, at); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if len(m.files) == 0 {
		t.Fatalf("%s wrote no transcript", tool)
	}
	return m
}

// A month on the real programs: sessions are made with the clock moved back, the tool's
// own cleanup deletes those older than 30 days when it is started today, and after a
// rescue the tool resumes them. The younger ones stay. Codex and OpenCode delete nothing by
// themselves.
func TestMonth_TheToolResumesWhatItsCleanupDeleted(t *testing.T) {
	for _, tool := range []string{"claude-code", "gemini-cli"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, tool)
			s.work()
			old, young := s.lives(t, tool, 45*day), s.lives(t, tool, 26*day)
			known := s.captured(t, 2)
			s.Must(s.Project, "daemon", "stop") // and all is kept
			if doctor := s.Carryover(s.Project, "doctor"); !strings.Contains(doctor.Stdout, "will be deleted in 7d; all are kept") {
				t.Errorf("doctor does not tell what is deleted soon:\n%s", doctor.Stdout)
			}
			s.cleansUp(t, tool, old)
			for file := range young.files {
				if _, err := os.Stat(file); err != nil {
					t.Errorf("the session of %s ago is gone too", young.age)
				}
			}
			session := known[old.age]
			s.Must(s.Project, "rescue", session)
			for file, want := range old.files {
				if got := s.Read(file); got != want {
					t.Errorf("%s has %d bytes, want %d", file, len(got), len(want))
				}
			}
			s.knows(t, func() runner.Output {
				if tool == "gemini-cli" { // a run without a person takes "latest" elsewhere
					return s.agents[tool].Command("--resume", session, "-y", "-p", "Go on for a moment")
				}
				return s.agents[tool].Resume(s.Project, session, "Go on for a moment")
			})
		})
	}
}

// captured are the sessions in the ledger by their age in whole days.
func (s *stage) captured(t *testing.T, n int) map[time.Duration]string {
	t.Helper()
	found := map[time.Duration]string{}
	eventually(t, "all sessions are captured", func() bool {
		var list struct {
			Items []struct {
				Session string
				First   time.Time
			}
		}
		s.Must(s.Project, "sessions", "--json").JSON(t, &list)
		for _, item := range list.Items {
			found[time.Since(item.First).Truncate(day)] = item.Session
		}
		return len(found) == n
	})
	return found
}

// cleansUp has the tool worked with as a person does until it has deleted the files.
// Claude Code does so ten minutes after the first prompt, when nobody types: its clock
// runs faster.
func (s *stage) cleansUp(t *testing.T, tool string, old month) {
	t.Helper()
	if tool == "claude-code" {
		s.agents[tool].Extra = runner.Fast(t, 120)
	}
	term := s.open(tool)
	defer term.Kill()
	s.agents[tool].Extra = nil
	s.say(term, "Go on for a moment", "Nothing is changed yet")
	left := func() (files []string) {
		for file := range old.files {
			if _, err := os.Stat(file); err == nil {
				files = append(files, filepath.Base(file))
			}
		}
		return files
	}
	for deadline := time.Now().Add(60 * time.Second); len(left()) > 0; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not delete %s:\n%s", tool, left(), term.Screen())
		}
	}
}
