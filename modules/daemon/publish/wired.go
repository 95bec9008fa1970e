package publish

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// wiredTools are what holds for each tool that is wired, at the version it had
// then.
func wiredTools(dir home.Dir, table *toolspecs.Table) []toolspecs.Resolved {
	record, _, err := wiring.ReadRecord(dir)
	if err != nil {
		return nil
	}
	var list []toolspecs.Resolved
	for _, file := range record.Files {
		spec, err := table.Lookup(file.Tool)
		if err != nil {
			continue
		}
		if resolved, err := spec.Resolve(file.Version); err == nil {
			list = append(list, resolved)
		}
	}
	return list
}

// pointerRules are the context-file rules of the tools that the block is for: of
// all that are connected, or of those that nothing else reaches.
func pointerRules(choice string, dir home.Dir, table *toolspecs.Table) []toolspecs.ContextFiles {
	if choice == config.ProjectFilesNever {
		return nil
	}
	var rules []toolspecs.ContextFiles
	for _, resolved := range wiredTools(dir, table) {
		if choice == config.ProjectFilesAlways || !delivers(resolved) {
			rules = append(rules, resolved.Context)
		}
	}
	record, _, err := wiring.ReadRecord(dir)
	if err != nil {
		return rules
	}
	for _, tool := range record.Unreached {
		if spec, err := table.Lookup(tool); err == nil && len(spec.Versions) > 0 {
			rules = append(rules, spec.Versions[len(spec.Versions)-1].Context)
		}
	}
	return rules
}

// readsContext says whether a wired tool reads ContextFile.
func readsContext(wired []toolspecs.Resolved) bool {
	return slices.ContainsFunc(wired, func(resolved toolspecs.Resolved) bool {
		return slices.ContainsFunc(resolved.Settings, func(settings toolspecs.Settings) bool { return settings.Entry == ContextFile })
	})
}

// ReadsContext says whether a tool is wired and reads ContextFile by itself: it needs
// the handoff from nobody else.
func ReadsContext(dir home.Dir, table *toolspecs.Table, tool string) bool {
	record, _, err := wiring.ReadRecord(dir)
	if err != nil {
		return false
	}
	for _, file := range record.Files {
		if file.Tool != tool {
			continue
		}
		spec, err := table.Lookup(tool)
		if err != nil {
			return false
		}
		if resolved, err := spec.Resolve(file.Version); err == nil && readsContext([]toolspecs.Resolved{resolved}) {
			return true
		}
	}
	return false
}

// startAnswers are the forms in which the tools take a handoff at a start.
func startAnswers(table *toolspecs.Table) map[string]string {
	answers := map[string]string{}
	for _, spec := range table.All() {
		for _, hook := range slices.Concat(spec.Hooks, spec.EditorHooks()) {
			if !hook.Wired || !hook.Gives(toolspecs.AtStart) {
				continue
			}
			name := strings.ToLower(spec.Tool + "/" + hook.Event)
			if answers[name] = ""; hook.Output == "json" {
				answers[name] = hook.Field
			}
		}
	}
	return answers
}

// Delivers says whether a version of a tool, once connected, gets a handoff without
// a block in a project's context files.
func Delivers(table *toolspecs.Table, tool, version string) bool {
	spec, err := table.Lookup(tool)
	if err != nil {
		return false
	}
	resolved, err := spec.Resolve(version)
	return err == nil && delivers(resolved)
}

// delivers says whether a tool gets a handoff by a hook at its start, or reads
// ContextFile.
func delivers(resolved toolspecs.Resolved) bool {
	return readsContext([]toolspecs.Resolved{resolved}) ||
		slices.ContainsFunc(resolved.Wired(), func(hook toolspecs.Hook) bool { return hook.Gives(toolspecs.AtStart) })
}
