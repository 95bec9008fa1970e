//go:build unix

package projectfs

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign says that another user owns a file.
func foreign(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) != os.Geteuid()
}

// names is how many names a file has.
func names(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink) //nolint:unconvert,nolintlint // 16 bits on macOS
	}
	return 1
}
