package view

import "context"

// Files are the files that agents changed.
type Files interface {
	// Blame lists the requests in which a file was changed, newest first. A file that no
	// session changed has none.
	Blame(ctx context.Context, request BlameRequest) (Blame, error)
}

// BlameRequest names a file.
type BlameRequest struct {
	Path      string `query:"path,required" jsonschema:"The file: absolute, or relative to the directory."`
	Directory string `query:"directory,required" jsonschema:"A directory of the project."`
	Limit     int    `query:"limit" jsonschema:"At most so many changes; 20 when left out."`
}

// Blame says which sessions changed a file, and why.
type Blame struct {
	Schema int         `json:"schema"`
	Path   string      `json:"path"` // below the worktree
	Items  []BlameItem `json:"items"`
}

// BlameItem is a request in which a file was changed.
type BlameItem struct {
	Tool      string   `json:"tool"`
	Session   string   `json:"session"`
	Time      string   `json:"time,omitempty"` // of the last change
	Change    string   `json:"change"`         // edit, write, delete; command: by a shell command, what it changed is not known
	Calls     int      `json:"calls"`
	Failed    int      `json:"failed,omitempty"` // of the calls
	Request   string   `json:"request,omitempty"`
	Decisions []string `json:"decisions,omitempty"`
	Source    Location `json:"source"` // of the last call
}

// FileAt is a file as agents left it.
type FileAt struct {
	Schema int    `json:"schema"`
	Path   string `json:"path"` // absolute
	At     string `json:"at,omitempty"`
	Text   string `json:"text"`
	Edits  int    `json:"edits"` // that were applied
	// Skipped are edits whose place was not found in the text: somebody else changed it.
	Skipped int `json:"skipped,omitempty"`
	// Commands are the shell commands that changed it: what they changed is not known.
	Commands int      `json:"commands,omitempty"`
	Sessions []string `json:"sessions"`
	// Whole says that the text begins with a write of the whole file by an agent; else it
	// was derived from the file as it is now.
	Whole bool `json:"whole"`
}
