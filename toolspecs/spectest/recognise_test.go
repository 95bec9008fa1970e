package spectest_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// No record of any tool's fixtures is taken for another tool's, by itself or with
// all that stands before it: it is its own tool's, or nobody's.
func TestRecognise_EveryRecordOfEveryTool(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, _ transcript.Reader) {
		for _, fixture := range fixtures(t, spec.Tool) {
			if fixture.Rows() {
				continue
			}
			end, alone := 0, 0
			for line := range bytes.Lines(fixture.Data) {
				end += len(line)
				for _, head := range [][]byte{line, fixture.Data[:end]} {
					switch tool, ok := table.Recognise("x", head); {
					case ok && tool != spec.Tool:
						t.Errorf("%s: %.120q is taken for %s", fixture.Name, line, tool)
					case ok:
						alone++
					}
				}
			}
			if alone == 0 && !knownByFolder(spec) {
				if tool, _ := table.Recognise("x", fixture.Data); tool != spec.Tool {
					t.Errorf("nothing of %s is recognised", fixture.Name)
				}
			}
		}
	})
}

// Every fixture before every reader: another tool's makes no prompt of it that
// somebody could take for the work of a session, unless it is recognised as that
// tool's, which the test above excludes, or borrows its reader.
func TestRecognise_EveryFixtureBeforeEveryReader(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, _ transcript.Reader) {
		for _, fixture := range fixtures(t, spec.Tool) {
			for _, other := range table.All() {
				if other.ReaderName() == spec.ReaderName() || fixture.Rows() {
					continue
				}
				reader, err := readers.For(other)
				if err != nil {
					t.Fatal(err)
				}
				events, coverage, err := fixture.Read(reader)
				if err != nil {
					continue // refused whole
				}
				if tool, _ := table.Recognise("x", fixture.Data); len(events) > 0 && coverage.Read > 0 && tool == other.Tool {
					t.Errorf("%s is read as %s: %d events", fixture.Name, other.Tool, len(events))
				}
			}
		}
	})
}

// What nobody writes is said to be nobody's, with what was looked for.
func TestRecognise_SaysWhatWasLookedFor(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	said := table.Unrecognised("x", []byte(`{"speaker":"me","words":"hello"}`+"\n"))
	for _, want := range []string{"looked for records of", "claude-code", "qwen-code", "speaker, words"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q lacks %q", said, want)
		}
	}
	if said := table.Unrecognised("x", []byte("plain text")); !strings.Contains(said, "no record of JSON") {
		t.Errorf("a text: %q", said)
	}
}
