package codex

import (
	"github.com/carryover-go/carryover/toolspecs/patch"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// diffChange reads one entry of a record's changes, as they are written after
// a patch was applied.
func diffChange(path string, raw []byte) patch.Change {
	parts := transcript.Members(raw, "type", "content", "unified_diff", "move_path")
	result := patch.Change{Path: path, Meaning: transcript.Edit, Moved: transcript.Text(parts[3])}
	content := transcript.Text(parts[1])
	switch transcript.Text(parts[0]) {
	case "add":
		result.Meaning, result.After = transcript.Write, content
	case "delete":
		result.Meaning, result.Before = transcript.Delete, content
	default:
		result.Before, result.After = patch.Diff(transcript.Text(parts[2]))
	}
	return result
}

// withoutText leaves out what a stored state has no room for.
func withoutText(changes []patch.Change) []patch.Change {
	for i := range changes {
		changes[i].Before, changes[i].After = "", ""
	}
	return changes
}
