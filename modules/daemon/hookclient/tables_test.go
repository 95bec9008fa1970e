package hookclient_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
)

var update = flag.Bool("update", false, "write the tables of what the client knows of the tools")

func TestTables_AreThoseOfTheSpecs(t *testing.T) {
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	want, err := tables(table)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("tables.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("tables.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("tables.go is not what the specs say: run `go generate ./hookclient` in modules/daemon")
	}
}

// tables is the file tables.go for a table of specs.
func tables(table *toolspecs.Table) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated from the specs by go generate ./hookclient; DO NOT EDIT.\n\npackage hookclient\n\n")
	b.WriteString("// awaited are, in lower case, the events that are worth keeping an agent waiting for.\n")
	writeSet(&b, "awaited", awaited(table))
	b.WriteString("// marks are the variables of the environment that are sent along: they say which tool is\n// really calling, and whether anybody is there to answer.\n")
	fmt.Fprintf(&b, "var marks = %s\n\n", list(table.EnvMarks()))
	b.WriteString("// headlessMarks are those that mark a run that nobody attends.\nvar headlessMarks = []headlessMark{\n")
	for _, spec := range table.All() {
		for _, mark := range spec.Headless {
			if mark.Env != "" {
				fmt.Fprintf(&b, "{%q, %q, %q},\n", mark.Env, mark.Equals, mark.Prefix)
			}
		}
	}
	b.WriteString("}\n\n// commandLines are the tools whose command line alone says whether anybody attends them.\nvar commandLines = map[string]headlessFlags{\n")
	for _, spec := range table.All() {
		writeCommandLine(&b, spec)
	}
	b.WriteString("}\n\n// firstLines are what a tool's transcript has in its first line when nobody attends the run.\nvar firstLines = map[string][]string{\n")
	for _, spec := range table.All() {
		if texts := firstLines(spec); len(texts) > 0 {
			fmt.Fprintf(&b, "%q: %s,\n", spec.Tool, strings.TrimPrefix(list(texts), "[]string"))
		}
	}
	b.WriteString("}\n\n// keepsPayload are the tools without a transcript: what their hooks receive is their history.\n")
	writeSet(&b, "keepsPayload", withoutTranscript(table))
	writeFields(&b, table)
	return format.Source(b.Bytes())
}

func writeSet(b *bytes.Buffer, name string, words []string) {
	fmt.Fprintf(b, "var %s = map[string]bool{", name)
	for i, word := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%q: true", word)
	}
	b.WriteString("}\n\n")
}

func list(words []string) string {
	var quoted []string
	for _, word := range words {
		if strings.Contains(word, `"`) {
			quoted = append(quoted, "`"+word+"`")
		} else {
			quoted = append(quoted, strconv.Quote(word))
		}
	}
	return "[]string{" + strings.Join(quoted, ", ") + "}"
}

func awaited(table *toolspecs.Table) []string {
	events := map[string]bool{}
	for _, spec := range table.All() {
		for _, hook := range spec.Hooks {
			if hook.Wired && hook.Awaited() {
				events[strings.ToLower(hook.Event)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(events))
}

func writeCommandLine(b *bytes.Buffer, spec *toolspecs.Spec) {
	var options, serves []string
	piped := false
	for _, mark := range spec.Headless {
		if mark.Option != "" {
			options = append(options, mark.Option)
		}
		if mark.Piped {
			piped, serves = true, mark.Unless
		}
	}
	if len(options) > 0 || piped {
		fmt.Fprintf(b, "%q: {%q, %s, %t, %s},\n", spec.Tool, spec.Detect.Binaries[0], list(options), piped, list(serves))
	}
}

func firstLines(spec *toolspecs.Spec) []string {
	var texts []string
	for _, mark := range spec.Headless {
		if mark.First {
			texts = append(texts, strconv.Quote(mark.Record)+":"+strconv.Quote(mark.Equals))
		}
	}
	return texts
}

func withoutTranscript(table *toolspecs.Table) []string {
	var tools []string
	for _, spec := range table.All() {
		if spec.Capture == "hook" {
			tools = append(tools, spec.Tool)
		}
	}
	return tools
}

// writeFields writes where payloads say what the client needs. A tool may run
// the hooks of another, so that all names count for all tools, those that more
// tools use first.
func writeFields(b *bytes.Buffer, table *toolspecs.Table) {
	b.WriteString("// fields are the members of a payload that say what the client needs, whichever tool sends it.\nvar fields = map[string][]string{\n")
	for _, ours := range needed {
		members, _ := named(table.All(), ours)
		fmt.Fprintf(b, "%q: %s,\n", ours, strings.TrimPrefix(list(members), "[]string"))
	}
	writeOwnFields(b, table)
	_, variables := named(table.All(), "cwd")
	// Every shell sets PWD: it says nothing of whose hook this is.
	variables = slices.DeleteFunc(variables, func(name string) bool { return name == "PWD" })
	fmt.Fprintf(b, "}\n\n// cwdMarks are the variables that say the directory where no member does.\nvar cwdMarks = %s\n", list(variables))
}

// needed is what the client takes from a payload, by our names.
var needed = []string{"session", "transcript", "cwd", "tool_use_id", "source", "agent"}

// writeOwnFields writes the members that a tool's own payloads are asked for
// first, where most tools use other ones.
func writeOwnFields(b *bytes.Buffer, table *toolspecs.Table) {
	b.WriteString("}\n\n// ownFields are those that count first in the payloads of one tool.\nvar ownFields = map[string]map[string][]string{\n")
	for _, spec := range table.All() {
		var own []string
		for _, ours := range needed {
			members, _ := named([]*toolspecs.Spec{spec}, ours)
			usual, _ := named(table.All(), ours)
			if len(members) > 0 && members[0] != usual[0] {
				own = append(own, fmt.Sprintf("%q: %s", ours, strings.TrimPrefix(list(members), "[]string")))
			}
		}
		if len(own) > 0 {
			fmt.Fprintf(b, "%q: {%s},\n", spec.Tool, strings.Join(own, ", "))
		}
	}
}

// named are the members, and the variables, by which wired hooks of some tools
// get something.
func named(specs []*toolspecs.Spec, ours string) (members, variables []string) {
	uses, first := map[string]int{}, map[string]int{}
	for _, spec := range specs {
		own := map[string]bool{}
		for _, hook := range spec.Hooks {
			for field := range strings.SplitSeq(hook.Stdin[ours], "|") {
				if !hook.Wired || field == "" {
					continue
				}
				own[field] = true
				if _, known := first[field]; !known {
					first[field] = len(first)
				}
			}
		}
		for field := range own {
			uses[field]++
		}
	}
	order := slices.SortedFunc(maps.Keys(uses), func(a, b string) int {
		if uses[a] != uses[b] {
			return uses[b] - uses[a]
		}
		return first[a] - first[b]
	})
	for _, field := range order {
		if variable, ok := strings.CutPrefix(field, "$"); ok {
			variables = append(variables, variable)
		} else {
			members = append(members, field)
		}
	}
	return members, variables
}
