package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
)

// installReport is the JSON of install and uninstall.
type installReport struct {
	Schema  int             `json:"schema"`
	DryRun  bool            `json:"dry_run"`
	Tools   []installedTool `json:"tools"`
	Daemon  string          `json:"daemon,omitempty"`
	Service string          `json:"service,omitempty"` // the manager that starts it at login
}

type installedTool struct {
	Tool    string   `json:"tool"`
	Version string   `json:"version,omitempty"`
	Newer   bool     `json:"newer,omitempty"`
	Path    string   `json:"path,omitempty"`
	Events  []string `json:"events"`
	Changed bool     `json:"changed"`
	Note    string   `json:"note,omitempty"`
	Diff    string   `json:"diff,omitempty"` // of a dry run
	Error   string   `json:"error,omitempty"`
	Hint    string   `json:"hint,omitempty"`
}

func (a *app) reported(outcomes []setup.Outcome, dryRun bool) []installedTool {
	tools := []installedTool{}
	for _, o := range outcomes {
		tool := installedTool{
			Tool: o.Tool, Version: o.Version, Newer: o.Newer, Path: o.Path, Events: append([]string{}, o.Events...),
			Changed: o.Change.Changed(), Note: strings.TrimSpace(o.Trust + " " + o.Change.Note),
		}
		if dryRun {
			tool.Diff = diff(o.Change)
		}
		if o.Err != nil {
			tool.Error, tool.Hint = o.Err.Error(), a.hintFor(o)
		}
		tools = append(tools, tool)
	}
	return tools
}

func (a *app) printOutcomes(outcomes []setup.Outcome, dryRun bool) {
	for _, o := range outcomes {
		if o.Err != nil {
			a.print("%s", strings.TrimSpace("failed     "+o.Name+" "+o.Version))
			continue
		}
		if dryRun {
			a.printDiff(o.Name, o.Change)
			continue
		}
		state := "wired"
		if !o.Change.Changed() {
			state = "unchanged"
		}
		a.print("%-10s %s %s", state, o.Name, o.Version)
		a.print("           %s", o.Path)
		a.print("           %s", strings.Join(o.Events, " "))
		if o.Newer {
			a.note("carryover: warning: %s %s is newer than the tool table; its last known names are used", o.Name, o.Version)
		}
		if o.Trust != "" {
			a.print("           %s", o.Trust)
		}
	}
}

func (a *app) hintFor(o setup.Outcome) string {
	switch {
	case errors.Is(o.Err, setup.ErrNotFound):
		hint := "run `carryover install --tools " + o.Tool + "` after installing it"
		if spec, err := a.table().Lookup(o.Tool); err == nil && spec.Detect.Install != "" {
			hint += ": `" + spec.Detect.Install + "`"
		}
		return hint
	case errors.Is(o.Err, wiring.ErrRefused):
		return "nothing was changed; mend that file, then run `carryover install --tools " + o.Tool + "` again"
	}
	return "nothing was changed for this tool; see `carryover doctor`"
}

func (a *app) printDiff(name string, change wiring.Change) {
	if !change.Changed() {
		a.note("unchanged  %s: %s", name, change.Path)
		return
	}
	_, _ = fmt.Fprint(a.out, diff(change))
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
