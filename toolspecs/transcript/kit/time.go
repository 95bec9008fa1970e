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
