package shell

import (
	"slices"
	"strconv"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// beforeHead is a revision so many commits before HEAD.
var beforeHead = lazyregexp.New(`^HEAD(?:~(\d*)|(\^+))$`)

// BackBy is how many commits a reset was asked to take back, 0 for none.
func BackBy(argv []string) int {
	for _, w := range argv {
		if m := beforeHead.FindStringSubmatch(w); m != nil {
			n := max(1, len(m[2]))
			if m[1] != "" {
				n, _ = strconv.Atoi(m[1])
			}
			return n
		}
	}
	return 0
}

// Amends says that a git commit replaces the newest one.
func Amends(argv []string) bool { return slices.Contains(argv, "--amend") }
