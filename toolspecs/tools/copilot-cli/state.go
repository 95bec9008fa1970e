package copilotcli

import "slices"

// Bounds of what is remembered from line to line, so that a stored state stays
// far below transcript.MaxState. The oldest entries go first, by line order,
// so that any division of the source forgets the same.
const (
	maxOpen  = 64
	maxTodos = 80
	maxText  = 200 // bytes of a todo's title
)

// state is what one line needs to know of the lines before it.
type state struct {
	Session  string     `json:"session,omitempty"`
	Version  string     `json:"version,omitempty"`
	Open     []openCall `json:"open,omitempty"`
	Todos    []todo     `json:"todos,omitempty"`
	Answered bool       `json:"answered,omitempty"` // the last message asked for no tool
}

// openCall is a call whose result has not come.
type openCall struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Event    string  `json:"event"`
	Files    int     `json:"files,omitempty"`    // how many calls it was emitted as, when it is a patch
	Asked    []asked `json:"asked,omitempty"`    // what it asks the user
	Plan     string  `json:"plan,omitempty"`     // what it wants a yes to
	Changing string  `json:"changing,omitempty"` // statement on the todo table
}

// forget drops all but what the events' identity hangs on.
func (s *state) forget() {
	*s = state{Session: s.Session, Version: s.Version, Answered: s.Answered}
}

func (s *state) isOpen(id string) bool {
	return slices.ContainsFunc(s.Open, func(call openCall) bool { return call.ID == id })
}

// close takes the call a result belongs to off the open ones.
func (s *state) close(id string) openCall {
	at := slices.IndexFunc(s.Open, func(call openCall) bool { return call.ID == id })
	if at < 0 {
		return openCall{ID: id}
	}
	call := s.Open[at]
	s.Open = slices.Delete(s.Open, at, at+1)
	return call
}
