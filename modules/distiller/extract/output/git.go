package output

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// Committed is how git commit, cherry-pick, merge and revert tell of a commit.
var Committed = lazyregexp.New(`(?m)^\[([^\]\s]+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$`)

// FilesOf is git's count of the files in a commit.
var FilesOf = lazyregexp.New(`(?m)^ (\d+) files? changed`)

// HeadNowAt is git's report of where a reset has led.
var HeadNowAt = lazyregexp.New(`(?m)^HEAD is now at ([0-9a-f]{7,40})`)

// SameCommit says that two ids, one of which may be shorter, are one commit's.
func SameCommit(a, b string) bool {
	return a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}
