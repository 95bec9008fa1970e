package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// checkJSON holds the last output to docs/json-output.md: one object, no null,
// times in milliseconds, every key documented. Then it compares values:
//
//	json .error.code=usage .hits=[]
func checkJSON(ts *testscript.TestScript, _ bool, args []string) {
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		ts.Fatalf("stdout is no JSON object: %v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		ts.Fatalf("stdout holds more than one object")
	}
	documented := documentedKeys(ts)
	for _, wrong := range wrongIn(object, "", documented) {
		ts.Fatalf("%s", wrong)
	}
	for _, arg := range args {
		path, want, _ := strings.Cut(arg, "=")
		if got := valueAt(object, path); got != want {
			ts.Fatalf("%s is %s, want %s", path, got, want)
		}
	}
}

var (
	quotedKey  = regexp.MustCompile("`([a-zA-Z_0-9]+)`")
	utcMillis  = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	timeKeys   = []string{"time", "updated", "first", "last", "last_seen", "started"}
	countsOnly = []string{"unknown", "unknown_types", "unknown_members", "unknown_hooks", "kinds", "calls", "spec"} // keys are what a tool wrote
)

func documentedKeys(ts *testscript.TestScript) map[string]bool {
	text, err := os.ReadFile(filepath.Join(sources, "..", "..", "docs", "json-output.md"))
	ts.Check(err)
	keys := map[string]bool{}
	for _, match := range quotedKey.FindAllStringSubmatch(string(text), -1) {
		keys[match[1]] = true
	}
	return keys
}

func wrongIn(value any, path string, documented map[string]bool) (wrong []string) {
	switch value := value.(type) {
	case nil:
		wrong = append(wrong, path+" is null")
	case []any:
		for i, element := range value {
			wrong = append(wrong, wrongIn(element, path+"."+strconv.Itoa(i), documented)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			at := path + "." + key
			if !documented[key] {
				wrong = append(wrong, at+" is not in docs/json-output.md")
			}
			if text, ok := value[key].(string); ok && slices.Contains(timeKeys, key) && !utcMillis.MatchString(text) {
				wrong = append(wrong, at+" is no time in UTC with milliseconds: "+text)
			}
			if _, ok := value[key].(map[string]any); ok && slices.Contains(countsOnly, key) {
				continue
			}
			wrong = append(wrong, wrongIn(value[key], at, documented)...)
		}
	}
	return wrong
}

// valueAt is the value at .a.b.0: text as it is, all else as JSON, "absent"
// where there is none.
// elementAt finds an element by its number, or by the tool it is about: what
// the table holds besides does not matter then.
func elementAt(list []any, step string) int {
	if i, err := strconv.Atoi(step); err == nil && i < len(list) {
		return i
	}
	return slices.IndexFunc(list, func(element any) bool {
		object, ok := element.(map[string]any)
		return ok && object["tool"] == step
	})
}

func valueAt(value any, path string) string {
	for _, step := range strings.Split(strings.TrimPrefix(path, "."), ".") {
		switch at := value.(type) {
		case map[string]any:
			inner, ok := at[step]
			if !ok {
				return "absent"
			}
			value = inner
		case []any:
			i := elementAt(at, step)
			if i < 0 {
				return "absent"
			}
			value = at[i]
		default:
			return "absent"
		}
	}
	if text, ok := value.(string); ok {
		return text
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(data)
}
