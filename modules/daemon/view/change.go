package view

import "context"

// Changes say in which sessions something happens.
type Changes interface {
	// Changes are those from now on. The channel ends with the context, and with
	// the daemon; a reader that falls behind misses some.
	Changes(ctx context.Context) (<-chan Change, error)
}

// Change says that something happened in a session.
type Change struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
}

// Health is what a daemon says of itself.
type Health struct {
	Status  string `json:"status"` // ok, or what is wrong
	Version string `json:"version"`
	PID     int    `json:"pid"`
	Uptime  int64  `json:"uptime_seconds"`
}

// LoginLink lets one browser into the page, once. The URL alone lets nobody in: its
// page asks for the code.
type LoginLink struct {
	Schema  int    `json:"schema"`
	URL     string `json:"url"`
	Code    string `json:"code"`    // six digits
	Expires string `json:"expires"` // RFC 3339, UTC
}
