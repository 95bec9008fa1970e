package toolspecs

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// CallTable finds what a tool's own tool names mean.
type CallTable struct {
	exact    map[string]Call
	prefixes []Call // longest first, without the star
}

// CallTable prepares the spec's calls for use.
func (s *Spec) CallTable() *CallTable {
	table := &CallTable{exact: map[string]Call{}}
	for _, call := range s.Calls {
		if prefix, ok := strings.CutSuffix(call.Name, "*"); ok {
			call.Name = prefix
			table.prefixes = append(table.prefixes, call)
			continue
		}
		table.exact[call.Name] = call
	}
	slices.SortStableFunc(table.prefixes, func(a, b Call) int { return len(b.Name) - len(a.Name) })
	return table
}

// Lookup finds a call by the tool's name for it. An unknown one means Other.
func (t *CallTable) Lookup(name string) (Call, bool) {
	if call, ok := t.exact[name]; ok {
		return call, true
	}
	for _, call := range t.prefixes {
		if strings.HasPrefix(name, call.Name) {
			return call, true
		}
	}
	return Call{Name: name, Meaning: transcript.Other}, false
}

// Lacks names the argument that a known call came without although its meaning hangs
// on it: the command of a shell, the file of a change. "" where nothing is missing.
func (t *CallTable) Lacks(info *transcript.CallInfo) string {
	call, known := t.Lookup(info.Name)
	if known && call.Meaning != info.Meaning {
		call, known = t.variant(info)
	}
	if !known {
		return ""
	}
	switch call.Meaning {
	case transcript.Shell:
		if info.Command == "" {
			return call.Command
		}
	case transcript.Edit, transcript.Write, transcript.Delete:
		if len(info.Paths) == 0 && len(call.Paths) > 0 {
			return call.Paths[0]
		}
	}
	return ""
}

// variant is the call of a tool that does several things, by the one that was meant.
func (t *CallTable) variant(info *transcript.CallInfo) (Call, bool) {
	for name, call := range t.exact {
		if call.Meaning == info.Meaning && strings.HasPrefix(name, info.Name+" ") {
			return call, true
		}
	}
	return Call{}, false
}

// Info describes a call by its arguments, an object of JSON: paths, command
// and detail stand in the arguments the spec names.
func (c Call) Info(id, name string, arguments []byte) *transcript.CallInfo {
	info := &transcript.CallInfo{ID: id, Name: name, Meaning: c.Meaning}
	details := map[string]string{}
	for walker := transcript.Walk(arguments); ; {
		key, value, ok := walker.Next()
		if !ok {
			break
		}
		switch argument := string(key); {
		case argument == c.Command && c.Command != "":
			info.Command = commandText(value)
		case slices.Contains(c.Paths, argument):
			for _, path := range texts(value) {
				info.Paths = append(info.Paths, withoutLines(path))
			}
		case slices.Contains(c.Detail, argument):
			details[argument] = strings.Join(texts(value), " ")
		case argument == c.Cwd && c.Cwd != "":
			info.Cwd = strings.Join(texts(value), "")
		}
	}
	for _, argument := range c.Detail {
		if details[argument] != "" {
			info.Detail = details[argument]
			break
		}
	}
	return info
}

// lineRange is what pi's reading tool takes behind a path: a line, or a range of them
// ("state.rs:754-830", seen in transcripts of it).
var lineRange = regexp.MustCompile(`^(.+\.\w+):\d+(?:-\d+)?$`)

func withoutLines(path string) string {
	if m := lineRange.FindStringSubmatch(path); m != nil {
		return m[1]
	}
	return path
}

// texts reads a string, or a list of them; anything else is nothing.
func texts(raw []byte) []string {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '[' {
		var list []string
		if json.Unmarshal(raw, &list) != nil {
			return nil
		}
		return list
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || text == "" {
		return nil
	}
	return []string{text}
}

// commandText reads a command given as text or as a list of words. What a
// shell is known from -c is the command.
func commandText(raw []byte) string {
	return CommandLine(texts(raw))
}

// CommandLine joins a command's words as a person would read it: the script
// alone where a shell is started for it.
func CommandLine(words []string) string {
	if len(words) == 3 && (words[1] == "-c" || words[1] == "-lc") {
		return words[2]
	}
	return strings.Join(words, " ")
}
