// Package config reads ~/.carryover/config.toml, which holds the user's
// choices and nothing else: no path or hook name of a tool stands there.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/viper"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// Choices are the user's settings. The tags are the one source of the file's keys,
// the environment variables, the defaults, what is valid, `carryover config` and
// docs/config.md: key (in config.toml; the variable is CARRYOVER_ and the key in
// capitals with _ for .), default, oneof, min and max, project (a repository may set
// it in .carryover.toml), value (how one is written) and doc.
type Choices struct {
	Tools        []string      `key:"tools" value:"names" doc:"agents that Carryover is connected to, as 'carryover install' set them"`
	Resume       string        `key:"resume" default:"ask" oneof:"ask brief silent" project:"yes" doc:"how a new session takes up earlier work: it asks first, says it in one line, or goes on silently"`
	Announce     bool          `key:"announce" default:"true" doc:"whether you see one line at a start, after a compaction, at a dismissed handoff and when the context fills up, where the agent can show it"`
	Listen       string        `key:"listen" default:"127.0.0.1:47823" value:"address" doc:"loopback address of the API and the dashboard"`
	ProjectFiles string        `key:"project_files" default:"needed" oneof:"needed always never" project:"yes" doc:"whether a project's own files are changed: a block in AGENTS.md or CLAUDE.md that points to the handoff, for connected agents that no hook reaches (needed), for every agent and with lines in .gitignore (always), or not at all (never)"`
	Exclude      []string      `key:"exclude" value:"folders" project:"yes" doc:"below these folders nothing is written into a project and no session is given a handoff, with a daemon or without; in .carryover.toml: true, or folders of the project"`
	Parts        []string      `key:"parts" value:"folders" project:"yes" doc:"folders of a project that are worked on by themselves, as patterns (apps/*): a session in one is given the handoff of that one; without them a part is the folder that a session began in and all files it changed share"`
	StaleAfter   time.Duration `key:"stale_after" default:"14d" doc:"older handoffs are named and not loaded"`
	ContextUsage ContextUsage

	KeepSessions    time.Duration `key:"retention.sessions" default:"0d" doc:"sessions without an event for this long are deleted permanently; 0d: none"`
	KeepTranscripts bool          `key:"transcripts.keep" default:"true" doc:"whether the raw records of transcripts are kept, compressed and without secrets, so that 'carryover rescue' can give a session back to an agent that deleted it; false keeps no more of them"`
	TranscriptsMB   int           `key:"transcripts.max_mb" default:"2000" min:"0" doc:"size of these copies in megabytes, from which on the oldest are deleted; 0: no limit"`

	ArchiveAfter time.Duration `key:"continuity.archive_after" default:"90d" doc:"age at which handoffs of named agents are archived: searchable, not delivered; 0d: never"`
	KeepHandoffs int           `key:"continuity.keep_handoffs" default:"200" min:"0" doc:"handoffs kept for each named agent before the older ones are archived; 0: all"`
	LogLevel     string        `key:"log.level" default:"info" oneof:"debug info warn error" doc:"what the daemon's log holds"`
}

// Values of ProjectFiles.
const (
	ProjectFilesNeeded = "needed"
	ProjectFilesAlways = "always"
	ProjectFilesNever  = "never"
)

// ContextUsage are the percentages of context usage at which something happens.
type ContextUsage struct {
	Notice   int  `key:"fullness.notice" default:"70" min:"0" max:"100" doc:"percentage of context usage at which a session gets one notice; 0: never"`
	Snapshot int  `key:"fullness.snapshot" default:"95" min:"0" max:"100" doc:"percentage of context usage at which ledger.md is written with a snapshot; 0: never"`
	MidTurn  bool `key:"fullness.mid_turn" default:"true" doc:"whether the notice may come after a tool call too, not only at a prompt; after 'carryover refresh', false spares Claude Code a hook at every tool call"`
}

// Default are the choices of a user who made none.
func Default() Choices {
	var choices Choices
	for _, s := range settingsOf(&choices) {
		if err := s.parse(s.Default); err != nil {
			panic(err) // a tag above is wrong
		}
	}
	return choices
}

// Load reads the choices from config.toml and the environment. A broken file or
// variable is named in the error and the defaults are returned beside it, so that
// the daemon can go on with them.
func Load(dir home.Dir) (Choices, error) {
	choices := Default()
	file := viper.New()
	file.SetConfigType("toml")
	text, err := regularfile.ReadOwn(dir.Config())
	if err == nil {
		err = file.ReadConfig(bytes.NewReader(text))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = choices.take(file)
	}
	if err != nil {
		choices, err = Default(), fmt.Errorf("read %s: %w", dir.Config(), err)
	}
	inFile := choices
	if fromEnv := choices.take(environment()); fromEnv != nil {
		choices, err = inFile, errors.Join(err, fmt.Errorf("read the environment: %w", fromEnv))
	}
	return choices, err
}

// environment has the keys that are set by their variables.
func environment() *viper.Viper {
	v := viper.New()
	v.SetEnvPrefix("carryover")
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	v.AutomaticEnv()
	return v
}

// take lays what is set over the choices.
func (c *Choices) take(v *viper.Viper) error {
	var errs []error
	for _, s := range settingsOf(c) {
		if v.IsSet(s.Key) {
			errs = append(errs, s.take(v.Get(s.Key)))
		}
	}
	return errors.Join(errs...)
}
