package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/google/renameio/v2/maybe"
	"github.com/pelletier/go-toml/v2"
)

// Set changes a setting in config.toml. A value that the setting cannot have is
// named in the error and leaves the file as it was.
func Set(dir home.Dir, name, text string) error {
	choices := Default()
	list := settingsOf(&choices)
	i := slices.IndexFunc(list, func(s setting) bool { return s.Key == name })
	if i < 0 {
		return fmt.Errorf("unknown setting %q: use one of %s", name, strings.Join(Keys(), ", "))
	}
	if err := list[i].parse(text); err != nil {
		return err
	}
	if err := dir.Make(); err != nil {
		return err
	}
	return Save(dir, nested(name, list[i].inFile()))
}

// Save sets keys in config.toml and keeps every other one.
func Save(dir home.Dir, set map[string]any) error {
	all := map[string]any{}
	data, err := regularfile.ReadOwn(dir.Config())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", dir.Config(), err)
	}
	if err := toml.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("read %s: %w", dir.Config(), err)
	}
	for key, value := range set {
		table, isTable := value.(map[string]any)
		if known, ok := all[key].(map[string]any); ok && isTable {
			maps.Copy(known, table)
			continue
		}
		all[key] = value
	}
	text, err := toml.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode choices: %w", err)
	}
	if err := maybe.WriteFile(dir.Config(), text, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", dir.Config(), err)
	}
	return nil
}

// nested puts "a.b" into table a.
func nested(name string, value any) map[string]any {
	table, rest, ok := strings.Cut(name, ".")
	if !ok {
		return map[string]any{name: value}
	}
	return map[string]any{table: map[string]any{rest: value}}
}
