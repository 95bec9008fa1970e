package hookclient_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/spectest"
)

// variables is an environment in which each tool names its folder.
func variables(name string) string {
	if strings.HasSuffix(name, "_PROJECT_DIR") {
		return "/home/dev/shop"
	}
	return ""
}

// What the payload of any tool says by its own names stands in the note.
func TestFallback_NoteNamesTheSessionOfEveryTool(t *testing.T) {
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	for _, spec := range table.All() {
		payloads, err := spectest.Payloads(spec.Tool)
		if err != nil {
			t.Fatal(err)
		}
		for _, payload := range payloads {
			hook, _ := spec.Hook(payload.Event)
			var members map[string]json.RawMessage
			if !hook.Wired || json.Unmarshal(payload.Data, &members) != nil {
				continue
			}
			c, _ := call(t, spec.Tool, payload.Event, string(payload.Data))
			c.Getenv = variables
			c.Run()
			notes := spooled(t, c.Home)
			if len(notes) != 1 {
				t.Fatalf("%s of %s left %d notes", payload.Name, spec.Tool, len(notes))
			}
			env := map[string]string{"CURSOR_PROJECT_DIR": variables("CURSOR_PROJECT_DIR"), "DEVIN_PROJECT_DIR": variables("DEVIN_PROJECT_DIR")}
			noted := map[string]string{"session": notes[0].Session, "transcript": notes[0].Transcript, "cwd": notes[0].Cwd, "source": notes[0].Source, "tool_use_id": notes[0].ToolUse}
			for ours, got := range noted {
				want := hook.Text(members, env, ours)
				if want != "" && got != want {
					t.Errorf("%s of %s: %s is %q, by the spec %q", payload.Name, spec.Tool, ours, got, want)
				}
			}
		}
	}
}

func TestFallback_UnreadableInputLeavesNothing(t *testing.T) {
	for _, input := range []string{"", "no JSON", "[]", `{"session_id":`} {
		c, out := call(t, "codex", "SessionStart", input)
		c.Run()
		if notes := spooled(t, c.Home); out.Len() > 0 || len(notes) > 0 {
			t.Errorf("%q printed %q and left %d notes", input, out, len(notes))
		}
	}
}

func TestFallback_MembersOfAnotherTypeAreNoTexts(t *testing.T) {
	c, _ := call(t, "codex", "Stop", `{"session_id":7,"transcript_path":{"a":1},"cwd":[],"agent_id":null}`)
	c.Run()
	if notes := spooled(t, c.Home); len(notes) != 1 || notes[0].Session+notes[0].Transcript+notes[0].Cwd != "" {
		t.Errorf("the notes are %+v", notes)
	}
}

// Half a path points nowhere.
func TestFallback_OverlongTextsAreLeftOut(t *testing.T) {
	c, _ := call(t, "codex", "Stop", fmt.Sprintf(`{"session_id":"s","transcript_path":%q}`, strings.Repeat("x", 401)))
	c.Run()
	if notes := spooled(t, c.Home); len(notes) != 1 || notes[0].Session != "s" || notes[0].Transcript != "" {
		t.Errorf("the notes are %+v", notes)
	}
}

func TestFallback_FullSpoolCountsWhatIsLost(t *testing.T) {
	c, _ := call(t, "codex", "Stop", `{"session_id":"s"}`)
	if err := os.MkdirAll(c.Home.Spool(), 0o700); err != nil {
		t.Fatal(err)
	}
	for n := range 10_000 {
		if err := os.WriteFile(filepath.Join(c.Home.Spool(), fmt.Sprintf("%d.tmp", n)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for want := range 2 {
		c.Stdin, c.Start = strings.NewReader(`{"session_id":"s"}`), time.Now()
		c.Run()
		if lost, err := os.ReadFile(filepath.Join(c.Home.Spool(), "lost")); err != nil || len(lost) != want+1 {
			t.Errorf("%d lost, %v", len(lost), err)
		}
	}
	if notes := spooled(t, c.Home); len(notes) > 0 {
		t.Errorf("%d notes were left", len(notes))
	}
}

// The first line of a transcript says that nobody attends the run, later ones
// do not.
func TestFallback_OnlyTheFirstLineOfATranscriptCounts(t *testing.T) {
	const mark = `{"type":"session_meta","payload":{"source":"exec"}}` + "\n"
	for name, test := range map[string]struct{ tool, text, want string }{
		"marked":           {"codex", mark, "SILENT\nbody\n"},
		"marked later":     {"codex", "{}\n" + mark, "ASK\nbody\n"},
		"of another tool":  {"claude-code", mark, "ASK\nbody\n"},
		"empty transcript": {"codex", "", "ASK\nbody\n"},
	} {
		t.Run(name, func(t *testing.T) {
			project, file := t.TempDir(), filepath.Join(t.TempDir(), "t.jsonl")
			if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			c, out := call(t, test.tool, "SessionStart", fmt.Sprintf(`{"session_id":"new","cwd":%q,"transcript_path":%q}`, project, file))
			leave(t, c.Home, project, c.Start)
			c.Run()
			if out.String() != test.want {
				t.Errorf("printed %q", out)
			}
		})
	}
}

func TestFallback_BrokenHandoffFileGivesNothing(t *testing.T) {
	project := t.TempDir()
	c, out := call(t, "claude-code", "SessionStart", fmt.Sprintf(`{"session_id":"new","cwd":%q}`, project))
	if err := c.Home.Make("handoffs"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.Home.Handoffs(), home.ProjectKey(home.WorktreeRoot(project))+".json")
	if err := os.WriteFile(path, []byte("{half"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Run()
	if out.Len() > 0 {
		t.Errorf("printed %q", out)
	}
}
