//go:build unix

package home

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ErrForeign says that the socket's folder is not the user's own alone: what
// answers there may be somebody else.
var ErrForeign = errors.New("socket folder is not private to this user")

// CheckSocketDir refuses a folder that others could have put a socket into.
func CheckSocketDir(socket string) error {
	info, err := os.Lstat(filepath.Dir(socket))
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%w: %s", ErrForeign, filepath.Dir(socket))
	}
	return nil
}
