// Package bounded keeps lists short, so that what is remembered of a session
// has a limit.
package bounded

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
)

// Limit keeps the newest n of a list.
func Limit[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	return slices.Clone(list[len(list)-n:])
}

// Keep appends a statement unless it is there, and keeps the newest n.
func Keep(list []distiller.Statement, s distiller.Statement, n int) []distiller.Statement {
	if slices.ContainsFunc(list, func(k distiller.Statement) bool { return k.Text == s.Text }) {
		return list
	}
	return Limit(append(list, s), n)
}
