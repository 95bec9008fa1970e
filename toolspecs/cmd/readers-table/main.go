// Command readers-table prints toolspecs/readers/table.go for a folder of
// tools.
package main

import (
	"fmt"
	"os"

	"github.com/carryover-go/carryover/toolspecs/readers/registry"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: readers-table FOLDER")
		os.Exit(2)
	}
	source, err := registry.Source(os.DirFS(os.Args[1]))
	if err != nil {
		fmt.Fprintln(os.Stderr, "readers-table:", err)
		os.Exit(1)
	}
	_, _ = os.Stdout.Write(source)
}
