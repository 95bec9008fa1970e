package continuity

import (
	_ "embed"
	"strings"
)

// Instructions tells an agent of the protocol: at most 40 lines, the same in
// every project.
//
//go:embed instructions.md
var Instructions string

// Example is the part of the instructions that shows the commands: a block as
// an agent would print it.
func Example() string {
	_, after, _ := strings.Cut(Instructions, "```\n")
	example, _, _ := strings.Cut(after, "```\n")
	return example
}
