package toolspecs_test

import (
	"slices"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestSortNamesRecords(t *testing.T) {
	sorter := toolspecs.Records{
		Subtype: map[string]string{"msg": "payload.type", "msg/item": "payload.item.type"},
		Read:    []string{"meta", "msg/text", "msg/item/file"},
		Skipped: []toolspecs.Skip{{Type: "msg/item", Why: "an item without a kind"}, {Type: "state", Why: "state"}},
	}.Sorter()
	tests := []struct {
		line, name string
		class      toolspecs.Class
	}{
		{`{"type":"meta"}`, "meta", toolspecs.Read},
		{`{"type":"state","x":{"type":"meta"}}`, "state", toolspecs.Skipped},
		{`{"type":"msg","payload":{"type":"text"}}`, "msg/text", toolspecs.Read},
		{`{"type":"msg","payload":{"type":"item","item":{"id":1,"type":"file"}}}`, "msg/item/file", toolspecs.Read},
		{`{"type":"msg","payload":{"type":"item"}}`, "msg/item", toolspecs.Skipped},
		{`{"type":"msg","payload":{"type":"item","item":{"type":"new"}}}`, "msg/item/new", toolspecs.Unknown},
		{`{"type":"new"}`, "new", toolspecs.Unknown},
		{`{"kind":"new"}`, "?", toolspecs.Unknown},
		{`junk`, "?", toolspecs.Unknown},
	}
	for _, test := range tests {
		name, class := sorter.Sort([]byte(test.line))
		if name != test.name || class != test.class {
			t.Errorf("%s is %s, %v", test.line, name, class)
		}
	}
}

func TestCallInfoReadsTheArgumentsTheSpecNames(t *testing.T) {
	s := &toolspecs.Spec{Calls: []toolspecs.Call{
		{Name: "run", Meaning: transcript.Shell, Command: "cmd", Cwd: "dir"},
		{Name: "edit", Meaning: transcript.Edit, Paths: []string{"path", "paths"}},
		{Name: "find", Meaning: transcript.Search, Detail: []string{"pattern", "in"}},
		{Name: "mcp__*", Meaning: transcript.Other},
		{Name: "mcp__git__*", Meaning: transcript.Fetch},
	}}
	calls := s.CallTable()
	info := func(name, arguments string) *transcript.CallInfo {
		call, _ := calls.Lookup(name)
		return call.Info("1", name, []byte(arguments))
	}
	if got := info("run", `{"cmd":["bash","-lc","go test"],"dir":"/p"}`); got.Command != "go test" || got.Cwd != "/p" {
		t.Errorf("shell words: %+v", got)
	}
	if got := info("edit", `{"path":"a","paths":["b","c"],"x":{"path":"no"}}`); len(got.Paths) != 3 {
		t.Errorf("paths: %+v", got)
	}
	if got := info("edit", `{"path":"src/state.rs:754-830","paths":["C:\\a.go:3","a:1"]}`); !slices.Equal(got.Paths, []string{"src/state.rs", `C:\a.go`, "a:1"}) {
		t.Errorf("paths with lines: %q", got.Paths)
	}
	if got := info("find", `{"in":"src","pattern":"x"}`); got.Detail != "x" {
		t.Errorf("the first detail named should win: %+v", got)
	}
	if got := info("mcp__git__log", `{}`); got.Meaning != transcript.Fetch {
		t.Errorf("the longest prefix should win: %+v", got)
	}
	if _, known := calls.Lookup("new"); known {
		t.Error("an unknown call was known")
	}
}
