package publish

import (
	"slices"
	"strings"

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

// contextRules are the context-file rules of the tools that are wired.
func contextRules(wired []toolspecs.Resolved) []toolspecs.ContextFiles {
	var rules []toolspecs.ContextFiles
	for _, resolved := range wired {
		rules = append(rules, resolved.Context)
	}
	return rules
}

// readsContext says whether a wired tool reads ContextFile.
func readsContext(wired []toolspecs.Resolved) bool {
	return slices.ContainsFunc(wired, func(resolved toolspecs.Resolved) bool {
		return slices.ContainsFunc(resolved.Settings, func(settings toolspecs.Settings) bool { return settings.Entry == ContextFile })
	})
}

// startAnswers are the forms in which the tools take a handoff at a start.
func startAnswers(table *toolspecs.Table) map[string]string {
	answers := map[string]string{}
	for _, spec := range table.All() {
		for _, hook := range spec.Hooks {
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
