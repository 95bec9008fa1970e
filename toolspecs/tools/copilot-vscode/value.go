package copilotvscode

import (
	"strings"
	"time"
)

// at walks down members of a state; nil where there is none.
func at(value any, path ...string) any {
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}

func text(value any, path ...string) string {
	found, _ := at(value, path...).(string)
	return found
}

func list(value any, path ...string) []any {
	found, _ := at(value, path...).([]any)
	return found
}

func number(value any, path ...string) (float64, bool) {
	found, ok := at(value, path...).(float64)
	return found, ok
}

// moment reads a time in milliseconds; one that is missing stays unknown.
func moment(value any, path ...string) time.Time {
	ms, ok := number(value, path...)
	if !ok || ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

// markdown is a text that is given as it is, or as an object with a value.
func markdown(value any) string {
	if plain, ok := value.(string); ok {
		return plain
	}
	return text(value, "value")
}

// filePath is the path of a file's address.
func filePath(uri any) string {
	if path := text(uri, "fsPath"); path != "" {
		return path
	}
	return text(uri, "path")
}

// written is what a result's content says: a text, or a tree whose leaves are
// texts.
func written(value any) string {
	var out strings.Builder
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			out.WriteString(value)
		case []any:
			for _, part := range value {
				walk(part)
			}
		case map[string]any:
			if broken, _ := value["lineBreakBefore"].(bool); broken {
				out.WriteString("\n")
			}
			if leaf, ok := value["text"].(string); ok {
				out.WriteString(leaf)
			}
			for _, name := range []string{"value", "node", "children"} {
				walk(value[name])
			}
		}
	}
	walk(value)
	return strings.TrimSpace(out.String())
}
