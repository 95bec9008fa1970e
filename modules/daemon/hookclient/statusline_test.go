package hookclient_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/hookclient"
)

// The status line names the project, the context usage that the caller gives, and
// the handoff that is ready; a stale one is not.
func TestStatusLine_SaysWhatIsReady(t *testing.T) {
	dir, project := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), "shop\x1b]0;x\x07")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	line := func(input string) string {
		var out bytes.Buffer
		hookclient.StatusLine(dir, project, strings.NewReader(input), &out, now)
		return out.String()
	}
	if got := line(""); got != "shop]0;x\n" {
		t.Errorf("without a handoff: %q", got)
	}
	if err := dir.Make("handoffs"); err != nil {
		t.Fatal(err)
	}
	for updated, want := range map[time.Time]string{
		now.Add(-3 * time.Minute):     "shop]0;x · 42 % context · handoff of codex, 3m\n",
		now.Add(-20 * 24 * time.Hour): "shop]0;x · 42 % context\n",
	} {
		data, err := json.Marshal(home.Fallback{Tool: "codex", Session: "s", Updated: updated.Unix(), Limit: 14 * 24 * 3600})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir.Handoffs(), home.ProjectKey(project)+".json"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := line(`{"cwd":"/elsewhere","context_window":{"used_percentage":42.4}}`); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Whoever keeps its input open is not waited for, and a share of the context that cannot
// be one is not shown.
func TestStatusLine_DoesNotWaitForItsInput(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = write.Close(), read.Close() })
	project := filepath.Join(t.TempDir(), "shop")
	ended := make(chan string, 1)
	go func() {
		var out bytes.Buffer
		hookclient.StatusLine(home.Dir(t.TempDir()), project, read, &out, time.Now())
		ended <- out.String()
	}()
	select {
	case got := <-ended:
		if got != "shop\n" {
			t.Errorf("%q", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits")
	}
	var out bytes.Buffer
	hookclient.StatusLine(home.Dir(t.TempDir()), project, strings.NewReader(`{"context_window":{"used_percentage":1e308}}`), &out, time.Now())
	if out.String() != "shop\n" {
		t.Errorf("%q", out.String())
	}
}
