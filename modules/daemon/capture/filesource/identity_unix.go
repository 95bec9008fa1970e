//go:build unix

package filesource

import (
	"os"
	"syscall"
)

// Identity is the file's device and inode.
func Identity(info os.FileInfo) (device, inode uint64) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Dev), stat.Ino
	}
	return 0, 0
}
