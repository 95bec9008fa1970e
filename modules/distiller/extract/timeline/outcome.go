package timeline

import (
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What came of a request, by evidence.

// Standing is how a session stands to one of its requests.
type Standing struct {
	Midway  bool // the agent is in the middle of it
	Waits   bool // it waits for the person
	Checked bool // a check has passed after the last edit
	Fails   bool // one fails still
	Edited  int  // event of the newest edit of the session

	Planned  bool   // its reply asked whether to carry out what it listed
	Reported string // the error that the person brought back from what was changed, "" for none
}

// Outcome is what came of a request, by evidence, and whether that is proved
// by a result or only said.
func (r *Request) Outcome(now Standing) (text string, evidence distiller.Evidence) {
	var parts []string
	switch n := len(r.Commits); {
	case n == 1 && r.Commits[0] != "":
		parts = append(parts, "committed "+r.Commits[0])
	case n > 0:
		parts = append(parts, fmt.Sprintf("committed %s", times(n)))
	}
	if r.takenBack > 0 {
		by := ""
		if r.takenByUser {
			by = " by the user"
		}
		parts = append(parts, fmt.Sprintf("a commit taken back%s %s", by, times(r.takenBack)))
	}
	if r.Pushed {
		parts = append(parts, "pushed")
	}
	for _, d := range r.deeds {
		parts = append(parts, d.String())
	}
	if n := r.changedFiles(); n > 0 {
		parts = append(parts, "changed "+paths.Count(n))
		if r.edited > 0 {
			parts = append(parts, r.checked.Text(r.edited, now.Checked, now.Fails))
			if now.Reported != "" {
				parts = append(parts, "then the user showed "+prose.Code(now.Reported, maxReported))
			}
		}
	} else if n := len(r.elsewhere); n > 0 {
		if folder := paths.FolderNamed(r.Words, r.elsewhere); folder != "" {
			parts = append(parts, "changed "+paths.Count(n)+" in "+folder, r.checked.Text(r.wroteAt, false, now.Fails))
		} else {
			parts = append(parts, "wrote "+paths.Count(n)+" outside the project")
		}
	}
	if r.Undelivered.Text != "" {
		parts = append(parts, prose.Code(r.Undelivered.Text, maxUndelivered)+" failed")
	}
	switch {
	case now.Waits:
		parts = append(parts, "waits for the user")
	case r.Ended == transcript.TurnInterrupted:
		parts = append(parts, "interrupted")
	case r.Ended == transcript.TurnFailed:
		parts = append(parts, r.StoppedBy())
	case len(parts) == 0:
		return r.unchanged(now)
	}
	return strings.Join(parts, ", "), distiller.Proved
}

// unchanged is what came of a request for which nothing was changed, nor anything else that is left.
func (r *Request) unchanged(now Standing) (text string, evidence distiller.Evidence) {
	switch answered := r.ReplyAt > 0 && !now.Midway; {
	case answered && r.Advice.Code > 0 && now.Edited < r.ReplyAt:
		return "answered with code, not put into a file here", distiller.Proved
	case answered && r.Advice.Code > 0: // it may be among what was written since
		return "answered with code", distiller.Proved
	case answered && r.Slash && r.Calls == 0 && len(r.Advice.Commands) > 0:
		return "answered with commands, which were not run here", distiller.Proved
	case answered && now.Planned:
		return "answered, nothing changed", distiller.Proved
	case answered:
		return "answered", distiller.Said
	case r.Calls > 0 && r.acted:
		return "worked on, not finished", distiller.Said
	case r.Calls > 0:
		return "looked into, nothing changed yet", distiller.Said
	case r.ReplyAt > 0:
		return "begun", distiller.Said
	}
	return "nothing done yet", distiller.Proved
}

// maxReported bounds what is shown of an error that the person brought back, in runes.
const maxReported = 70

// maxUndelivered bounds what is shown of a command that was to deliver, in runes.
const maxUndelivered = 40

// Did says that something was changed, run or delivered for a request.
func (r *Request) Did() bool {
	return len(r.Changed) > 0 || len(r.elsewhere) > 0 || r.Delivered() || r.acted
}

// Delivered says that work was committed, pushed, or brought to a forge for a request.
func (r *Request) Delivered() bool { return len(r.Commits) > 0 || r.Pushed || r.Deeds() }

// OnlyDelivers says that what was done before was committed or pushed, and nothing else was done.
func (r *Request) OnlyDelivers() bool {
	return (len(r.Commits) > 0 || r.Pushed) && len(r.Changed) == 0
}

// AnswersPlan says that a request answers whether to carry out what was listed.
func (r *Request) AnswersPlan() bool { return r.answered != nil && r.answered.Plan() != "" }

// Failure is the error that ended the turn, "" where it is not recorded.
func (r *Request) Failure() string { return r.failure }

// StoppedBy tells of the error that ended a turn.
func (r *Request) StoppedBy() string {
	return strings.TrimSuffix("stopped by an error: "+r.failure, ": ")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
