package look

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/setup"
)

// toolsReport is the JSON of status --tools.
type toolsReport struct {
	Schema int        `json:"schema"`
	Tools  []toolView `json:"tools"`
}

type toolView struct {
	Tool        string           `json:"tool"`
	Name        string           `json:"name"`
	Found       bool             `json:"found"`
	Binary      string           `json:"binary,omitempty"`
	Version     string           `json:"version,omitempty"`
	Range       string           `json:"range,omitempty"` // of the table, that holds for the version
	Newer       bool             `json:"newer"`
	Known       string           `json:"known,omitempty"` // the newest version of the table
	Path        string           `json:"path,omitempty"`  // settings file
	Exists      bool             `json:"exists"`
	Events      []string         `json:"events"`  // wired now
	Missing     []string         `json:"missing"` // would be wired by a refresh
	SourceRoots []sourceRootView `json:"places"`
	Error       string           `json:"error,omitempty"`
}

type sourceRootView struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
}

// statusTools says of each tool what is here and what is wired. It changes
// nothing.
func statusTools(ctx context.Context, a *cli.App) error {
	views := setup.Inspect(ctx, a.Table(), a.Home)
	if !a.JSON {
		for _, view := range views {
			printView(a, view)
		}
		return nil
	}
	report := toolsReport{Schema: cli.Schema, Tools: []toolView{}}
	for _, view := range views {
		report.Tools = append(report.Tools, viewOf(view))
	}
	return a.Object(report)
}

func viewOf(v setup.View) toolView {
	view := toolView{
		Tool: v.Spec.Tool, Name: v.Spec.Name, Found: !errors.Is(v.Err, setup.ErrNotFound), Binary: v.Binary, Version: v.Version,
		Range: v.Resolved.Range.Range, Newer: v.Resolved.Newer, Known: v.Resolved.Newest, Path: v.Settings, Exists: v.Exists,
		Events: append([]string{}, v.Standing...), Missing: []string{}, SourceRoots: []sourceRootView{},
	}
	if v.Wired() {
		view.Missing = append(view.Missing, without(v.Expected, v.Standing)...)
	}
	for _, root := range v.SourceRoots {
		view.SourceRoots = append(view.SourceRoots, sourceRootView(root))
	}
	if err := v.Reason(); err != nil {
		view.Error = err.Error()
	}
	return view
}

// printView writes a block per tool, like that of an install.
func printView(a *cli.App, v setup.View) {
	m := cli.TerminalMarks()
	line := func(label, format string, args ...any) {
		a.Print("%s%-12s "+format, append([]any{m.Indent, label}, args...)...)
	}
	switch {
	case errors.Is(v.Err, setup.ErrNotFound):
		a.Print("%s %s: not found", m.Idle, v.Spec.Name)
	case v.Err != nil:
		a.Print("%s %s", m.Failed, strings.TrimSpace(v.Spec.Name+" "+v.Version))
	default:
		a.Print("%s %s %s", m.Done, v.Spec.Name, v.Version)
		line("range", "%s", v.Resolved.Range.Range)
	}
	if v.Resolved.Newer {
		line("newer", "the hooks of %s are used. Upgrade: %s", v.Resolved.Newest, cli.Upgrade())
	}
	if v.Settings != "" {
		line("settings", "%s%s", v.Settings, ifMissing(v.Exists))
	}
	switch missing := without(v.Expected, v.Standing); {
	case len(v.Standing) == 0 && v.Settings != "":
		line("hooks", "none")
	case len(missing) > 0:
		line("hooks", "%s; missing %s: run `carryover refresh`", strings.Join(v.Standing, " "), strings.Join(missing, " "))
	case len(v.Standing) > 0:
		line("hooks", "%s", strings.Join(v.Standing, " "))
	}
	for _, text := range sourceRootsText(v.SourceRoots) {
		line("transcripts", "%s", text)
	}
	if err := v.Reason(); err != nil {
		line("note", "%s", err)
	}
}

// sourceRootsText names the places that are there; when none is, the first one.
func sourceRootsText(roots []setup.SourceRoot) []string {
	var there []string
	for _, root := range roots {
		if root.Exists || !filepath.IsAbs(root.Path) {
			there = append(there, root.Path)
		}
	}
	switch {
	case len(there) > 0 || len(roots) == 0:
		return there
	case len(roots) == 1:
		return []string{roots[0].Path + ifMissing(false)}
	}
	return []string{fmt.Sprintf("%s and %d more (none exists)", roots[0].Path, len(roots)-1)}
}

func ifMissing(exists bool) string {
	if exists {
		return ""
	}
	return " (missing)"
}

// without are the words of a list that are not in another.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(word string) bool { return slices.Contains(other, word) })
}
