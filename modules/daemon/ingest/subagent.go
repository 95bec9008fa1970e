package ingest

import (
	"os"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// InsideSubagent says whether the call that a hook tells of was a subagent's.
// Where the tool does not say so, the transcripts show it: while a
// subagent works its own is written, and the session's waits.
func (s *Service) InsideSubagent(hook capture.Hook) bool {
	if hook.Agent != "" || !hook.Hook.SubagentUnmarked {
		return hook.Agent != ""
	}
	spec, err := s.table.Lookup(hook.Tool)
	if err != nil {
		return false
	}
	if call, known := spec.CallTable().Lookup(hook.Called); known && call.Meaning == transcript.Subagent {
		return false // that a subagent has ended is its parent's to hear
	}
	own := writtenAt(hook.Transcript)
	return !own.IsZero() && slices.ContainsFunc(spec.Transcripts, func(source toolspecs.Transcript) bool {
		return source.Role == "subagent" && slices.ContainsFunc(filesOf(source, hook.Session), func(file string) bool {
			return writtenAt(file).After(own)
		})
	})
}

// writtenAt is when a file was last written, zero when it is not there.
func writtenAt(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
