package quality

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Session is one transcript as its reader gave it.
type Session struct {
	Name   string // path below the folder it is in
	Set    string // the folder's name
	Tool   string
	Events []transcript.Located
}

// Checkpoint is a session stopped somewhere.
type Checkpoint struct {
	Session *Session
	Kind    string // "compaction", or the share of the calls before it: "40 %"
	Before  []transcript.Located
	After   []transcript.Located
	Summary string // the tool's own, at a compaction that can be read
}

// Name says where a cut is.
func (c *Checkpoint) Name() string {
	line := int64(0)
	if n := len(c.Before); n > 0 {
		line = c.Before[n-1].Ref.Line
	}
	return fmt.Sprintf("%s:%d", shorten(c.Session.Name), line)
}

func shorten(name string) string {
	base := filepath.Base(name)
	if len(base) > 20 {
		return base[:20]
	}
	return base
}

// Shares of the calls of a session at which it is cut.
var Shares = []float64{.4, .6, .8}

// Smallest cuts that say anything: fewer calls before, or fewer files after,
// are left out.
const (
	minCalls     = 40 // of the whole session, for cuts at a share
	minBefore    = 15
	minNextFiles = 2
)

// Checkpoints are all cuts of a session: at every compaction and at the shares.
func Checkpoints(s *Session) []*Checkpoint {
	return append(compactions(s), fractions(s)...)
}

func compactions(s *Session) []*Checkpoint {
	var checkpoints []*Checkpoint
	for i := range s.Events {
		e := &s.Events[i]
		if e.Kind != transcript.Compacted || e.Subagent || e.Withdrawn {
			continue
		}
		seen := map[string]bool{}
		for _, b := range s.Events[:i] {
			seen[b.ID] = true
		}
		// What a tool keeps over a cut is written again behind it; it is not what came next.
		after := slices.DeleteFunc(slices.Clone(s.Events[i+1:]), func(a transcript.Located) bool {
			return seen[a.ID] || !a.Time.IsZero() && !e.Time.IsZero() && a.Time.Before(e.Time)
		})
		checkpoints = append(checkpoints, &Checkpoint{Session: s, Kind: "compaction", Before: s.Events[:i:i], After: after, Summary: e.Text})
	}
	return checkpoints
}

func fractions(s *Session) []*Checkpoint {
	var at []int
	for i := range s.Events {
		if mainCall(&s.Events[i]) {
			at = append(at, i)
		}
	}
	if len(at) <= minCalls {
		return nil
	}
	var checkpoints []*Checkpoint
	for _, share := range Shares {
		i := at[int(float64(len(at))*share)]
		checkpoints = append(checkpoints, &Checkpoint{Session: s, Kind: fmt.Sprintf("%.0f %%", share*100), Before: s.Events[:i:i], After: s.Events[i:]})
	}
	return checkpoints
}

func mainCall(e *transcript.Located) bool {
	return e.Kind == transcript.Call && e.Call != nil && !e.Subagent && !e.Withdrawn
}
