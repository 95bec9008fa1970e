package restore

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// bootTime is when the machine started (proc(5), btime of /proc/stat), zero when
// that cannot be read.
func bootTime() time.Time {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return time.Time{}
	}
	for line := range strings.Lines(string(data)) {
		if value, found := strings.CutPrefix(line, "btime "); found {
			if seconds, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64); err == nil {
				return time.Unix(seconds, 0)
			}
		}
	}
	return time.Time{}
}

// ticks a second, in which /proc counts (sysconf _SC_CLK_TCK): 100 on every
// Linux that Go runs on.
const ticks = 100

// processBegan is when a process began (proc(5), field 22 of /proc/PID/stat);
// ok is false when there is none.
func processBegan(process int) (began time.Time, ok bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return time.Time{}, false
	}
	_, rest, _ := bytes.Cut(data[bytes.LastIndexByte(data, ')')+1:], []byte(" "))
	fields := strings.Fields(string(rest)) // from the third on
	if len(fields) < 20 {
		return time.Time{}, true
	}
	since, err := strconv.ParseInt(fields[19], 10, 64)
	boot := bootTime()
	if err != nil || boot.IsZero() {
		return time.Time{}, true
	}
	return boot.Add(time.Duration(since) * time.Second / ticks), true
}
