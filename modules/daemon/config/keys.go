package config

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

// Value is one choice, as text.
type Value struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Default bool   `json:"default"` // nothing was chosen
}

// key is a choice by its name in config.toml. list says that its value is
// several words, number that it is none in quotes.
type key struct {
	name string
	kind string // text, list, number, flag
	of   func(c *Choices) string
}

var keys = []key{
	{"tools", "list", func(c *Choices) string { return strings.Join(c.Tools, ",") }},
	{"resume", "text", func(c *Choices) string { return c.Resume }},
	{"listen", "text", func(c *Choices) string { return c.Listen }},
	{"pointer", "text", func(c *Choices) string { return c.Pointer }},
	{"ignore", "text", func(c *Choices) string { return c.Ignore }},
	{"exclude", "list", func(c *Choices) string { return strings.Join(c.Exclude, ",") }},
	{"stale_after", "text", func(c *Choices) string { return days(c.StaleAfter) }},
	{"fullness.notice", "number", func(c *Choices) string { return strconv.Itoa(c.Fullness.Notice) }},
	{"fullness.snapshot", "number", func(c *Choices) string { return strconv.Itoa(c.Fullness.Snapshot) }},
	{"fullness.mid_turn", "flag", func(c *Choices) string { return strconv.FormatBool(c.Fullness.MidTurn) }},
	{"retention.sessions", "text", func(c *Choices) string { return days(c.KeepSessions) }},
	{"continuity.archive_after", "text", func(c *Choices) string { return days(c.ArchiveAfter) }},
	{"continuity.keep_handoffs", "number", func(c *Choices) string { return strconv.Itoa(c.KeepHandoffs) }},
	{"log.level", "text", func(c *Choices) string { return c.LogLevel }},
}

// days writes a duration the way it is chosen.
func days(d time.Duration) string {
	if d%(24*time.Hour) == 0 {
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	}
	return d.String()
}

// Keys are the names of all choices.
func Keys() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// Values lists every choice as it holds.
func Values(c Choices) []Value {
	standard := Default()
	values := make([]Value, len(keys))
	for i, k := range keys {
		values[i] = Value{k.name, k.of(&c), k.of(&c) == k.of(&standard)}
	}
	return values
}

// Set chooses. A value that is none of the key's leaves the file as it was and
// is named in the error.
func Set(dir home.Dir, name, text string) error {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return fmt.Errorf("unknown setting %q: use one of %s", name, strings.Join(Keys(), ", "))
	}
	value, err := keys[i].parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := dir.Make(); err != nil {
		return err
	}
	before, readErr := os.ReadFile(dir.Config())
	if err := Save(dir, nested(name, value)); err != nil {
		return err
	}
	if _, err := Load(dir); err != nil {
		if readErr != nil {
			_ = os.Remove(dir.Config())
		} else if restoreErr := os.WriteFile(dir.Config(), before, 0o600); restoreErr != nil {
			return restoreErr
		}
		return err
	}
	return nil
}

func (k key) parse(text string) (any, error) {
	switch k.kind {
	case "list":
		list := []string{}
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.TrimSpace(word); word != "" {
				list = append(list, word)
			}
		}
		return list, nil
	case "number":
		return strconv.Atoi(text)
	case "flag":
		return strconv.ParseBool(text)
	}
	return text, nil
}

// nested puts "a.b" into table a.
func nested(name string, value any) map[string]any {
	table, rest, ok := strings.Cut(name, ".")
	if !ok {
		return map[string]any{name: value}
	}
	return map[string]any{table: map[string]any{rest: value}}
}
