//go:build unix

package wiring

import (
	"io/fs"
	"syscall"
)

// hasLinks says whether a file has another name.
func hasLinks(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}
