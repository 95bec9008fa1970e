package spectest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// namesOf visits the names of the members of a record, at any depth.
func namesOf(line []byte, free func(string) bool, found func(string)) {
	var value any
	if json.Unmarshal(line, &value) == nil {
		visit(value, free, found)
	}
}

// namesOfRow visits the columns of a row, and the names of the members of what stands
// in them as JSON.
func namesOfRow(row transcript.Row, free func(string) bool, found func(string)) {
	for column := range row.Values {
		if column == "group" || column == "key" || column == "mark" {
			continue
		}
		found(column)
		if text := row.Text(column); !free(column) && strings.ContainsAny(text[:min(len(text), 1)], "{[") {
			namesOf([]byte(text), free, found)
		}
	}
}

func visit(value any, free func(string) bool, found func(string)) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			visit(element, free, found)
		}
	case map[string]any:
		for name, inner := range value {
			found(name)
			if !free(name) {
				visit(inner, free, found)
			}
		}
	}
}

func isFree(spec *toolspecs.Spec) func(string) bool {
	return func(name string) bool { return slices.Contains(spec.Names, name+"*") }
}

// Whichever member a tool renames in its records, rows or documents, the coverage
// tells: each member of each fixture is renamed in turn.
func TestDrift_ARenamedMemberIsTold(t *testing.T) {
	tried := map[string]int{}
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		if isText(spec) {
			t.Skip("its transcripts are texts without members")
		}
		for _, fixture := range fixtures(t, spec.Tool) {
			if !isWhole(spec, fixture) {
				continue
			}
			_, before, err := fixture.Read(reader)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range membersRead(spec, reader, fixture) {
				tried[spec.Tool]++
				_, after, err := renamed(fixture, name).Read(reader)
				if err == nil && fmt.Sprint(after.Unknown) == fmt.Sprint(before.Unknown) && after.Broken == before.Broken {
					t.Errorf("%s: %s is renamed and nothing tells; the spec's names list every member of its records", fixture.Name, name)
				}
			}
		}
		if tried[spec.Tool] < 8 {
			t.Errorf("only %d members were renamed", tried[spec.Tool])
		}
	})
}

// isWhole says that a fixture does not end in a record that is not whole yet: that is
// counted once it is.
func isWhole(spec *toolspecs.Spec, fixture spectest.Fixture) bool {
	return bytes.HasSuffix(fixture.Data, []byte("\n")) || !spectest.Appended(spec, fixture.Name) || spec.Tool == "openhands"
}

// isText says that a tool's transcripts are not made of JSON.
func isText(spec *toolspecs.Spec) bool { return len(spec.Records.Lines) > 0 }

// renamed is a fixture in which a member is called otherwise, also in texts of JSON.
func renamed(fixture spectest.Fixture, name string) spectest.Fixture {
	for _, quote := range []string{`"`, `\"`} {
		fixture.Data = bytes.ReplaceAll(fixture.Data, []byte(quote+name+quote+":"), []byte(quote+name+"_2"+quote+":"))
	}
	return fixture
}

// membersRead are the members of the records of a fixture that are read.
func membersRead(spec *toolspecs.Spec, reader transcript.Reader, fixture spectest.Fixture) []string {
	names := map[string]bool{}
	membersOf(spec, reader, fixture.Name, fixture.Data, fixture.Rows(), func(name string) { names[name] = true })
	return slices.Sorted(maps.Keys(names))
}

// membersOf visits the members of the records of a file that are read.
func membersOf(spec *toolspecs.Spec, reader transcript.Reader, file string, data []byte, rows bool, found func(string)) {
	sorter := spec.Records.Sorter()
	if !rows && strings.HasSuffix(file, ".json") && !spectest.Appended(spec, file) {
		documentMembers(spec, data, found)
		return
	}
	for line := range bytes.Lines(data) {
		if rows {
			var row transcript.Row
			if json.Unmarshal(line, &row) != nil {
				continue
			}
			if _, coverage := reader.(transcript.RowReader).MapRows([]transcript.Row{row}); coverage.Read > 0 {
				namesOfRow(row, isFree(spec), found)
			}
			continue
		}
		_, class := sorter.Sort(bytes.TrimSpace(line))
		if log := transcript.Member(line, "kind") != nil && spec.Tool == "copilot-vscode"; class == toolspecs.Read || log {
			namesOf(line, isFree(spec), found)
		}
	}
}

