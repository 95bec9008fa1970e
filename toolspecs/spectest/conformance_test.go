package spectest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/tools"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

var update = flag.Bool("update", false, "rewrite the events expected of the fixtures")

func fixtures(t *testing.T, tool string) []spectest.Fixture {
	t.Helper()
	found, err := spectest.Fixtures(tool)
	if err != nil || len(found) == 0 {
		t.Fatalf("%d fixtures, %v", len(found), err)
	}
	return found
}

func TestFixturesGiveTheExpectedEvents(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		for _, fixture := range fixtures(t, spec.Tool) {
			events, _, err := fixture.Read(reader)
			if err != nil {
				t.Errorf("%s: %v", fixture.Name, err)
			}
			got := spectest.Lines(events)
			if *update {
				file := filepath.Join("..", "tools", spectest.Folder(spec.Tool), spectest.EventsFile(fixture.Name))
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if !bytes.Equal(got, fixture.Expected) {
				t.Errorf("%s: other events; see the difference after -update\n%s", fixture.Name, firstDifference(got, fixture.Expected))
			}
		}
	})
}

func firstDifference(got, want []byte) string {
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(string(got), "\n") {
		if i >= len(wanted) || line != wanted[i] {
			return "got  " + line + "\nwant " + strings.Join(wanted[min(i, len(wanted)):min(i+1, len(wanted))], "")
		}
	}
	return "fewer events"
}

func TestFixturesGiveTheSameEventsUnderAnyCut(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		for _, fixture := range fixtures(t, spec.Tool) {
			if !spectest.Appended(spec, fixture.Name) {
				continue
			}
			for _, step := range []int{37, 211, 1009, len(fixture.Data)/2 + 1} {
				if err := spectest.SameInParts(reader, fixture.Source(), fixture.Data, step); err != nil {
					t.Errorf("%s: %v", fixture.Name, err)
				}
			}
		}
	})
}

func TestIDsAreUniqueInEveryFixture(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		for _, fixture := range fixtures(t, spec.Tool) {
			events, _, err := fixture.Read(reader)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for _, event := range events {
				if seen[event.ID] || event.ID == "" {
					t.Errorf("%s: line %d: id %q", fixture.Name, event.Ref.Line, event.ID)
				}
				seen[event.ID] = true
			}
		}
	})
}

// A record type that is read must occur in a fixture, and one that occurs must
// be sorted, but for the lines of junk.
func TestRecordTypesAndFixturesAgree(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, _ transcript.Reader) {
		sorter := spec.Records.Sorter()
		occurs := map[string]bool{}
		for _, fixture := range fixtures(t, spec.Tool) {
			if fixture.Rows() {
				for line := range bytes.Lines(fixture.Data) {
					for _, name := range rowTypes(line) {
						occurs[name] = true
					}
				}
			}
			for _, element := range transcript.Elements(fixture.Data) { // a document that is a list of records
				if name, class := sorter.Sort(element); class != toolspecs.Unknown {
					occurs[name] = true
				}
			}
			if !spectest.Typed(spec, fixture.Name) {
				continue
			}
			for line := range bytes.Lines(fixture.Data) {
				name, class := sorter.Sort(line)
				occurs[name] = true
				if class == toolspecs.Unknown && fixture.Name != "junk.jsonl" && json.Valid(line) {
					t.Errorf("%s has a record of the unknown type %s", fixture.Name, name)
				}
			}
		}
		if len(occurs) == 0 {
			t.Skip("its transcripts have no typed lines; its own tests count what becomes of them")
		}
		for _, name := range spec.Records.Read {
			if !occurs[name] {
				t.Errorf("records of type %s are read but stand in no fixture", name)
			}
		}
	})
}

// rowTypes are what a row of a database may be counted as: by its query, and by
// what the record in it says of itself.
func rowTypes(line []byte) []string {
	var row transcript.Row
	if json.Unmarshal(line, &row) != nil {
		return nil
	}
	data := []byte(row.Text("data"))
	return []string{row.Query, row.Text("role"), transcript.Text(transcript.Member(data, "type")), transcript.Text(transcript.Member(data, "role"))}
}

