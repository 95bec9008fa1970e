package codex

import (
	"slices"

	"github.com/carryover-go/carryover/toolspecs/patch"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Bounds of what is remembered from line to line; the oldest goes first, by
// line order, so that any division of the source forgets the same.
const (
	maxOpen    = 32
	maxEchoes  = 16
	maxRunning = 16
	maxDone    = 96
	maxCells   = 16 // commands of one script
	maxFiles   = 64 // files of one patch
	maxGoal    = 500
	maxAsked   = 3 << 10 // bytes of questions kept until they are answered
)

// state is what one line needs to know of the lines before it.
type state struct {
	Thread     string `json:"thread,omitempty"`
	Known      bool   `json:"known,omitempty"`      // the first session_meta was read
	Paginated  bool   `json:"paginated,omitempty"`  // items count, what went to the model repeats them
	Instructed bool   `json:"instructed,omitempty"` // the context files were given
	Subagent   bool   `json:"subagent,omitempty"`
	Own        bool   `json:"own,omitempty"`   // the tool opened the thread for itself
	Turns      bool   `json:"turns,omitempty"` // it records where its turns begin and end
	Reply      uint32 `json:"reply,omitempty"` // hash of the last reply
	Version    string `json:"version,omitempty"`
	Originator string `json:"originator,omitempty"`
	Headless   bool   `json:"headless,omitempty"`
	Cwd        string `json:"cwd,omitempty"`
	Branch     string `json:"branch,omitempty"`
	Model      string `json:"model,omitempty"`
	Goal       string `json:"goal,omitempty"`
	Usage      int64  `json:"usage,omitempty"` // the last that was emitted

	Echoes  []echo     `json:"echoes,omitempty"`
	Open    []openCall `json:"open,omitempty"`
	Running []running  `json:"running,omitempty"`
	Done    []uint32   `json:"done,omitempty"` // hashes of call ids whose result was emitted
}

// echo is a text that its other record will repeat.
type echo struct {
	Hash uint32  `json:"h"`
	From channel `json:"f"`
}

// channel is one of the two places an old rollout says the same thing in.
type channel int

const (
	fromModel channel = iota // response_item
	fromEvent                // event_msg
)

// openCall is a call whose output has not come.
type openCall struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Event   string         `json:"event,omitempty"` // "" when no call event was emitted for it
	Session string         `json:"session,omitempty"`
	Yield   int64          `json:"yield,omitempty"` // milliseconds that a poll of it waits for output at most, 0 for unknown
	Nested  []command      `json:"nested,omitempty"`
	Patches []patch.Change `json:"patches,omitempty"` // files of patches it carries, until a record says what came of them
	Asked   []byte         `json:"asked,omitempty"`
}

// command is a shell command inside a script.
type command struct {
	ID   string `json:"id"`
	Hash uint32 `json:"h"`
}

// running is a process or script that was left running, and whose calls it is.
type running struct {
	Key   string   `json:"key"`
	Calls []string `json:"calls"`
}

// forget drops all but what the events' identity hangs on.
func (s *state) forget() {
	*s = state{Thread: s.Thread, Known: s.Known, Paginated: s.Paginated, Subagent: s.Subagent, Own: s.Own, Reply: s.Reply, Done: s.Done, Echoes: s.Echoes}
}

// repeats says that the other channel has said this text already; it is then
// forgotten, for it may be said again.
func (s *state) repeats(from channel, text string) bool {
	sum := transcript.Fingerprint(text)
	for i, echo := range s.Echoes {
		if echo.Hash == sum && echo.From != from {
			s.Echoes = slices.Delete(s.Echoes, i, i+1)
			return true
		}
	}
	s.Echoes = transcript.Remember(s.Echoes, echo{sum, from}, maxEchoes)
	return false
}

func (s *state) find(id string) *openCall {
	for i := range s.Open {
		if s.Open[i].ID == id {
			return &s.Open[i]
		}
	}
	return nil
}

func (s *state) close(id string) (openCall, bool) {
	for i, call := range s.Open {
		if call.ID == id {
			s.Open = slices.Delete(s.Open, i, i+1)
			return call, true
		}
	}
	return openCall{ID: id}, false
}

// firstResult says that no result of the call was emitted yet.
func (s *state) firstResult(id string) bool {
	sum := transcript.Fingerprint(id)
	if slices.Contains(s.Done, sum) {
		return false
	}
	s.Done = transcript.Remember(s.Done, sum, maxDone)
	return true
}

// stopped takes what ran under a key off the running ones.
func (s *state) stopped(key string) []string {
	for i, process := range s.Running {
		if process.Key == key {
			s.Running = slices.Delete(s.Running, i, i+1)
			return process.Calls
		}
	}
	return nil
}