// documentMembers visits the members of a document: of one that is a list of records,
// of those that are read.
func documentMembers(spec *toolspecs.Spec, data []byte, found func(string)) {
	sorter, sorted := spec.Records.Sorter(), false
	for _, element := range transcript.Elements(data) {
		switch _, class := sorter.Sort(element); class {
		case toolspecs.Read:
			namesOf(element, isFree(spec), found)
			sorted = true
		case toolspecs.Skipped:
			sorted = true
		}
	}
	if !sorted {
		namesOf(data, isFree(spec), found)
	}
}

// targets are what calls run and touch.
func targets(events []transcript.Located) string {
	var all []string
	for _, event := range events {
		if event.Call != nil {
			all = append(append(all, event.Call.Command), event.Call.Paths...)
		}
	}
	return strings.Join(all, "\n")
}

// An argument that a call's meaning hangs on is missed when the tool calls it otherwise.
func TestDrift_ARenamedArgumentIsTold(t *testing.T) {
	tried := 0
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		arguments := map[string]bool{}
		for _, call := range spec.Calls {
			switch call.Meaning {
			case transcript.Shell:
				arguments[call.Command] = true
			case transcript.Edit, transcript.Write, transcript.Delete:
				for _, path := range call.Paths {
					arguments[path] = true
				}
			}
		}
		delete(arguments, "")
		for _, fixture := range fixtures(t, spec.Tool) {
			for argument := range arguments {
				if !isWhole(spec, fixture) {
					continue
				}
				changed := renamed(fixture, argument)
				was, before, err := fixture.Read(reader)
				is, after, failed := changed.Read(reader)
				if err != nil || failed != nil || targets(was) == targets(is) {
					continue // it is not used
				}
				tried++
				if fmt.Sprint(after.Unknown) == fmt.Sprint(before.Unknown) {
					t.Errorf("%s: %s is renamed and nothing tells", fixture.Name, argument)
				}
			}
		}
	})
	if tried == 0 { // -run may have left one tool
		t.Error("no argument was renamed")
	}
}

var collect = flag.Bool("names", false, "print the names of the members in the fixtures and below CARRYOVER_CORPUS")

// TestNames_Collect prints what a spec's names would be, for whoever adds a tool.
func TestNames_Collect(t *testing.T) {
	if !*collect {
		t.Skip("only with -names")
	}
	table, _ := toolspecs.Load(nil)
	plain := regexp.MustCompile(`^[$A-Za-z_][A-Za-z0-9_]{0,40}$`)
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		counts := map[string]map[string]bool{}
		add := func(source string, data []byte, rows, enough bool) {
			membersOf(spec, reader, source, data, rows, func(name string) {
				if !plain.MatchString(name) {
					return
				}
				if counts[name] == nil {
					counts[name] = map[string]bool{}
				}
				counts[name][source] = true
				if enough {
					counts[name]["a fixture"] = true
				}
			})
		}
		for _, fixture := range fixtures(t, spec.Tool) {
			add(fixture.Name, fixture.Data, fixture.Rows(), true)
		}
		for _, file := range ofCorpora(table, spec) {
			if data, err := os.ReadFile(file); err == nil {
				add(file, data, false, false)
			}
		}
		var names []string
		for name, sources := range counts {
			if len(sources) >= 2 {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		fmt.Println("NAMES", spec.Tool, strings.Join(names, " "))
	})
}

// ofCorpora are the files of a tool below CARRYOVER_CORPUS.
func ofCorpora(table *toolspecs.Table, spec *toolspecs.Spec) []string {
	var files []string
	for _, root := range filepath.SplitList(os.Getenv("CARRYOVER_CORPUS")) {
		_ = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".jsonl") && !strings.HasSuffix(path, ".json") {
				return nil
			}
			data, err := os.ReadFile(path)
			if tool, ok := table.Recognise(path, data[:min(len(data), 64<<10)]); err == nil && ok && tool == spec.Tool {
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}
