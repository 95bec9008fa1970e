package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/toolspecs"
)

// oneOf checks a flag with few values.
func oneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(allowed), func(s string) bool { return s == "" })
	return coded(exitUsage, "usage", fmt.Errorf("invalid --%s %q", flag, value), "use one of %s", strings.Join(names, ", "))
}

// table is what is known of the agents. What is wrong with it is shown by the
// services that a command opens.
func (a *app) table() *toolspecs.Table {
	return daemon.WithoutLedger(a.home, func(error) {}).Table
}

// knownTool checks a flag that names a tool; "" is none.
func (a *app) knownTool(flag, tool string) error {
	if tool == "" {
		return nil
	}
	var names []string
	for _, spec := range a.table().All() {
		names = append(names, spec.Tool)
	}
	return oneOf(flag, tool, names...)
}
