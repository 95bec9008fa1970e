package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/toolspecs"
)

// OneOf checks a flag with few values.
func OneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(allowed), func(s string) bool { return s == "" })
	return Coded(ExitUsage, "usage", fmt.Errorf("invalid --%s %q", flag, value), "use one of %s", strings.Join(names, ", "))
}

// Table is what is known of the agents. What is wrong with it is shown by the
// services that a command opens.
func (a *App) Table() *toolspecs.Table {
	return daemon.WithoutLedger(a.Home, func(error) {}).Table
}

// KnownTool checks a flag that names a tool; "" is none.
func (a *App) KnownTool(flag, tool string) error {
	if tool == "" {
		return nil
	}
	var names []string
	for _, spec := range a.Table().All() {
		names = append(names, spec.Tool)
	}
	return OneOf(flag, tool, names...)
}
