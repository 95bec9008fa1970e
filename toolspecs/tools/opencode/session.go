package opencode

import (
	"encoding/json"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// info is a session as the tool describes it.
type info struct {
	ID         string          `json:"id"`
	Parent     string          `json:"parentID"`
	Directory  string          `json:"directory"`
	Title      string          `json:"title"`
	Agent      string          `json:"agent"`
	Version    string          `json:"version"`
	Model      json.RawMessage `json:"model"`
	Permission json.RawMessage `json:"permission"`
	Time       struct {
		Created int64 `json:"created"`
	} `json:"time"`
}

func (i info) session(r *Reader) session {
	return session{id: i.ID, parent: i.Parent, headless: r.headless(i.Permission)}
}

// headless says that nobody can answer: a run of one command is forbidden to
// ask questions.
func (r *Reader) headless(permission []byte) bool {
	for _, rule := range transcript.Elements(permission) {
		fields := transcript.Members(rule, "permission", "action")
		if r.Spec.HeadlessRecord("permission", transcript.Text(fields[0])+" "+transcript.Text(fields[1])) {
			return true
		}
	}
	return false
}

// untitled begin the titles of sessions that have none yet.
var untitled = []string{"New session - ", "Child session - "}

// opened tells of a session. A subagent's is part of the one that started it.
func (r *record) opened(i info) {
	if i.Parent != "" {
		if i.Agent != "" {
			r.emit(transcript.Event{
				ID: i.ID + "#0", Time: at(i.Time.Created), Kind: transcript.Session,
				WorkDir: &transcript.WorkDir{Cwd: i.Directory}, Start: &transcript.Start{Agent: i.Agent},
			})
		}
		return
	}
	r.emit(transcript.Event{
		ID: i.ID + "#0", Time: at(i.Time.Created), Kind: transcript.Session,
		WorkDir: &transcript.WorkDir{Cwd: i.Directory},
		Start: &transcript.Start{
			Version: i.Version, Headless: r.session.headless, Model: transcript.Text(transcript.Member(i.Model, "id")), EndsTurns: true,
		},
	})
	for _, start := range untitled {
		if strings.HasPrefix(i.Title, start) {
			return
		}
	}
	if i.Title != "" {
		r.emit(transcript.Event{ID: i.ID + "#title", Time: at(i.Time.Created), Kind: transcript.Title, Text: i.Title})
	}
}