// A call in a fixture must be known, and every meaning the spec uses must
// occur; every known kind of event must be made from some fixture of some tool.
func TestCallsAndFixturesAgree(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		calls := spec.CallTable()
		occurs := map[transcript.Meaning]bool{}
		for _, fixture := range fixtures(t, spec.Tool) {
			events, _, err := fixture.Read(reader)
			if err != nil {
				t.Fatal(err)
			}
			for _, event := range events {
				if event.Call == nil {
					continue
				}
				occurs[event.Call.Meaning] = true
				if _, known := calls.Lookup(event.Call.Name); !known && !strings.HasPrefix(fixture.Name, "junk.") {
					t.Errorf("%s: line %d: unknown call %s", fixture.Name, event.Ref.Line, event.Call.Name)
				}
			}
		}
		for _, meaning := range []transcript.Meaning{transcript.Edit, transcript.Write, transcript.Shell, transcript.Ask, transcript.Todos, transcript.Subagent} {
			used := slices.ContainsFunc(spec.Calls, func(call toolspecs.Call) bool { return call.Meaning == meaning })
			if used && !occurs[meaning] {
				t.Errorf("no call of a fixture means %s", meaning)
			}
		}
	})
}

func TestJunkIsCounted(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		at := slices.IndexFunc(fixtures(t, spec.Tool), func(f spectest.Fixture) bool { return strings.HasPrefix(f.Name, "junk.") })
		junk := fixtures(t, spec.Tool)[at]
		_, coverage, err := junk.Read(reader)
		if err != nil {
			t.Fatal(err)
		}
		if coverage.Broken != 3 || coverage.UnknownTotal() != 2 {
			t.Errorf("%d broken and %d unknown of %d records; the junk of every tool has three that are broken and two of unknown types", coverage.Broken, coverage.UnknownTotal(), coverage.Records)
		}
		if sum := coverage.Read + coverage.Skipped + coverage.Broken + coverage.UnknownTotal(); sum != coverage.Records {
			t.Errorf("%d records, %d accounted for", coverage.Records, sum)
		}
	})
}

func TestStateOfAnotherReaderIsRefused(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		_, err := reader.Decode(transcript.Source{}, strings.NewReader(""), transcript.Position{State: []byte(`{"open":12}`)})
		if err == nil || !strings.Contains(err.Error(), transcript.ErrState.Error()) {
			t.Errorf("error: %v", err)
		}
	})
}

// Every wired hook has a payload, and the fields the spec names are in it.
func TestHooksAndPayloadsAgree(t *testing.T) {
	optional := []string{"agent", "agent_type", "title", "model", "prompt_id", "mode"}
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, _ transcript.Reader) {
		payloads, err := spectest.Payloads(spec.Tool)
		if err != nil {
			t.Fatal(err)
		}
		occurs := map[string]bool{}
		for _, payload := range payloads {
			hook, known := spec.Hook(payload.Event)
			if !known {
				t.Errorf("%s is of an event the spec does not know", payload.Name)
			}
			occurs[hook.Event] = true
			var fields map[string]json.RawMessage
			if err := json.Unmarshal(payload.Data, &fields); err != nil {
				t.Fatalf("%s: %v", payload.Name, err)
			}
			for ours, field := range hook.Stdin {
				present := func(name string) bool { return fields[name] != nil || strings.HasPrefix(name, "$") }
				if !slices.ContainsFunc(strings.Split(field, "|"), present) && !slices.Contains(optional, ours) {
					t.Errorf("%s lacks %s", payload.Name, field)
				}
			}
		}
		for _, hook := range spec.Hooks {
			if hook.Wired && !occurs[hook.Event] {
				t.Errorf("the wired hook %s has no payload", hook.Event)
			}
		}
	})
}

