package view

import (
	"context"

	"github.com/carryover-go/carryover/modules/ledger"
)

// Maintenance changes the ledger as a whole. Each of its works may take minutes.
type Maintenance interface {
	// Import reads transcripts that are on disk already.
	Import(ctx context.Context, request ImportRequest, progress Progress) (ImportResult, error)
	// Forget deletes a text or sessions everywhere, for good.
	Forget(ctx context.Context, request ForgetRequest, progress Progress) (ForgetResult, error)
	// Repair rebuilds the index and reads every transcript again.
	Repair(ctx context.Context, request RepairRequest, progress Progress) (RepairResult, error)
}

// ImportRequest narrows an import; empty fields do not.
type ImportRequest struct {
	Tool string `json:"tool,omitempty" jsonschema:"Only transcripts of this tool."`
	Root string `json:"root,omitempty" jsonschema:"Only transcripts below this folder, recognised by their content."`
}

// ImportResult is what `carryover import` reports.
type ImportResult struct {
	Schema   int                         `json:"schema"`
	Files    int                         `json:"files"`
	Sessions int                         `json:"sessions"`
	Events   int                         `json:"events"`
	Bytes    int64                       `json:"bytes"`
	Records  int64                       `json:"records"`
	Read     int64                       `json:"read"`
	Skipped  int64                       `json:"skipped"`
	Broken   int64                       `json:"broken"`
	Empty    []string                    `json:"empty"`               // files that gave no event
	NoPrompt []string                    `json:"no_prompt,omitempty"` // files in which no prompt was found
	Unknown  map[string]map[string]int64 `json:"unknown"`
	Foreign  []string                    `json:"foreign"` // files below root that are no transcript of a known tool
	Errors   []SourceError               `json:"errors"`
}

// SourceError is a source that could not be read.
type SourceError struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// ForgetRequest says what to forget: a text, sessions, all of a project.
type ForgetRequest struct {
	Text     string   `json:"text,omitempty" jsonschema:"Every occurrence of it, regardless of case."`
	Sessions []string `json:"sessions,omitempty" jsonschema:"Ids of sessions, or their beginnings."`
	Project  string   `json:"project,omitempty" jsonschema:"A directory of the project, or its id."`
	Preview  bool     `json:"preview,omitempty" jsonschema:"Count only, change nothing."`
}

// Complete refuses a request that names nothing.
func (r ForgetRequest) Complete() error {
	return complete(r.Text != "" || len(r.Sessions) > 0 || r.Project != "", "text, sessions or project")
}

// ForgetResult is what `carryover forget` did.
type ForgetResult struct {
	Schema   int      `json:"schema"`
	Events   int      `json:"events"`            // changed, for a text; gone, for sessions
	Sessions int      `json:"sessions"`          // gone
	Agents   int      `json:"agents"`            // records of named agents, changed or gone
	Preview  bool     `json:"preview,omitempty"` // nothing was changed
	Files    int      `json:"files"`             // of ours that were rewritten or removed
	Left     []string `json:"left"`              // files of ours that still hold the text, or a session's id: it is part of a path

	Refused []SkippedFile `json:"refused"` // what in projects was not looked through, because it is not ours
}

// SkippedFile is a file or folder in a project that is left alone.
type SkippedFile struct {
	Project string `json:"project"`
	Path    string `json:"path"` // below the project
	Reason  string `json:"reason"`
}

// RepairRequest asks for a repair; there is nothing to choose.
type RepairRequest struct{}

// RepairResult is what `carryover repair` did.
type RepairResult struct {
	Schema   int    `json:"schema"`
	Damaged  string `json:"damaged,omitempty"` // what was wrong with the ledger; absent when nothing was
	Aside    string `json:"aside,omitempty"`   // where the damaged one is kept
	Salvaged int    `json:"salvaged"`          // events only the damaged one had
	Mirrors  int    `json:"mirrors,omitempty"` // records of named agents taken from their files in projects
	// Handoffs are the last handoffs of sessions of which nothing else is left, put aside.
	Handoffs []string `json:"handoffs,omitempty"`
	// Recovered is what came from the damaged one, and what is lost.
	Recovered *ledger.Salvaged `json:"recovered,omitempty"`
	Read      ImportResult     `json:"read"` // what the transcripts gave
}
