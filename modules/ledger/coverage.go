package ledger

import "github.com/carryover-go/carryover/toolspecs/transcript"

// ToolCoverage is the parse coverage of one tool.
type ToolCoverage struct {
	Tool     string
	Sources  int
	Bytes    int64
	Coverage transcript.Coverage
}
