package claudecode

import (
	"encoding/json"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// boundary is a compaction whose summary has not come yet.
type boundary struct {
	ID      string                    `json:"id"`
	Session string                    `json:"session"`
	Time    time.Time                 `json:"time,omitzero"`
	Info    transcript.CompactionInfo `json:"info"`
}

// boundary holds a compaction back until its summary, the next line: both are
// one event. Its order in the file says nothing about time: the kept messages
// stand before it in some versions and after it in others.
func (s *session) boundary() {
	s.flushBoundary()
	var meta struct {
		Trigger   string `json:"trigger"`
		Pre       int64  `json:"preTokens"`
		Post      int64  `json:"postTokens"`
		Preserved struct {
			UUIDs []string `json:"uuids"`
			All   []string `json:"allUuids"`
		} `json:"preservedMessages"`
		Segment struct {
			Head string `json:"headUuid"`
			Tail string `json:"tailUuid"`
		} `json:"preservedSegment"`
	}
	if s.record.Compact != nil && json.Unmarshal(s.record.Compact, &meta) != nil {
		meta.Trigger = ""
	}
	kept := meta.Preserved.All
	if len(kept) == 0 {
		kept = meta.Preserved.UUIDs
	}
	if len(kept) == 0 && meta.Segment.Head != "" {
		kept = []string{meta.Segment.Head, meta.Segment.Tail}
	}
	s.state.Boundary = &boundary{
		ID: s.record.UUID + "#0", Session: s.sessionID(), Time: s.record.Time,
		Info: transcript.CompactionInfo{Trigger: meta.Trigger, PreTokens: meta.Pre, PostTokens: meta.Post},
	}
	// The state has its bound; a compaction keeps a few messages, never many.
	for _, uuid := range kept[:min(len(kept), maxKept)] {
		s.state.Boundary.Info.Kept = append(s.state.Boundary.Info.Kept, uuid+"#0")
	}
}

// compacted emits a compaction with its summary. Versions 1.0.x write no
// boundary: there the summary is all.
func (s *session) compacted(summary string) {
	held := s.state.Boundary
	s.state.Boundary = nil
	if held == nil {
		held = &boundary{ID: s.record.UUID + "#0", Session: s.sessionID(), Time: s.record.Time}
	}
	s.emit("", held.event(summary))
}

// flushBoundary emits a compaction that turned out to have no summary.
func (s *session) flushBoundary() {
	if held := s.state.Boundary; held != nil {
		s.state.Boundary = nil
		s.emit("", held.event(""))
	}
}

func (b *boundary) event(summary string) transcript.Event {
	return transcript.Event{
		ID: b.ID, Session: b.Session, Time: b.Time, Kind: transcript.Compacted, Text: summary, Compaction: &b.Info,
	}
}
