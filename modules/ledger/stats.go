package ledger

// Stats is how large a ledger is.
type Stats struct {
	Bytes    int64 `json:"bytes"` // on disk, with what has not been moved into the main file yet
	Events   int   `json:"events"`
	Sessions int   `json:"sessions"`
	Sources  int   `json:"sources"`
	// Kept are the transcripts of which raw records are kept, and KeptBytes what they
	// take, compressed.
	Kept      int   `json:"kept"`
	KeptBytes int64 `json:"kept_bytes"`
	// Own are the sessions that are no subagent's, and OwnEvents what they hold.
	Own       int `json:"-"`
	OwnEvents int `json:"-"`
	// Future is how many sessions have events dated later than in ten minutes. They
	// count as of when they were captured.
	Future int `json:"future,omitempty"`
}
