package toolspecs

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Identify says which tool sent a hook payload. claimed is the tool whose entry
// was run, which proves little: several tools run the hooks of others. The
// answer may be a tool that has no spec.
func (t *Table) Identify(claimed string, payload map[string]json.RawMessage, env map[string]string) string {
	if spec := t.known()[claimed]; spec != nil {
		for _, mark := range spec.Identify {
			if mark.Tool != "" && mark.matches(payload, env) {
				return mark.Tool
			}
		}
	}
	for _, spec := range t.All() {
		if spec.Tool == claimed {
			continue
		}
		for _, mark := range spec.Identify {
			if mark.Tool == "" && mark.matches(payload, env) {
				return spec.Tool
			}
		}
	}
	return claimed
}

func (i Identity) matches(payload map[string]json.RawMessage, env map[string]string) bool {
	value, present := "", false
	if i.Field != "" {
		raw, ok := payload[i.Field]
		if present = ok; ok && json.Unmarshal(raw, &value) != nil {
			value = string(raw)
		}
	} else {
		value, present = env[i.Env]
		present = present && value != ""
	}
	return present && matches(value, i.Equals, i.Prefix) && strings.Contains(value, i.Within)
}

func matches(value, equals, prefix string) bool {
	return (equals == "" || value == equals) && strings.HasPrefix(value, prefix)
}

// EnvMarks are the environment variables that any tool's facts ask for: what a
// hook must send along with a payload. They are sorted.
func (t *Table) EnvMarks() []string {
	marks := map[string]bool{}
	for _, spec := range t.known() {
		for _, mark := range spec.Identify {
			marks[mark.Env] = true
		}
		for _, mark := range spec.Headless {
			marks[mark.Env] = true
		}
		for _, hook := range spec.Hooks {
			for _, fields := range hook.Stdin {
				for field := range strings.SplitSeq(fields, "|") {
					if variable, ok := strings.CutPrefix(field, "$"); ok {
						marks[variable] = true
					}
				}
			}
		}
	}
	delete(marks, "")
	return slices.Sorted(maps.Keys(marks))
}

// FullTexts are what the tools' screens show when a context is full, in lower
// case: a tool passes on what its model's provider says, so they count for all.
func (t *Table) FullTexts() []string {
	var texts []string
	for _, spec := range t.All() {
		if spec.Terminal == nil {
			continue
		}
		for _, text := range spec.Terminal.Full {
			texts = append(texts, strings.ToLower(text))
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// HeadlessEnv says that the environment marks a run nobody attends.
func (s *Spec) HeadlessEnv(env map[string]string) bool {
	for _, mark := range s.Headless {
		if value, ok := env[mark.Env]; mark.Env != "" && ok && matches(value, mark.Equals, mark.Prefix) {
			return true
		}
	}
	return false
}

// HeadlessRecord says that a member of a record marks such a run.
func (s *Spec) HeadlessRecord(member, value string) bool {
	for _, mark := range s.Headless {
		if mark.Record == member && value != "" && matches(value, mark.Equals, mark.Prefix) {
			return true
		}
	}
	return false
}

// Window is a model's context window in tokens, 0 when unknown. The longest
// prefix holds.
func (s *Spec) Window(model string) int64 {
	return s.Models.find(model, func(m Model) bool { return m.Window > 0 }).Window
}

// Price is a model's list price, nil when unknown. The longest prefix holds.
func (l Models) Price(model string) *Price {
	return l.find(model, func(m Model) bool { return m.Price != nil }).Price
}

// find is the entry with the longest prefix of a name that tells what is asked.
func (l Models) find(name string, tells func(Model) bool) (found Model) {
	for _, entry := range l {
		if strings.HasPrefix(name, entry.Prefix) && len(entry.Prefix) > len(found.Prefix) && tells(entry) {
			found = entry
		}
	}
	return found
}
