package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/spf13/viper"
)

// Projects are the user's choices as each project may narrow them.
type Projects struct {
	Choices Choices
	Report  func(err error) // is notified of a broken .carryover.toml, which is left aside
}

// Of are the choices in a worktree.
func (p Projects) Of(worktree string) Choices {
	choices, _ := p.Read(worktree)
	return choices
}

// Read is Of, with what is wrong with the project's own configuration.
func (p Projects) Read(worktree string) (Choices, error) {
	choices, err := p.Choices.ForProject(worktree)
	if err != nil && p.Report != nil {
		p.Report(fmt.Errorf("defaults are used: %w", err))
	}
	return choices, err
}

// maxProjectConfig bounds a .carryover.toml, in bytes.
const maxProjectConfig = 64 << 10

// ForProject lays a worktree's .carryover.toml over the choices. A broken file
// is named in the error and changes nothing.
func (c Choices) ForProject(worktree string) (Choices, error) {
	path := filepath.Join(worktree, ".carryover.toml")
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return c, nil
	}
	text, err := regularfile.Read(path, maxProjectConfig+1)
	if err != nil || len(text) > maxProjectConfig {
		return c, nil
	}
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(bytes.NewReader(text)); err != nil {
		return c, fmt.Errorf("read %s: %w", path, err)
	}
	allowed := projectKeys()
	for _, key := range v.AllKeys() {
		if !slices.Contains(allowed, key) {
			return c, fmt.Errorf("read %s: a project can set only %s, not %s", path, strings.Join(allowed, ", "), key)
		}
	}
	own := c
	if v.IsSet("exclude") {
		excluded, err := excludedIn(worktree, v.Get("exclude"))
		if err != nil {
			return c, fmt.Errorf("read %s: %w", path, err)
		}
		v.Set("exclude", append(slices.Clone(c.Exclude), excluded...))
	}
	if err := own.take(v); err != nil {
		return c, fmt.Errorf("read %s: %w", path, err)
	}
	return own, nil
}

// excludedIn reads a project's `exclude`: true for the whole of it, or a list
// of folders in it. It says nothing about folders elsewhere.
func excludedIn(worktree string, value any) ([]string, error) {
	switch value := value.(type) {
	case bool:
		if value {
			return []string{worktree}, nil
		}
		return nil, nil
	case []any:
		var folders []string
		for _, entry := range value {
			folder, ok := entry.(string)
			if !ok || !filepath.IsLocal(folder) {
				return nil, fmt.Errorf("invalid exclude %v: not a folder in the project", entry)
			}
			folders = append(folders, filepath.Join(worktree, folder))
		}
		return folders, nil
	}
	return nil, errors.New("invalid exclude: use true, false or a list of folders in the project")
}

// Excluded says whether a folder is below an excluded one. ~ stands for the
// user's home.
func (c Choices) Excluded(dir string) bool {
	user, _ := os.UserHomeDir()
	for _, entry := range c.Exclude {
		if rest, found := strings.CutPrefix(entry, "~"); found {
			entry = user + rest
		}
		if rel, err := filepath.Rel(entry, dir); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}
