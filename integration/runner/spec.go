package runner

import (
	"maps"
	"slices"

	"github.com/carryover-go/carryover/toolspecs"
)

// Spec is what is known of a tool.
func (h *Home) Spec(tool string) *toolspecs.Spec {
	h.t.Helper()
	table, _ := toolspecs.Load(nil)
	spec, err := table.Lookup(tool)
	if err != nil {
		h.t.Fatal(err)
	}
	return spec
}

// Which are the agents that run here of which a thing holds, by their specs.
func Which(holds func(*toolspecs.Spec) bool) []string {
	table, _ := toolspecs.Load(nil)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(Agents)), func(tool string) bool {
		spec, err := table.Lookup(tool)
		return err != nil || spec.Terminal == nil || !holds(spec)
	})
}

// TakesPipedPrompts says that the tool's spec knows a run of it by a prompt that
// is piped in.
func TakesPipedPrompts(spec *toolspecs.Spec) bool {
	return slices.ContainsFunc(spec.Headless, func(mark toolspecs.Mark) bool { return mark.Piped })
}

// GivesAtStart says that a hook of the tool carries a handoff into a session
// that starts.
func GivesAtStart(spec *toolspecs.Spec) bool {
	return slices.ContainsFunc(spec.Hooks, func(hook toolspecs.Hook) bool { return hook.Wired && hook.Gives(toolspecs.AtStart) })
}