// The evidence page has a section for every group of facts, with the version
// and date the spec claims, and none that the spec does not know.
func TestEvidenceAndSpecAgree(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, _ transcript.Reader) {
		page, err := fs.ReadFile(tools.Files, path.Join(spec.Tool, "evidence.md"))
		if err != nil {
			t.Fatal(err)
		}
		sections := map[string]string{}
		for _, section := range strings.Split(string(page), "\n## ")[1:] {
			title, text, _ := strings.Cut(section, "\n")
			sections[title] = text
		}
		for _, verified := range spec.Verified {
			section, ok := sections[verified.Group]
			if !ok || !strings.Contains(section, verified.Version) || !strings.Contains(section, verified.Date) {
				t.Errorf("evidence.md does not say where %s come from, with %s and %s", verified.Group, verified.Version, verified.Date)
			}
			delete(sections, verified.Group)
		}
		for title := range sections {
			t.Errorf("evidence.md has a section %q that the spec does not know", title)
		}
	})
}

func TestRecogniseKnowsEveryFixture(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, _ transcript.Reader) {
		if knownByFolder(spec) {
			t.Skip("its records are another tool's: it is known by its folder alone")
		}
		for _, fixture := range fixtures(t, spec.Tool) {
			if tool, _ := table.Recognise("x", fixture.Data); tool != spec.Tool && !fixture.Rows() {
				t.Errorf("%s is taken for %q", fixture.Name, tool)
			}
		}
	})
}

// knownByFolder says that nothing in its records tells a tool.
func knownByFolder(spec *toolspecs.Spec) bool {
	return len(spec.Recognise.Members) == 0 && len(spec.Recognise.Lines) == 0
}

// No line, whatever is in it, may stop a reader, and two of it read in pieces
// give what they give at once. Equal ids with other bodies are the ledger's
// affair: a line may claim the id of another.
func FuzzReaders(f *testing.F) {
	table, _ := toolspecs.Load(nil)
	known, growing := map[string]transcript.Reader{}, map[string]bool{}
	for _, spec := range table.All() {
		growing[spec.Tool] = spectest.Appended(spec, spec.Transcripts[0].Glob)
		reader, err := readers.For(spec)
		if err != nil {
			f.Fatal(err)
		}
		known[spec.Tool] = reader
		found, err := spectest.Fixtures(spec.Tool)
		if err != nil {
			f.Fatal(err)
		}
		for _, fixture := range found {
			for line := range bytes.Lines(fixture.Data) {
				f.Add(line)
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		data := slices.Concat(line, []byte("\n"), line)
		for tool, reader := range known {
			src := transcript.Source{Tool: tool, Path: "x"}
			_, _, _, err := spectest.ReadAll(reader, src, data, transcript.Position{})
			if err == nil && growing[tool] {
				err = spectest.SameInParts(reader, src, data, len(data)/3+1)
			}
			if err != nil && !errors.Is(err, spectest.ErrTwoBodies) && !errors.Is(err, transcript.ErrRowsOnly) {
				t.Error(err)
			}
		}
	})
}

// FuzzRows lets a tool's database hold whatever it wants: a reader of rows makes events
// of it or counts it.
func FuzzRows(f *testing.F) {
	table, _ := toolspecs.Load(nil)
	known := map[string]transcript.RowReader{}
	for _, spec := range table.All() {
		reader, err := readers.For(spec)
		if err != nil {
			f.Fatal(err)
		}
		if rows, ok := reader.(transcript.RowReader); ok {
			known[spec.Tool] = rows
		}
		found, err := spectest.Fixtures(spec.Tool)
		if err != nil {
			f.Fatal(err)
		}
		for _, fixture := range found {
			for line := range bytes.Lines(fixture.Data) {
				if fixture.Rows() {
					f.Add(line)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var row transcript.Row
		if json.Unmarshal(line, &row) != nil {
			return
		}
		for tool, reader := range known {
			events, _ := reader.MapRows([]transcript.Row{row, row})
			for _, event := range events {
				if event.ID == "" {
					t.Errorf("%s: an event without id of %s", tool, line)
				}
			}
		}
	})
}
