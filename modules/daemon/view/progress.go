package view

// Progress is called with how far a long work is: done of total, and the current
// file. The work waits for it, so it must be quick. nil reports nothing.
type Progress func(done, total int, current string)

// Report calls it, if it is not nil.
func (p Progress) Report(done, total int, current string) {
	if p != nil {
		p(done, total, current)
	}
}

// ProgressStep is an event of the stream of a long work.
type ProgressStep struct {
	Done  int    `json:"done"`
	Total int    `json:"total"`
	At    string `json:"at,omitempty"` // the current file
}
