package ledger

// Digest is a fingerprint of all events that came from transcripts: the
// SHA-256 over (tool, id, body, withdrawn), sorted.
type Digest struct {
	Events int    `json:"events"`
	SHA256 string `json:"sha256"`
}
