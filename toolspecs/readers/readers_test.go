package readers_test

import (
	"bytes"
	"errors"
	"testing"
	"testing/fstest"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestFor_ToolWithoutReaderIsUnknown(t *testing.T) {
	if _, err := readers.For(&toolspecs.Spec{Tool: "x", Name: "X"}); !errors.Is(err, toolspecs.ErrUnknown) {
		t.Errorf("error: %v", err)
	}
}

// fork is a fork of Gemini CLI in a user's override: a name, a folder, and how
// to tell it from its parent.
const fork = `{
	"schema": 1, "tool": "gemini-fork", "name": "Gemini Fork", "reader": "gemini-cli",
	"detect": {"binaries": ["gfork"], "version": ["--version"], "pattern": "([0-9.]+)"},
	"recognise": {"members": [["sessionId", "projectHash", "startTime", "fork"]]},
	"hooks": [], "identify": [],
	"versions": [{"range": ">=1.0.0, <=1.0.0", "settings": [], "context": {"reads": [], "imports": false, "comments": "verbatim", "place": "top"}, "trust": {"needed": false}}],
	"transcripts": [{"roots": {"default": ["~/.gfork/tmp"]}, "glob": "*/chats/session-*.jsonl", "format": "jsonl", "growth": "append", "role": "main", "project": "as its parent"}],
	"verified": [
		{"group": "hooks", "version": "1.0.0", "date": "2026-11-22", "how": "documents"},
		{"group": "transcripts", "version": "1.0.0", "date": "2026-11-22", "how": "documents"},
		{"group": "context", "version": "1.0.0", "date": "2026-11-22", "how": "documents"},
		{"group": "settings", "version": "1.0.0", "date": "2026-11-22", "how": "documents"},
		{"group": "trust", "version": "1.0.0", "date": "2026-11-22", "how": "documents"}
	]
}`

func TestFor_ForkInAnOverrideReadsByItsParentsReader(t *testing.T) {
	table, failed := toolspecs.Load(fstest.MapFS{"gemini-fork.json": {Data: []byte(fork)}})
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	spec, err := table.Lookup("gemini-fork")
	if err != nil {
		t.Fatal(err)
	}
	reader, err := readers.For(spec)
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := spectest.Fixtures("gemini-cli")
	if err != nil {
		t.Fatal(err)
	}
	for _, fixture := range fixtures {
		if fixture.Name == "work.jsonl" {
			checkForkReads(t, reader, fixture)
		}
	}
}

// checkForkReads wants the events of the parent, as the fork's own.
func checkForkReads(t *testing.T, reader transcript.Reader, fixture spectest.Fixture) {
	t.Helper()
	events, coverage, err := fixture.Read(reader)
	if err != nil || coverage.UnknownTotal() > 0 {
		t.Fatalf("%v; unknown: %v", err, coverage.Unknown)
	}
	own := bytes.ReplaceAll(fixture.Expected, []byte(`"tool":"gemini-cli"`), []byte(`"tool":"gemini-fork"`))
	if !bytes.Equal(spectest.Lines(events), own) {
		t.Error("the fork's events are not those of its parent")
	}
}

func TestRecognise_ForkIsToldFromItsParent(t *testing.T) {
	table, failed := toolspecs.Load(fstest.MapFS{"gemini-fork.json": {Data: []byte(fork)}})
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	const parents = `{"sessionId":"s","projectHash":"h","startTime":"t","kind":"main"}` + "\n"
	for name, test := range map[string]struct{ path, head, want string }{
		"by its place":          {"/home/dev/.gfork/tmp/p/chats/session-1.jsonl", parents, "gemini-fork"},
		"by its parent's place": {"/home/dev/.gemini/tmp/p/chats/session-1.jsonl", parents, "gemini-cli"},
		"by its content":        {"/backup/session-1.jsonl", `{"sessionId":"s","projectHash":"h","startTime":"t","fork":true}` + "\n", "gemini-fork"},
		"by its parent's":       {"/backup/session-1.jsonl", parents, "gemini-cli"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := table.Recognise(test.path, []byte(test.head)); got != test.want {
				t.Errorf("recognised as %q, want %q", got, test.want)
			}
		})
	}
}

func TestLoad_ReaderThatNobodyHasIsRefused(t *testing.T) {
	for _, reader := range []string{"nobody", "gemini-fork-2"} {
		data := bytes.ReplaceAll([]byte(fork), []byte(`"reader": "gemini-cli"`), []byte(`"reader": "`+reader+`"`))
		table, failed := toolspecs.Load(fstest.MapFS{"gemini-fork.json": {Data: data}})
		if len(failed) != 1 || !errors.Is(failed[0], toolspecs.ErrUnknown) {
			t.Errorf("reader %s: %v", reader, failed)
		}
		if _, err := table.Lookup("gemini-fork"); err == nil {
			t.Errorf("reader %s: the spec is in force", reader)
		}
	}
}
