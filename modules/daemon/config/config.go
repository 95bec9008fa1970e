// Package config reads ~/.carryover/config.toml, which holds the user's
// choices and nothing else: no path or hook name of a tool stands there.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"
	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/viper"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// DefaultListen is the loopback address of the API.
const DefaultListen = "127.0.0.1:47823"

// Choices are the keys of config.toml.
type Choices struct {
	Tools      []string      // wired at install
	Resume     string        // ask, brief, silent
	Listen     string        // loopback address of the API
	Pointer    string        // auto, existing, off
	Ignore     string        // project, inner
	Exclude    []string      // folders nothing is written into or restored in
	StaleAfter time.Duration // older handoffs are only named
	LogLevel   string        // debug, info, warn, error

	KeepSessions time.Duration // sessions that are older are forgotten; 0: none
	ArchiveAfter time.Duration // age at which handoffs of named agents are no longer given; 0: never
	KeepHandoffs int           // of each named agent; 0: all
	Fullness     Fullness
}

// Fullness says at how many percent of its model's window a session is told
// and saved; 0 turns it off.
type Fullness struct {
	Notice   int  // the agent is told once
	Snapshot int  // snapshot and long document are written again
	MidTurn  bool // the notice may come after a tool call too, not only at a prompt
}

var (
	resumeModes  = []string{"ask", "brief", "silent"}
	pointerModes = []string{"auto", "existing", "off"}
	ignoreModes  = []string{"project", "inner"}
	logLevels    = []string{"debug", "info", "warn", "error"}
)

// Default are the choices of a user who made none.
func Default() Choices {
	return Choices{
		Resume: "ask", Listen: DefaultListen, Pointer: "auto", Ignore: "project",
		StaleAfter: 14 * 24 * time.Hour, ArchiveAfter: 90 * 24 * time.Hour, KeepHandoffs: 200, LogLevel: "info", Fullness: Fullness{Notice: 70, Snapshot: 95, MidTurn: true},
	}
}

// Load reads the choices. A broken file is named in the error and the
// defaults are returned beside it, so that the daemon can go on with them.
// CARRYOVER_LISTEN overrides `listen`.
func Load(dir home.Dir) (Choices, error) {
	choices := Default()
	v := viper.New()
	v.SetConfigFile(dir.Config())
	v.SetConfigType("toml")
	err := v.ReadInConfig()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", dir.Config(), err)
	} else {
		err = choices.take(v)
		if err != nil {
			choices, err = Default(), fmt.Errorf("read %s: %w", dir.Config(), err)
		}
	}
	if listen := os.Getenv("CARRYOVER_LISTEN"); listen != "" {
		choices.Listen = listen
	}
	return choices, err
}

func (c *Choices) take(v *viper.Viper) error {
	text := func(key string, into *string, allowed []string) error {
		if !v.IsSet(key) {
			return nil
		}
		value := v.GetString(key)
		if allowed != nil && !slices.Contains(allowed, value) {
			return fmt.Errorf("invalid %s %q: use one of %s", key, value, strings.Join(allowed, ", "))
		}
		*into = value
		return nil
	}
	if v.IsSet("tools") {
		c.Tools = v.GetStringSlice("tools")
	}
	if v.IsSet("exclude") {
		c.Exclude = v.GetStringSlice("exclude")
	}
	for key, into := range map[string]*time.Duration{
		"stale_after": &c.StaleAfter, "retention.sessions": &c.KeepSessions, "continuity.archive_after": &c.ArchiveAfter,
	} {
		if !v.IsSet(key) {
			continue
		}
		age, err := Age(v.GetString(key))
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		*into = age
	}
	if v.IsSet("continuity.keep_handoffs") {
		if c.KeepHandoffs = v.GetInt("continuity.keep_handoffs"); c.KeepHandoffs < 0 {
			return fmt.Errorf("invalid continuity.keep_handoffs %d: use 0 (all) or more", c.KeepHandoffs)
		}
	}
	if v.IsSet("fullness.mid_turn") {
		c.Fullness.MidTurn = v.GetBool("fullness.mid_turn")
	}
	percent := func(key string, into *int) error {
		if !v.IsSet(key) {
			return nil
		}
		n, err := strconv.Atoi(v.GetString(key))
		if err != nil || n < 0 || n > 100 {
			return fmt.Errorf("invalid %s %q: use a percentage from 0 (off) to 100", key, v.GetString(key))
		}
		*into = n
		return nil
	}
	return errors.Join(
		percent("fullness.notice", &c.Fullness.Notice),
		percent("fullness.snapshot", &c.Fullness.Snapshot),
		text("resume", &c.Resume, resumeModes),
		text("listen", &c.Listen, nil),
		text("pointer", &c.Pointer, pointerModes),
		text("ignore", &c.Ignore, ignoreModes),
		text("log.level", &c.LogLevel, logLevels),
	)
}

// Age reads a duration in days ("14d") or in Go's form ("36h").
func Age(text string) (time.Duration, error) {
	if days, found := strings.CutSuffix(text, "d"); found {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("invalid number of days %q: use the form 14d", text)
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	age, err := time.ParseDuration(text)
	if err != nil || age < 0 {
		return 0, fmt.Errorf("invalid age %q: use the form 14d or 36h", text)
	}
	return age, nil
}

// Save sets keys in config.toml and keeps every other one.
func Save(dir home.Dir, set map[string]any) error {
	all := map[string]any{}
	data, err := os.ReadFile(dir.Config())
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

// projectKeys are what a repository may say about itself. It may not choose
// where the daemon listens or which tools are wired.
var projectKeys = []string{"resume", "pointer", "exclude"}

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
	for _, key := range v.AllKeys() {
		if !slices.Contains(projectKeys, key) {
			return c, fmt.Errorf("read %s: a project can set only %s, not %s", path, strings.Join(projectKeys, ", "), key)
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
