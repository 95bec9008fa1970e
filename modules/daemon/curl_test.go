package daemon_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The line of docs/api.md does at a hook what our own client does.
func TestAHookByCurl(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("SKIPPED: curl is not installed")
	}
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Skip("SKIPPED: the module is tested without the documents of the repository")
	}
	var line string
	for _, text := range strings.Split(string(page), "\n") {
		if strings.HasPrefix(text, "curl") && strings.Contains(text, "/hook/") {
			line = text
		}
	}
	w := newWorld(t)
	w.install()
	w.start()
	w.works("0a000000-0000-4000-8000-000000000001", w.project, "Teach the parser to read dates.")
	w.ends("0a000000-0000-4000-8000-000000000001", w.project)
	curl := func(session string) string {
		payload, err := json.Marshal(map[string]string{
			"session_id": session, "cwd": w.project, "source": "startup", "transcript_path": w.transcript(session),
		})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "-c", strings.Replace(line, "$HOME/.carryover/run/s", w.home.Socket(), 1))
		cmd.Stdin = strings.NewReader(string(payload))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return string(out)
	}
	if got := curl("0b000000-0000-4000-8000-000000000002"); !strings.Contains(got, "Teach the parser to read dates.") {
		t.Errorf("got: %q", got)
	}
	w.stop()
	if got := curl("0c000000-0000-4000-8000-000000000003"); got != "" {
		t.Errorf("without a daemon it says %q", got)
	}
}
