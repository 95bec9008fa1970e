package aider

import "github.com/carryover-go/carryover/toolspecs/transcript"

// maxOpen bounds the edits that are remembered; the oldest goes first.
const maxOpen = 64

// state is what one block needs to know of the blocks before it.
type state struct {
	First    string `json:"first,omitempty"`   // the header of the file's first run
	Session  string `json:"session,omitempty"` // of the run being read
	Last     kind   `json:"last,omitempty"`    // kind of the block before
	Style    style  `json:"style,omitempty"`   // of the run
	Version  string `json:"version,omitempty"`
	Model    string `json:"model,omitempty"`
	Format   string `json:"format,omitempty"` // edit format of the model
	Editor   string `json:"editor,omitempty"` // edit format of the editor model, in architect mode
	Editing  bool   `json:"editing,omitempty"`
	Aside    bool   `json:"aside,omitempty"` // the editor model is not asked this time
	Headless bool   `json:"headless,omitempty"`

	Busy      bool       `json:"busy,omitempty"`      // a prompt was sent, its reply is not counted yet
	Failed    bool       `json:"failed,omitempty"`    // the turn's failure was reported
	Malformed bool       `json:"malformed,omitempty"` // edits of the last reply failed, why comes next
	Watched   bool       `json:"watched,omitempty"`   // a comment in the code asked for something, and no prompt has followed yet
	Ended     bool       `json:"ended,omitempty"`     // the turn's end was told
	Saving    bool       `json:"saving,omitempty"`    // the next commit is of the person's own changes
	Retries   bool       `json:"retries,omitempty"`   // edits of the last reply failed: the model is asked again
	Sent      uint32     `json:"sent,omitempty"`      // print of what a command sent to the model: it is written down again
	Said      uint32     `json:"said,omitempty"`      // print of how the last reply begins: architect mode sends it to the editor model
	Asked     bool       `json:"asked,omitempty"`     // whether output goes to the chat
	Test      string     `json:"test,omitempty"`      // call id of a test whose outcome the next block tells
	Running   string     `json:"running,omitempty"`   // call id of a command that has ended when anything follows
	Offered   []string   `json:"offered,omitempty"`   // files named on the lines before, which Aider may ask about
	Lost      string     `json:"lost,omitempty"`      // a file that was found not to be there, and leaves the chat next
	Open      []openEdit `json:"open,omitempty"`
	Names     names      `json:"names,omitzero"`
}

// openEdit is an edit of the last reply that Aider has not spoken of.
type openEdit struct {
	ID   string `json:"id"` // of the call
	Path string `json:"path"`
	Hash uint32 `json:"h"` // of what it replaces
}

// begin forgets the run before. No turn is under way then.
func (s *state) begin(session string) {
	*s = state{First: s.First, Session: session, Last: s.Last, Style: s.Style, Ended: true, Names: s.Names}
}

// forget drops all but what the events' identity hangs on.
func (s *state) forget() {
	*s = state{First: s.First, Session: s.Session, Last: s.Last, Style: s.Style, Sent: s.Sent}
}

func (s *state) remember(edit openEdit) {
	s.Open = transcript.Remember(s.Open, edit, maxOpen)
}
