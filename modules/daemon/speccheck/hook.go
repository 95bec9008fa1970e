package speccheck

import (
	"regexp"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/hookstats"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Verdicts on a hook.
const (
	// Fires: it came, and nothing says that it has stopped.
	Fires = "fires"
	// Silent: it never came, although several sessions since the install had occasion.
	Silent = "silent"
	// Stopped: it came once, and several later sessions had occasion without it.
	Stopped = "stopped"
	// Unproven: it never came, and no transcript says that it should have.
	Unproven = "unproven"
)

// Hook is one wired hook: how often it came, and how often the transcripts say
// that it should have.
type Hook struct {
	Event     string
	Role      string
	Seen      hookstats.Seen
	Occasions int // in sessions that began after the tool was wired
	Sessions  int // with such an occasion
	Since     int // of these, those that began after the hook came last
}

// A hook that misses an occasion may have a reason that no transcript tells, as a turn
// that the user stopped: it is judged by sessions, and a few are waited for.
const (
	toleratedSilent  = 1 // sessions with an occasion in which a hook that never came did not come
	toleratedStopped = 2 // the same of one that came before
)

// Verdict says whether the hook works.
func (h Hook) Verdict() string {
	switch {
	case h.Seen.Count == 0 && h.Sessions > toleratedSilent:
		return Silent
	case h.Seen.Count == 0:
		return Unproven
	case h.Since > toleratedStopped:
		return Stopped
	}
	return Fires
}

// occasions counts, event by event, when a hook should have come.
type occasions struct {
	Hook
	wired   time.Time
	matcher *regexp.Regexp // of the calls it is for; nil for all
	counts  bool           // the session began after the wiring
	later   bool           // and after the hook came last
	replied bool
	had     bool            // the session had an occasion
	calls   map[string]bool // calls it is for, by id
}

// hooksOf are the hooks that were wired for the tool; none when it is not.
func hooksOf(spec *toolspecs.Spec, record wiring.Record, counts hookstats.Counts, midTurn bool) []*occasions {
	file, wired := wiredFile(record, spec.Tool)
	if !wired {
		return nil
	}
	resolved, err := spec.Resolve(file.Version)
	if err != nil {
		return nil
	}
	var hooks []*occasions
	for _, hook := range resolved.WiredFor(midTurn) {
		o := &occasions{
			Hook:  Hook{Event: hook.Event, Role: hook.Role, Seen: counts.Of(spec.Tool, hook.Event)},
			wired: since(record, file),
		}
		if hook.Matcher != "" && hook.Matcher != "*" {
			o.matcher, _ = regexp.Compile("^(?:" + hook.Matcher + ")$") // one that cannot be read is for all calls
		}
		hooks = append(hooks, o)
	}
	return hooks
}

// begin starts a session. One that ran when the tool was wired proves nothing:
// tools read their settings when they start.
func (o *occasions) begin(session ledger.Session, unhooked bool) {
	o.counts = session.First.After(o.wired) && !unhooked
	o.later = o.counts && session.First.After(o.Seen.Last.Add(2*hookstats.WriteEvery)) // the book is written after a while
	o.replied, o.had, o.calls = false, false, map[string]bool{}
	if o.Role == "session_start" {
		o.add()
	}
}

func (o *occasions) add() {
	if o.counts {
		o.Occasions++
	}
	if o.had || !o.counts {
		return
	}
	o.had = true
	o.Sessions++
	if o.later {
		o.Since++
	}
}

// see takes the next event of the session. What ends a session leaves no trace
// in a transcript, so that hooks of that role are never proven silent.
func (o *occasions) see(event transcript.Event) {
	switch {
	case event.Subagent, event.Withdrawn:
	case event.Kind == transcript.Prompt && o.Role == "prompt":
		if event.Origin == transcript.Typed {
			o.add()
		}
	case event.Kind == transcript.Compacted && (o.Role == "pre_compact" || o.Role == "post_compact"):
		o.add()
	case event.Kind == transcript.Reply && o.Role == "turn_end" && !o.replied:
		o.replied = true
		o.add()
	case o.Role == "post_tool":
		o.seeCall(event)
	}
}

// seeCall counts calls that ended well: of others some tools tell nobody.
func (o *occasions) seeCall(event transcript.Event) {
	switch {
	case event.Kind == transcript.Call && event.Call != nil:
		if o.matcher == nil || o.matcher.MatchString(event.Call.Name) {
			o.calls[event.Call.ID] = true
		}
	case event.Kind == transcript.Result && event.Result != nil:
		if o.calls[event.Result.CallID] && !event.Result.Failed && event.Result.Outcome == "" {
			o.add()
		}
	}
}
