package wiring

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2/maybe"
)

// plugin is the folder that `install --commands` puts beside an agent's
// settings: a command and four skills, each a line that runs carryover. It is
// a plugin of Claude Code, which loads it from where it lies.
//
//go:embed all:plugin
var plugin embed.FS

// CommandsRecord is a folder of commands that we made.
type CommandsRecord struct {
	Tool  string            `json:"tool"`
	Path  string            `json:"path"`
	Files map[string]string `json:"files"`          // path below it → SHA-256 of what we wrote
	Dirs  []string          `json:"dirs,omitempty"` // folders above it that we made, outermost first
}

// CommandsOf finds the record of a tool's folder of commands.
func (r Record) CommandsOf(tool string) (CommandsRecord, bool) {
	i := slices.IndexFunc(r.Commands, func(c CommandsRecord) bool { return c.Tool == tool })
	if i < 0 {
		return CommandsRecord{}, false
	}
	return r.Commands[i], true
}

// AddCommands writes the folder, or brings an older one of ours up to date.
// program is how carryover is run there. A folder that somebody else made is
// refused with ErrRefused.
func AddCommands(record *Record, tool, path, program string) error {
	known, ours := record.CommandsOf(tool)
	if _, err := os.Stat(path); err == nil && (!ours || known.Path != path) {
		return fmt.Errorf("%w: %s exists and was not written by Carryover", ErrRefused, path)
	}
	if !ours {
		known = CommandsRecord{Tool: tool, Dirs: missingDirs(filepath.Dir(path))}
	}
	known.Path, known.Files = path, map[string]string{}
	err := fs.WalkDir(plugin, "plugin", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := plugin.ReadFile(name)
		if err != nil {
			return err
		}
		below := strings.TrimPrefix(name, "plugin/")
		text := []byte(strings.ReplaceAll(string(data), "`carryover ", "`"+program+" "))
		text = []byte(strings.ReplaceAll(string(text), "Bash(carryover ", "Bash("+program+" "))
		known.Files[below] = hashOf(text)
		return writeNew(filepath.Join(path, filepath.FromSlash(below)), text)
	})
	record.dropCommands(tool)
	record.Commands = append(record.Commands, known)
	return err
}

func writeNew(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder of commands: %w", err)
	}
	if err := maybe.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("write command: %w", err)
	}
	return nil
}

// RemoveCommands takes a tool's folder of commands away, but for files that
// somebody changed or added since.
func RemoveCommands(record *Record, tool string) error {
	known, ours := record.CommandsOf(tool)
	if !ours {
		return nil
	}
	var failed error
	dirs := map[string]bool{known.Path: true}
	for below, hash := range known.Files {
		path := filepath.Join(known.Path, filepath.FromSlash(below))
		for dir := filepath.Dir(path); len(dir) > len(known.Path); dir = filepath.Dir(dir) {
			dirs[dir] = true
		}
		if data, err := os.ReadFile(path); err != nil || hashOf(data) != hash {
			continue
		}
		if err := os.Remove(path); err != nil {
			failed = errors.Join(failed, fmt.Errorf("remove command: %w", err))
		}
	}
	for _, dir := range known.Dirs {
		dirs[dir] = true
	}
	innermost := make([]string, 0, len(dirs))
	for dir := range dirs {
		innermost = append(innermost, dir)
	}
	slices.SortFunc(innermost, func(a, b string) int { return len(b) - len(a) })
	for _, dir := range innermost {
		_ = os.Remove(dir) // one that still holds something stays
	}
	if failed == nil {
		record.dropCommands(tool)
	}
	return failed
}

func (r *Record) dropCommands(tool string) {
	r.Commands = slices.DeleteFunc(r.Commands, func(c CommandsRecord) bool { return c.Tool == tool })
}
