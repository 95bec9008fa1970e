package extract

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
)

// limit keeps the newest n of a list.
func limit[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	return slices.Clone(list[len(list)-n:])
}

// keep appends a statement unless it is there, and keeps the newest n.
func keep(list []distiller.Statement, s distiller.Statement, n int) []distiller.Statement {
	if slices.ContainsFunc(list, func(k distiller.Statement) bool { return k.Text == s.Text }) {
		return list
	}
	return limit(append(list, s), n)
}
