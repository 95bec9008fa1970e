package spectest_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// samples are the files of a tool: real sessions, and those that a live check
// of its facts left behind.
func samples(t *testing.T, tool string) []string {
	t.Helper()
	if len(sampleFolders("", tool)) == 0 {
		t.Skip("the corpora have no files of it that are read from their start to their end")
	}
	var files []string
	for _, root := range spectest.Corpora(t) {
		files = append(files, samplesIn(root, tool)...)
	}
	if len(files) == 0 {
		t.Errorf("no file of %s in the corpora", tool)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// sampleFolders are where the files of a tool lie in a corpus, and beside it.
func sampleFolders(root, tool string) []string {
	return map[string][]string{
		"claude-code": {filepath.Join(root, "claude"), filepath.Join(root, "..", "facts", "claude-code", "transcripts")},
		"codex":       {filepath.Join(root, "codex"), filepath.Join(root, "..", "facts", "codex", "rollouts")},
		"copilot-vscode": {
			filepath.Join(root, "copilot-vscode"), filepath.Join(root, "..", "facts", "copilot-vscode", "workspaceStorage", "3c2b1a09f8e7d6c5b4a3928170695847", "chatSessions"),
			filepath.Join(root, "..", "facts", "copilot-vscode", "torn"),
		},
		"aider":        {filepath.Join(root, "aider"), filepath.Join(root, "..", "facts", "aider", "repo")},
		"copilot-cli":  {filepath.Join(root, "copilot-cli"), filepath.Join(root, "..", "facts", "copilot-cli", "transcripts")},
		"opencode":     {filepath.Join(root, "opencode"), filepath.Join(root, "..", "facts", "opencode", "transcripts")},
		"qwen-code":    {filepath.Join(root, "..", "facts", "samples-qwen-code")},
		"pi":           {filepath.Join(root, "pi"), filepath.Join(root, "..", "facts", "samples-pi")},
		"kimi-code":    {filepath.Join(root, "..", "facts", "samples-kimi-code")},
		"mistral-vibe": {filepath.Join(root, "..", "facts", "samples-mistral-vibe", "session", "chunks"), filepath.Join(root, "..", "facts", "samples-mistral-vibe", "session", "journal")},
		"gemini-cli":   {filepath.Join(root, "gemini"), filepath.Join(root, "..", "facts", "gemini-cli", "transcripts")},
	}[tool]
}

func samplesIn(root, tool string) []string {
	ends := map[string][]string{"aider": {".aider.chat.history.md"}, "copilot-vscode": {".json"}, "opencode": {".json"}, "mistral-vibe": {".json"}, "gemini-cli": {"-f7633853.json", "-fa4593e0.json", ".turns.json"}}
	var files []string
	for _, folder := range sampleFolders(root, tool) {
		_ = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			isSample := func(end string) bool { return strings.HasSuffix(path, end) }
			if err == nil && !strings.Contains(path, "extension-events") && filepath.Base(path) != "session_index.jsonl" && slices.ContainsFunc(append(ends[tool], ".jsonl"), isSample) {
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}

func TestCorpusIsReadWhole(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		var total transcript.Coverage
		for _, file := range samples(t, spec.Tool) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			events, coverage, _, err := spectest.ReadAll(reader, transcript.Source{Tool: spec.Tool, Path: file}, data, transcript.Position{})
			if err != nil {
				t.Errorf("%s: %v", file, err)
			}
			total.Add(coverage)
			if coverage.Records > coverage.Skipped {
				checkSession(t, file, events)
			}
		}
		known := float64(total.Read+total.Skipped) / float64(total.Records)
		if known < 0.99 {
			t.Errorf("%.2f %% of %d records are known", 100*known, total.Records)
		}
		unknown, _ := json.Marshal(total.Unknown)
		t.Logf("%d records, %d read, %d skipped, %d broken, %.2f %% known; unknown: %s",
			total.Records, total.Read, total.Skipped, total.Broken, 100*known, unknown)
	})
}

// checkSession wants a session with something in it: prompts, answers, results
// that belong to calls, ids that are unique.
func checkSession(t *testing.T, file string, events []transcript.Located) {
	t.Helper()
	count := map[transcript.Kind]int{}
	calls, ids := map[string]bool{}, map[string]bool{}
	said, orphans := 0, 0
	for _, event := range events {
		count[event.Kind]++
		if ids[event.ID] {
			t.Errorf("%s: line %d: id %s is used twice", file, event.Ref.Line, event.ID)
		}
		ids[event.ID] = true
		if event.Session == "" || event.Tool == "" {
			t.Errorf("%s: line %d: %s of no session", file, event.Ref.Line, event.Kind)
		}
		switch event.Kind {
		case transcript.Call:
			calls[event.Call.ID] = true
		case transcript.Result:
			if !calls[event.Result.CallID] {
				orphans++
			}
		case transcript.Prompt:
			if event.Origin != transcript.Machine {
				said++
			}
		}
	}
	// A subagent's prompt may be encrypted; a session resumed by Gemini CLI
	// leaves a second file that only opens it.
	opened := len(events) > 0 && count[transcript.Session] == len(events)
	if count[transcript.Prompt] == 0 && !opened && (len(events) == 0 || !events[0].Subagent) {
		t.Errorf("%s has no prompt: %v", file, count)
	}
	if said > 0 && count[transcript.Reply]+count[transcript.Call]+count[transcript.Turn] == 0 {
		t.Errorf("%s has %d prompts and no answer", file, said)
	}
	if orphans > 0 {
		t.Logf("%s: %d of %d results without their call", file, orphans, count[transcript.Result])
	}
}

func TestCorpusGivesTheSameEventsUnderAnyCut(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		for _, file := range samples(t, spec.Tool) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !spectest.Appended(spec, file) {
				continue
			}
			if err := spectest.SameInParts(reader, transcript.Source{Tool: spec.Tool, Path: file}, data, len(data)/5+1); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	})
}

// forEachTool runs a check on every tool there is.
func forEachTool(t *testing.T, check func(*testing.T, *toolspecs.Spec, transcript.Reader)) {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	for _, err := range failed {
		t.Fatal(err)
	}
	for _, spec := range table.All() {
		t.Run(spec.Tool, func(t *testing.T) {
			reader, err := readers.For(spec)
			if err != nil {
				t.Fatal(err)
			}
			check(t, spec, reader)
		})
	}
}
