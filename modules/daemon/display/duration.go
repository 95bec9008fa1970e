// Package display has the one spelling of values that several screens show.
package display

import (
	"fmt"
	"time"
)

// Duration is a duration in its largest unit, below two days with minutes:
// "12s", "5m", "3h04m", "9d". A negative one is "0s".
func Duration(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours())/24)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	case d >= time.Minute:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return fmt.Sprintf("%ds", max(0, int(d.Seconds())))
}
