package view

// Progress is called with how far a long work is: done of total, and what is at
// hand. It is called by the one who works, so it must be quick. nil tells
// nobody.
type Progress func(done, total int, current string)

// Report calls it, if there is somebody to tell.
func (p Progress) Report(done, total int, current string) {
	if p != nil {
		p(done, total, current)
	}
}

// ProgressStep is an event of the stream of a long work.
type ProgressStep struct {
	Done  int    `json:"done"`
	Total int    `json:"total"`
	At    string `json:"at,omitempty"` // the file at hand
}
