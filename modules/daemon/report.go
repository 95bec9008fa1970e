package daemon

import (
	"context"
)

// LongDocument is the long account of a session (docs/json-output.md).
type LongDocument struct {
	Schema  int    `json:"schema"`
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Project string `json:"project,omitempty"`
	Updated string `json:"updated,omitempty"`
	Warning string `json:"warning,omitempty"`
	Text    string `json:"text"`
}

// LongDocumentOf renders the long document of a session: the one named, else
// the newest of the directory.
func (p *Pipeline) LongDocumentOf(ctx context.Context, directory string, options HandoffOptions) (LongDocument, error) {
	session, err := p.pick(ctx, directory, options)
	if err != nil {
		return LongDocument{}, err
	}
	text, warning, err := p.publisher.ReportText(ctx, session)
	if err != nil {
		return LongDocument{}, err
	}
	return LongDocument{
		Schema: 1, Tool: session.Tool, Session: session.ID, Project: session.Project.Path, Updated: Stamp(session.Last), Warning: warning, Text: text,
	}, nil
}
