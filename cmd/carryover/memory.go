package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// startPercent is by how much memory may grow before the first collection: to
// 32 MB, which most commands never reach.
const startPercent = 800

// collectLater puts off the collection of memory until there is some: the few
// megabytes of a short command would be gone through three times, a fifth of its
// processor time. From the first collection on it is as usual.
func collectLater() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	usual := debug.SetGCPercent(startPercent)
	first := new([64]byte) // smaller ones share their place with others
	runtime.SetFinalizer(first, func(*[64]byte) { debug.SetGCPercent(usual) })
}
