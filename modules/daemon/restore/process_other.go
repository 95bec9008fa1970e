//go:build !linux

package restore

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// bootTime is not known here.
func bootTime() time.Time { return time.Time{} }

// processBegan says whether a process is there; when it began is not known here.
func processBegan(process int) (began time.Time, ok bool) {
	p, err := os.FindProcess(process)
	if err != nil {
		return time.Time{}, false
	}
	defer func() { _ = p.Release() }()
	if runtime.GOOS == "windows" { // it was found, so it is there
		return time.Time{}, true
	}
	err = p.Signal(syscall.Signal(0))
	return time.Time{}, err == nil || err == syscall.EPERM
}
