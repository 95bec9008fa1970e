// Command demo writes the session that `make demo` imports: a day of work in
// Claude Code on a program that splits what flatmates spent. It is made up,
// with fixed ids and times, in the records that Claude Code writes
// (toolspecs/tools/claude-code/evidence.md).
//
//	go run ./demo >demo/session.jsonl
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := tell(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}
