package claudecode

import (
	"slices"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Bounds of what is remembered from line to line, so that a stored state stays
// far below transcript.MaxState. The oldest entries go first, by line order,
// never by batch, so that any division of the source forgets the same.
const (
	maxOpen     = 64
	maxTasks    = 80
	maxKept     = 64
	maxQueued   = 4
	maxSeen     = 128
	maxMessages = 8
	maxChecks   = 8
	maxText     = 200     // bytes of a task's subject
	maxQueue    = 2 << 10 // bytes of a queued text
)

// state is what one line needs to know of the lines before it.
type state struct {
	workDir
	Title    string     `json:"title,omitempty"`
	Copied   bool       `json:"copied,omitempty"`
	Agent    string     `json:"agent,omitempty"`    // of a subagent's file, once it is known
	Messages []string   `json:"messages,omitempty"` // message ids whose usage was read
	Open     []openCall `json:"open,omitempty"`
	Tasks    []task     `json:"tasks,omitempty"`
	Seen     []uint32   `json:"seen,omitempty"`    // hashes of the last uuids
	Command  string     `json:"command,omitempty"` // uuid of the last slash command line
	Bash     openCall   `json:"bash,omitzero"`     // the person's own command, until it has printed
	Boundary *boundary  `json:"boundary,omitempty"`
	Checks   []check    `json:"checks,omitempty"` // hooks whose last word was against a file
	Edit     edit       `json:"edit,omitzero"`    // of which no hook has said anything yet

	// Ended says that the end of the turn was reported, and nothing since.
	Ended bool `json:"ended,omitempty"`

	// Busy says that the agent is at work, so that what is queued now was
	// typed meanwhile. Queued are texts that wait for what becomes of them;
	// Prompted are hashes of those that were made a prompt already.
	Busy     bool     `json:"busy,omitempty"`
	Queued   []string `json:"queued,omitempty"`
	Prompted []uint32 `json:"told,omitempty"`
}

// workDir is what a session event reports.
type workDir struct {
	Session    string `json:"session,omitempty"`
	Cwd        string `json:"cwd,omitempty"`
	Branch     string `json:"branch,omitempty"`
	Version    string `json:"version,omitempty"`
	Entrypoint string `json:"entrypoint,omitempty"`
}

// openCall is a call whose result has not come.
type openCall struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Event string `json:"event"`
	Plan  bool   `json:"plan,omitempty"` // its plan was emitted with the call
	Task  *task  `json:"task,omitempty"` // what it will change
}

// forget drops all but what the events' identity hangs on.
func (s *state) forget() {
	*s = state{Copied: s.Copied, Agent: s.Agent, Seen: s.Seen, Ended: s.Ended, Busy: s.Busy, Prompted: s.Prompted}
}

func (s *state) seen(uuid string) {
	if uuid != "" {
		s.Seen = transcript.Remember(s.Seen, transcript.Fingerprint(uuid), maxSeen)
	}
}

func (s *state) has(uuid string) bool { return slices.Contains(s.Seen, transcript.Fingerprint(uuid)) }

// firstOf says that a message id was not met before, and remembers it.
func (s *state) firstOf(message string) bool {
	if message == "" || slices.Contains(s.Messages, message) {
		return false
	}
	s.Messages = transcript.Remember(s.Messages, message, maxMessages)
	return true
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

// isRepeated says that a queued text was made a prompt before; it is then forgotten,
// for the same words may be typed again.
func (s *state) isRepeated(text string) bool {
	at := slices.Index(s.Prompted, transcript.Fingerprint(text))
	if at < 0 {
		return false
	}
	s.Prompted = slices.Delete(s.Prompted, at, at+1)
	return true
}
