package ledger

// ProjectIdentity is what a directory says about its project: Common is the
// git common directory, or the directory itself outside git.
type ProjectIdentity struct {
	Common   string
	Worktree string // root of the worktree, or the directory itself
}

// Project is a repository, or a directory outside of any.
type Project struct {
	ID    string   `json:"id"`              // opaque
	Path  string   `json:"path"`            // last known
	Paths []string `json:"paths,omitempty"` // every path it was seen at
}
