// Package speccheck compares what the specs say with what happened on this machine:
// which record types and tool names came in which version, and which hooks
// fired.
package speccheck

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/hookstats"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// newest is how many sessions of a tool are looked at, the newest ones: their
// events are read one by one.
const newest = 100

// Tool is what happened with one tool.
type Tool struct {
	Spec     *toolspecs.Spec
	Records  transcript.Coverage // of everything ever read
	Sessions int                 // looked at for Versions and Hooks
	Versions []Version           // newest session first
	Hooks    []Hook              // wired ones, in the spec's order; none when the tool is not wired
}

// Version is what one version of the tool wrote.
type Version struct {
	Version  string // "" where the transcripts do not say
	Sessions int
	Kinds    map[string]int   // events by kind
	With     map[string]int   // sessions with an event of a kind
	Calls    map[string]int   // calls by the tool's own names
	Unknown  map[string]int64 // record types and calls that no spec knows
}

// Look compares for every tool of the table. A nil log is a ledger that is not
// there.
func Look(ctx context.Context, dir home.Dir, table *toolspecs.Table, log ledger.Store) ([]Tool, error) {
	return look(ctx, dir, table, log, false)
}

// LookAtHooks is Look for wired tools alone, and reads no session from before
// they were wired.
func LookAtHooks(ctx context.Context, dir home.Dir, table *toolspecs.Table, log ledger.Store) ([]Tool, error) {
	return look(ctx, dir, table, log, true)
}

func look(ctx context.Context, dir home.Dir, table *toolspecs.Table, log ledger.Store, hooksOnly bool) ([]Tool, error) {
	record, _, err := wiring.ReadRecord(dir)
	if err != nil {
		return nil, err
	}
	counts, err := hookstats.Read(dir)
	if err != nil {
		return nil, err
	}
	choices, _ := config.Load(dir) // of a broken file the defaults, as when the hooks were wired
	coverage := map[string]transcript.Coverage{}
	if log != nil {
		list, err := log.Coverage(ctx)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			coverage[c.Tool] = c.Coverage
		}
	}
	var tools []Tool
	for _, spec := range table.All() {
		tool := Tool{Spec: spec, Records: coverage[spec.Tool]}
		hooks := hooksOf(spec, record, counts, choices.ContextUsage.MidTurn)
		if hooksOnly && len(hooks) == 0 {
			continue
		}
		if log != nil {
			filter := ledger.SessionFilter{Tool: spec.Tool, Limit: newest}
			if hooksOnly {
				filter.Since = hooks[0].wired
			}
			if err := tool.read(ctx, log, filter, hooks, inEditor(dir, spec.Tool)); err != nil {
				return nil, fmt.Errorf("compare %s: %w", spec.Name, err)
			}
		}
		for _, hook := range hooks {
			tool.Hooks = append(tool.Hooks, hook.Hook)
		}
		tools = append(tools, tool)
	}
	return tools, nil
}

// read goes through the newest sessions once.
// inEditor says of a session whether it was carried on in an editor, behind `carryover
// acp`: some adapters run no hooks.
func inEditor(dir home.Dir, tool string) func(session string) bool {
	return func(session string) bool {
		_, err := os.Stat(dir.Path("acp", tool, session+".jsonl"))
		return err == nil && filepath.IsLocal(session)
	}
}

func (t *Tool) read(ctx context.Context, log ledger.Store, filter ledger.SessionFilter, hooks []*occasions, unhooked func(session string) bool) error {
	sessions, err := log.Sessions(ctx, filter)
	if err != nil {
		return err
	}
	t.Sessions = len(sessions)
	versions := map[string]int{}
	for _, session := range sessions {
		at, ok := versions[session.Version]
		if !ok {
			at = len(t.Versions)
			versions[session.Version] = at
			t.Versions = append(t.Versions, Version{Version: session.Version, Kinds: map[string]int{}, With: map[string]int{}, Calls: map[string]int{}})
		}
		t.Versions[at].Sessions++
		has := map[string]bool{}
		for _, hook := range hooks {
			hook.begin(session, unhooked(session.ID))
		}
		for event, err := range log.Events(ctx, session.SessionKey) {
			if err != nil {
				return err
			}
			t.Versions[at].count(event.Event)
			has[string(event.Kind)] = true
			for _, hook := range hooks {
				hook.see(event.Event)
			}
		}
		for kind := range has {
			t.Versions[at].With[kind]++
		}
	}
	for version, unknown := range t.Records.Unknown {
		at, ok := versions[version]
		if !ok {
			at = len(t.Versions)
			t.Versions = append(t.Versions, Version{Version: version})
		}
		t.Versions[at].Unknown = maps.Clone(unknown)
	}
	return nil
}

func (v *Version) count(event transcript.Event) {
	v.Kinds[string(event.Kind)]++
	if event.Call != nil && event.Kind == transcript.Call {
		v.Calls[event.Call.Name]++
	}
}

// wiredFile is the record of the tool's settings file.
func wiredFile(record wiring.Record, tool string) (wiring.FileRecord, bool) {
	i := slices.IndexFunc(record.Files, func(f wiring.FileRecord) bool { return slices.Contains(f.Serves(), tool) })
	if i < 0 {
		return wiring.FileRecord{}, false
	}
	return record.Files[i], true
}

// since is when the tool was wired.
func since(record wiring.Record, file wiring.FileRecord) time.Time {
	if !file.Wired.IsZero() {
		return file.Wired
	}
	return record.Installed
}
