package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/doctor"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/toolspecs"
)

// missing are the folders of Claude Code's transcripts that are gone, as the status
// has them.
func (w *world) missing() []view.MissingFolder {
	w.t.Helper()
	status, err := client.New(w.home).Status(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, tool := range status.Tools {
		if tool.Tool == "claude-code" {
			return tool.Missing
		}
	}
	return nil
}

// A folder of transcripts that is gone is told in the status, by doctor and in the
// log, with where the agent writes since.
func TestTranscripts_ToldWhenTheirFolderIsGone(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.works(first, w.project, "Parse the dates of the log file")
	w.start()
	w.eventually("the transcript is read", func() bool {
		return strings.Contains(w.starts(second, w.project, "startup")+w.why(second).Decision, "full")
	})
	if missing := w.missing(); len(missing) > 0 {
		t.Fatalf("missing: %+v", missing)
	}
	w.stop()
	projects := filepath.Join(w.user, ".claude", "projects")
	if err := os.Rename(projects, filepath.Join(w.user, "away")); err != nil {
		t.Fatal(err)
	}
	w.start()
	elsewhere := filepath.Join(w.user, "disk", third+".jsonl")
	w.write(elsewhere, strings.ReplaceAll(w.read(filepath.Join(w.user, "away", "-proj", first+".jsonl")), "11111111", "33333333"))
	w.hook("claude-code", "Stop", map[string]string{"session_id": third, "cwd": w.project, "transcript_path": elsewhere})
	w.eventually("the folder is told", func() bool { return len(w.missing()) == 1 && w.missing()[0].Now != "" })
	if got := w.missing()[0]; got.Path != projects || got.Transcripts != 1 || got.Now != filepath.Dir(elsewhere) {
		t.Errorf("missing: %+v", got)
	}
	w.eventually("the log tells of it", func() bool {
		log := w.read(w.home.Log())
		return strings.Contains(log, "a folder of transcripts is gone") && strings.Contains(log, projects)
	})
	table, _ := toolspecs.Load(nil)
	report := doctor.Run(t.Context(), w.home, table)
	warned := false
	for _, check := range report.Checks {
		warned = warned || check.Name == "claude-code-folder" && check.Result == doctor.Warning && strings.Contains(check.Message, projects)
	}
	if !warned {
		t.Errorf("doctor says %+v", report.Checks)
	}
}

func (w *world) read(path string) string {
	w.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}
