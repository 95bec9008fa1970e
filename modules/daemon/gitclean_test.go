package daemon_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

var someVersion = regexp.MustCompile(`\d+\.\d+(\.\d+)?`)

// deliverers are the tools whose hooks deliver a handoff, each with a version of it.
func deliverers(table *toolspecs.Table) map[string]string {
	tools := map[string]string{}
	for _, spec := range table.All() {
		if len(spec.Versions) == 0 {
			continue
		}
		version := someVersion.FindString(spec.Versions[len(spec.Versions)-1].Range)
		if strings.Count(version, ".") == 1 {
			version += ".0"
		}
		if version != "" && publish.Delivers(table, spec.Tool, version) {
			tools[spec.Tool] = version
		}
	}
	return tools
}

// payloadOf is what a tool hands to one of its hooks, as far as its spec says.
func payloadOf(hook toolspecs.Hook, values map[string]string) map[string]string {
	payload := map[string]string{"hook_event_name": hook.Event}
	for ours, field := range hook.Stdin {
		name, _, _ := strings.Cut(field, "|")
		if value := values[ours]; value != "" && !strings.HasPrefix(name, "$") {
			payload[name] = value
		}
	}
	return payload
}

// After a day of work, with all tools that have hooks which deliver, git sees nothing of
// ours in a project: no file is changed, none is new.
func TestADayOfWork_LeavesGitStatusClean(t *testing.T) {
	w := newWorld(t)
	table, _ := toolspecs.Load(nil)
	tools := deliverers(table)
	if len(tools) < 5 {
		t.Fatalf("only %v deliver", tools)
	}
	if err := w.home.Make(); err != nil {
		t.Fatal(err)
	}
	record := wiring.Record{Installed: time.Now().Add(-time.Hour).UTC()}
	for tool, version := range tools {
		record.Files = append(record.Files, wiring.FileRecord{Tool: tool, Path: tool + ".json", Version: version})
	}
	if err := record.Write(w.home); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.hook("claude-code", "Stop", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
	handoff := filepath.Join(w.project, ".carryover", "handoff.md")
	w.eventually("the handoff is published", func() bool {
		data, err := os.ReadFile(handoff)
		return err == nil && bytes.Contains(data, []byte("Parse the dates"))
	})
	fired := 0
	for tool, version := range tools {
		spec, err := table.Lookup(tool)
		if err != nil {
			t.Fatal(err)
		}
		resolved, err := spec.Resolve(version)
		if err != nil {
			t.Fatal(err)
		}
		for _, hook := range resolved.Hooks {
			payload := payloadOf(hook, map[string]string{
				"session": second, "cwd": w.project, "source": "startup", "prompt": "Go on.", "trigger": "auto", "reason": "exit", "tool_use_id": "t1",
			})
			w.hook(tool, hook.Event, payload)
			fired++
		}
	}
	if fired < 20 {
		t.Errorf("only %d hooks came", fired)
	}
	w.works(third, w.project, "Now the times, too")
	w.hook("claude-code", "SessionEnd", map[string]string{"session_id": third, "cwd": w.project, "transcript_path": w.transcript(third), "reason": "exit"})
	w.eventually("the last handoff is published", func() bool {
		data, err := os.ReadFile(handoff)
		return err == nil && bytes.Contains(data, []byte("Now the times"))
	})
	out, err := exec.Command("git", "-C", w.project, "status", "--porcelain", "--untracked-files=all").Output()
	if err != nil || len(out) > 0 {
		t.Errorf("git sees (%v)\n%s", err, out)
	}
}
