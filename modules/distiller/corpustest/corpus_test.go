// Package corpustest folds every real transcript that is at hand and holds the
// handoffs to what must be true of all of them.
package corpustest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// folders are where the corpus keeps the transcripts of each tool that are read
// line by line or as a whole file.
var folders = map[string]string{
	"claude": "claude-code", "codex": "codex", "gemini": "gemini-cli", "copilot-cli": "copilot-cli", "copilot-vscode": "copilot-vscode", "aider": "aider", "opencode": "opencode",
}

func TestEveryRealSession(t *testing.T) {
	roots := spectest.Corpora(t)
	table, problems := toolspecs.Load(nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for folder, tool := range folders {
		spec, err := table.Lookup(tool)
		if err != nil {
			t.Fatal(err)
		}
		reader, err := readers.For(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, root := range roots {
			for _, file := range transcripts(t, filepath.Join(root, folder)) {
				if recognised(t, table, file) != tool {
					continue // what stands beside the transcripts
				}
				t.Run(folder+"/"+filepath.Base(file), func(t *testing.T) {
					check(t, read(t, reader, tool, file))
				})
			}
		}
	}
}

func recognised(t *testing.T, table *toolspecs.Table, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	tool, _ := table.Recognise(file, head[:n])
	return tool
}

func transcripts(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func read(t *testing.T, reader transcript.Reader, tool, path string) []transcript.Located {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoder, err := reader.Decode(transcript.Source{Tool: tool, Path: path}, file, transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	var events []transcript.Located
	for {
		batch, err := decoder.Next()
		events = append(events, batch.Events...)
		if errors.Is(err, io.EOF) {
			return events
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func check(t *testing.T, events []transcript.Located) {
	// As a compaction would see it at any time, and at the end.
	for _, share := range []int{3, 6, 10} {
		part := events[:len(events)*share/10]
		facts := extract.Fold(distiller.Facts{}, extract.Options{}, slices.Values(part))
		text := render.Handoff(facts, render.Options{})
		bounds(t, text)
		task(t, facts, part)
	}
	facts := extract.Fold(distiller.Facts{}, extract.Options{}, slices.Values(events))
	text := render.Handoff(facts, render.Options{})
	if again := render.Handoff(extract.Fold(distiller.Facts{}, extract.Options{}, slices.Values(events)), render.Options{}); again != text {
		t.Error("the same events gave another text")
	}
	bounds(t, render.Handoff(facts, render.Options{Explain: true}))
	bounds(t, render.Handoff(facts, render.Options{Shape: render.Human}))
	oneByOne(t, events, facts)
}

// oneByOne adds the events singly, folding again where that is asked for.
func oneByOne(t *testing.T, events []transcript.Located, want distiller.Facts) {
	t.Helper()
	state := extract.New(distiller.Facts{}, extract.Options{})
	folds := 0
	for i, e := range events {
		if !state.Add(e) {
			state = extract.Replay(distiller.Facts{}, extract.Options{}, slices.Values(events[:i+1]))
			folds++
		}
	}
	if got := state.Facts(); !reflect.DeepEqual(got, want) {
		t.Errorf("adding one by one (%d folds) gave other facts:\n%+v\n%+v", folds, got, want)
	}
}

func bounds(t *testing.T, text render.Text) {
	t.Helper()
	if text.Lines() > 46 || text.Bytes() > 8000 {
		t.Errorf("%d lines, %d bytes", text.Lines(), text.Bytes())
	}
	for line := range strings.Lines(string(text)) {
		if n := utf8.RuneCountInString(line); n > 241 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
}

var (
	nudge   = regexp.MustCompile(`(?i)^\W*(?:yes|y|yep|ok|okay|ok do it|do it|go|go on|go ahead|continue|proceed|sure|thanks|next|weiter|devam|계속|继续)\W*$`)
	command = regexp.MustCompile(`^\W?/[a-z][\w-]*(?:\s|$)`)
	machine = regexp.MustCompile(`(?i)<(?:local-command|command-name|command-message|bash-(?:in|std)|system-reminder|environment_context|recommended_plugins|task-notification|user-prompt-submit-hook|ide_)|^\W?caveat:|this session is being continued|\[request interrupted|\[carryover\]`)
)

// task asserts that there is one whenever somebody asked for something, and that
// it is a request.
func task(t *testing.T, f distiller.Facts, events []transcript.Located) {
	t.Helper()
	active := slices.ContainsFunc(events, func(e transcript.Located) bool {
		return !e.Subagent && !e.Withdrawn && e.Kind == transcript.Prompt && e.Origin == transcript.Typed && len(strings.Fields(e.Text)) > 4 && !strings.ContainsAny(e.Text, "<#/")
	})
	if f.Task == nil {
		if active {
			t.Error("no task")
		}
		return
	}
	for name, text := range map[string]string{"task": f.Task.Text, "goal": f.Task.Goal} {
		if nudge.MatchString(text) || command.MatchString(text) || machine.MatchString(text) {
			t.Errorf("%s is no request: %q", name, text)
		}
		if strings.Count(text, "\n") > 0 {
			t.Errorf("%s is not one line: %q", name, fmt.Sprintf("%.80s", text))
		}
	}
}
