// Command tools-page prints the page docs/tools.md.
package main

import (
	"fmt"
	"os"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/page"
)

func main() {
	table, failed := toolspecs.Load(nil)
	for _, err := range failed {
		fmt.Fprintln(os.Stderr, "tools-page: error:", err)
	}
	if len(failed) > 0 {
		os.Exit(1)
	}
	fmt.Print(page.Render(table))
}
