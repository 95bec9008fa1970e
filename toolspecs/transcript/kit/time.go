package kit

import "time"

// Time reads a time as most tools write it; one that cannot be read stays
// unknown.
func Time(text string) time.Time {
	read, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return read.UTC()
}

// Stamp is a time in seconds or milliseconds since 1970; 0 and less is unknown.
func Stamp(stamp int64) time.Time {
	const milliseconds = 100_000_000_000 // a later second than any of ours
	switch {
	case stamp <= 0:
		return time.Time{}
	case stamp > milliseconds:
		return time.UnixMilli(stamp).UTC()
	}
	return time.Unix(stamp, 0).UTC()
}
