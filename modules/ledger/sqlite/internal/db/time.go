package db

import "time"

// Milliseconds of a time since 1970; 0 stands for unknown.
func Milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time is the time, in UTC, of milliseconds since 1970; zero when unknown.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
