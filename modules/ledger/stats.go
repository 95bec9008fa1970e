package ledger

// Stats is how large a ledger is.
type Stats struct {
	Bytes    int64 `json:"bytes"` // on disk, with what has not been moved into the main file yet
	Events   int   `json:"events"`
	Sessions int   `json:"sessions"`
	Sources  int   `json:"sources"`
}
