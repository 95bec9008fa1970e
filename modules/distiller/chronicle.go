package distiller

// Chronicle is the long account of a session: its Facts, every file it worked
// on, and the plans and designs it followed. The long document is made of it.
type Chronicle struct {
	Facts
	Read     []File // files only read, newest first
	Modified []File // files changed, newest first
	Plans    []Plan
	Designs  []Design
}

// Plan is a list of steps the session follows: the tool's own, or a document.
// Total is 0 while nobody has counted its steps.
type Plan struct {
	Name    string
	Path    string // of a document, as the handoff shows paths
	Done    int
	Total   int
	Missing bool // the document is gone
	Source  Source
}

// Design is a document that says how something is to be made: a design, a
// specification, a decision record.
type Design struct {
	Path    string
	Missing bool
	Sought  bool // it was looked for and never there
	Source  Source
}
