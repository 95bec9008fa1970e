package ledger

import "github.com/carryover-go/carryover/toolspecs/transcript"

// ToolCoverage is the parse coverage of one tool.
type ToolCoverage struct {
	Tool     string
	Sources  int
	Bytes    int64
	Coverage transcript.Coverage
	// NoPrompt are the sources, but those of subagents, of which records were
	// read beyond the opening of a session, and none was a prompt, nor was one of the
	// session's other sources. Another tool's file that was taken for this one's looks so.
	NoPrompt []string
	// Parked are the sources that could not be read.
	Parked []ParkedSource
}

// ParkedSource is a source that could not be read, and why.
type ParkedSource struct{ Path, Reason string }
