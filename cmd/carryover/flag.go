package main

import (
	"fmt"
	"slices"
	"strings"
)

// oneOf checks a flag with few values.
func oneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(allowed), func(s string) bool { return s == "" })
	return coded(exitUsage, "usage", fmt.Errorf("--%s is %q", flag, value), "use one of %s", strings.Join(names, ", "))
}
