package runner

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// libraries are where Debian and others put libfaketime.
var libraries = []string{"/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib*/faketime/libfaketime.so.1"}

// Ago are the variables with which a program that is linked to a libc sees an earlier
// time, by libfaketime. A machine without it skips, or fails where agents must be there.
func Ago(t testing.TB, age time.Duration) []string {
	t.Helper()
	return []string{faketime(t), "FAKETIME=-" + strconv.Itoa(int(age.Seconds())), "FAKETIME_DONT_FAKE_MONOTONIC=1"}
}

// Fast are the variables with which a program's clock and timers run so many times faster.
func Fast(t testing.TB, times int) []string {
	t.Helper()
	return []string{faketime(t), "FAKETIME=+0 x" + strconv.Itoa(times)}
}

// faketime is the variable that puts libfaketime below a program.
func faketime(t testing.TB) string {
	t.Helper()
	for _, pattern := range libraries {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return "LD_PRELOAD=" + found[0]
		}
	}
	if os.Getenv(Required) != "" {
		t.Fatal("libfaketime is not installed")
	}
	t.Skip("SKIPPED: libfaketime is not installed; a month of an agent was not simulated")
	return ""
}
