package installation

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// installReport is the JSON of install, refresh and uninstall.
type installReport struct {
	Schema  int             `json:"schema"`
	DryRun  bool            `json:"dry_run"`
	Tools   []installedTool `json:"tools"`
	Daemon  string          `json:"daemon,omitempty"`
	Service string          `json:"service,omitempty"` // the manager that starts it at login
}

type installedTool struct {
	Tool    string   `json:"tool"`
	State   string   `json:"state"`
	Version string   `json:"version,omitempty"`
	Newer   bool     `json:"newer,omitempty"`
	Known   string   `json:"known,omitempty"` // the newest version of the table, for a newer one
	Upgrade string   `json:"upgrade,omitempty"`
	Path    string   `json:"path,omitempty"`
	Events  []string `json:"events"`
	Entry   string   `json:"entry,omitempty"` // where a word in a list does what hooks do elsewhere

	Commands string `json:"commands,omitempty"` // the folder of our commands
	Changed  bool   `json:"changed"`
	Note     string `json:"note,omitempty"`
	Diff     string `json:"diff,omitempty"` // of a dry run
	Error    string `json:"error,omitempty"`
	Hint     string `json:"hint,omitempty"`
}

func reportOf(a *cli.App, outcomes []setup.Outcome, dryRun bool) []installedTool {
	tools := []installedTool{}
	for _, o := range outcomes {
		tool := installedTool{
			Tool: o.Tool, State: state(o), Version: o.Version, Newer: o.Newer, Path: o.Path, Events: append([]string{}, o.Events...), Entry: o.Entry, Commands: o.Commands,
			Changed: o.Change.Changed(), Note: strings.TrimSpace(strings.Join(append([]string{o.Trust, o.Change.Note}, o.Off...), " ")),
		}
		if o.Newer {
			tool.Known, tool.Upgrade = o.Newest, cli.Upgrade()
		}
		if dryRun {
			tool.Diff = diff(o.Change)
		}
		switch {
		case o.Failed():
			tool.Error, tool.Hint = o.Err.Error(), hintFor(a, o)
		case o.Err != nil:
			tool.Note = o.Err.Error()
		}
		tools = append(tools, tool)
	}
	return tools
}

// state is what became of a tool, in one word.
func state(o setup.Outcome) string {
	switch {
	case o.Failed():
		return "failed"
	case o.Err != nil:
		return "read"
	case o.Removed:
		return "removed"
	case !o.Change.Changed():
		return "unchanged"
	}
	return "wired"
}

// printOutcomes writes a block per tool: a mark, its name and version, its
// settings file, the events written.
func printOutcomes(a *cli.App, outcomes []setup.Outcome, dryRun bool) {
	for _, o := range outcomes {
		if dryRun && o.Err == nil {
			printDiff(a, o.Name, o.Change)
			continue
		}
		printOutcome(a, o)
	}
}

func printOutcome(a *cli.App, o setup.Outcome) {
	m := cli.TerminalMarks()
	title := strings.TrimSpace(o.Name + " " + o.Version)
	below := func(line string) {
		if line != "" {
			a.Print("%s%s", m.Indent, line)
		}
	}
	switch {
	case errors.Is(o.Err, setup.ErrNotFound):
		a.Print("%s %s: not found, skipped", m.Failed, title)
		below(hintFor(a, o))
		return
	case o.Failed():
		a.Print("%s %s: skipped", m.Failed, title)
		below(o.Err.Error())
		below(hintFor(a, o))
		return
	case o.Err != nil:
		a.Print("%s %s: %s", m.Done, title, o.Err)
		return
	case o.Removed:
		a.Print("%s %s: removed", m.Idle, title)
	case !o.Change.Changed():
		a.Print("%s %s: unchanged", m.Done, title)
	default:
		a.Print("%s %s", m.Done, title)
	}
	below(cli.HomePath(o.Path))
	below(strings.Join(o.Events, " "))
	below(o.Entry)
	if o.Commands != "" {
		below("/ledger, /self, /compaction, /agent and /human, in " + cli.HomePath(o.Commands))
	}
	if o.Newer {
		below(fmt.Sprintf("newer than the tool table; the hooks of %s are used. Upgrade: %s", o.Newest, cli.Upgrade()))
	}
	if spec, err := a.Table().Lookup(o.Tool); err == nil {
		below(setup.HeirOf(spec))
		if toolspecs.Untested(spec) {
			below("documented, untested")
		}
	}
	below(o.Trust)
	below(o.Change.Note)
	for _, off := range o.Off {
		below(strings.TrimSpace(m.Warning) + " " + off)
	}
}

func hintFor(a *cli.App, o setup.Outcome) string {
	switch {
	case errors.Is(o.Err, setup.ErrNotFound):
		hint := "run `carryover refresh` after installing it"
		if spec, err := a.Table().Lookup(o.Tool); err == nil && spec.Detect.Install != "" {
			hint += ": `" + spec.Detect.Install + "`"
		}
		return hint
	case errors.Is(o.Err, toolspecs.ErrTooOld):
		return "upgrade it, then run `carryover refresh`"
	case errors.Is(o.Err, wiring.ErrRefused):
		return "nothing was changed; correct the file, then run `carryover refresh`"
	}
	return "nothing was changed for this agent; run `carryover doctor`"
}

func printDiff(a *cli.App, name string, change wiring.Change) {
	if !change.Changed() {
		a.Note("unchanged: %s, %s", name, cli.HomePath(change.Path))
		return
	}
	_, _ = fmt.Fprint(a.Out, diff(change))
}

// diff is what would change in a file, as patch reads it.
func diff(change wiring.Change) string {
	before, after := change.Path, change.Path
	if change.Before == nil {
		before = os.DevNull
	}
	if change.After == nil {
		after = os.DevNull
	}
	return udiff.Unified(before, after, string(change.Before), string(change.After))
}
