package extract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/files"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// advised is what the closing reply left to others: commands that the person was given, code
// that was only shown.
func (n nextAction) advised() *distiller.Statement {
	a := n.now.Advice
	if n.session.midway(n.now) || n.now.Ended == transcript.TurnInterrupted {
		return nil
	}
	if a.Code > 0 && len(n.now.Changed) == 0 {
		return &distiller.Statement{Text: fmt.Sprintf("ask whether to put the code of the reply (%d lines) into the files, nobody has: %s", a.Code, prose.Clip(taskText(n.facts, n.now), 150)), Source: n.now.Source}
	}
	if len(a.Commands) == 0 {
		return nil
	}
	var list []string
	for _, command := range a.Commands {
		list = append(list, prose.Code(command, 90))
	}
	return &distiller.Statement{Text: "the user was given commands to run, which were not run here: " + strings.Join(list, ", "), Source: n.now.Source}
}

// left is what usually remains.
func (n nextAction) left() *distiller.Statement {
	working := n.session.midway(n.now)
	midway := working && !n.now.Spoke && n.now.Calls > 0
	undone := n.session.open.Undone(n.session.requests.RepliedAt())
	unhandled := cmp.Or(n.reviewed(), n.session.unanswered())
	changed := n.session.files.Uncommitted(n.session.git.LastCommit())
	switch {
	case n.session.verify.waiting(n.session.turn, !working):
		then := "finish the request: " + prose.Clip(n.now.Words, 120)
		if at := n.now.Intent; at.Text != "" && at.Seq > n.session.requests.PromptAt {
			then = "go on; the agent said last: " + prose.Clip(at.Text, 140)
		}
		return &distiller.Statement{Text: "see how the background work ended, then " + then, Source: n.now.Source}
	case undone != nil:
		return &distiller.Statement{Text: "check what this call did: " + prose.Clip(strings.ReplaceAll(undone.What(), "`", "'"), 100) + "; then go on with the request: " + prose.Clip(taskText(n.facts, n.now), 90), Source: undone.Source}
	case midway && !n.announcedIsDone() && n.agreedTo("") != nil && (n.session.requests.Agreed.Context != "" || n.session.lex.Weight(n.session.requests.Agreed.Text) > saysWhat):
		return n.agreedTo("go on with")
	case midway && !n.announcedIsDone():
		return &distiller.Statement{Text: "go on with the request: " + prose.Clip(taskText(n.facts, n.now), 190), Source: n.now.Source}
	case n.now.Ended == transcript.TurnInterrupted:
		return n.interrupted()
	case n.now.Undelivered.Text != "":
		return undelivered(n.now, working)
	case n.session.requests.Planned && !working:
		return &distiller.Statement{Text: "ask whether to carry out the plan of the reply, nothing of it is done: " + prose.Clip(taskText(n.facts, n.now), 150), Source: n.now.Source}
	case n.session.git.HasCI && n.session.git.Pushed > 0 && n.session.git.Checked < n.session.git.Pushed && n.session.git.Unpushed() == 0 && len(changed) == 0 && n.now.Pushed:
		text := "see how the CI run of " + prose.Fallback(n.session.pushedTo(), "what was pushed") + " ended, nobody has looked since"
		if midway {
			text = "see what is left of the request, then " + text
		}
		return &distiller.Statement{Text: text, Source: n.session.git.Source}
	case n.session.git.StillRuns() && len(changed) == 0 && n.now.Pushed:
		return &distiller.Statement{Text: "look again at the CI checks of " + prose.Fallback(n.session.pushedTo(), "what was pushed") + ", which had not ended, and fix what is red", Source: n.session.git.RunSource}
	case checkable(n.session, changed) && len(n.now.Changed) > 0:
		return &distiller.Statement{Text: n.deliver(changed)}
	case midway && n.now.Intent.Text == "":
		return &distiller.Statement{Text: "see what is left of the request, then report: " + prose.Clip(taskText(n.facts, n.now), 170), Source: n.now.Source}
	case midway:
		return &distiller.Statement{Text: "what was announced is done; see what is left of the request, then report: " + prose.Clip(taskText(n.facts, n.now), 150), Source: n.now.Source}
	case showedFailure(n.now) && len(n.now.Changed) > 0 && n.session.verify.before(n.session.files.Edited):
		return &distiller.Statement{Text: "ask whether it works now, nothing has shown it here: " + prose.Clip(taskText(n.facts, n.now), 170)}
	case unhandled != nil:
		return unhandled
	case len(changed) > 0:
		return &distiller.Statement{Text: "nothing is open; " + unsaved(&n.session.git) + ": " + shortList(changed)}
	case n.session.verify.before(n.session.files.Edited) && slices.ContainsFunc(n.now.Changed, files.IsCode):
		return &distiller.Statement{Text: "nothing is open, and no check has seen the last change (" + shortList(n.now.Changed) + "): check it, then ask what comes next"}
	}
	if !n.now.Did() {
		if before := again(n.session.requests.Chain(), n.session.lex); len(before) > 0 {
			return &distiller.Statement{Text: fmt.Sprintf("ask what is missing, the user asked for it %d times and nothing was done: %s", len(before)+1, prose.Clip(n.now.Words, 150)), Source: n.now.Source}
		}
	}
	return &distiller.Statement{Text: "nothing is open: the last request was answered; ask what comes next"}
}

// checkable says that a check may say something of changed files: of code, and of settings and data where
// one was run in the session.
func checkable(s *State, changed []string) bool {
	return slices.ContainsFunc(changed, files.IsCode) || s.verify.lastCheck != nil && slices.ContainsFunc(changed, paths.Checked)
}

// undelivered is what to do about a commit, a push or the like that failed.
func undelivered(now *timeline.Request, working bool) *distiller.Statement {
	text := "ask how to go on: "
	if working {
		text = "see that this is done: "
	}
	text += prose.Code(now.Undelivered.Text, 70) + " failed"
	if at := now.Intent; at.Seq > now.Undelivered.Seq {
		text += "; the agent said last: " + prose.Clip(at.Text, 130)
	}
	return &distiller.Statement{Text: text, Source: now.Undelivered.Source}
}

// interrupted asks how to go on, and says what the agent was about to do.
func (n nextAction) interrupted() *distiller.Statement {
	text := "the user interrupted; ask how to go on with: " + prose.Clip(taskText(n.facts, n.now), 110)
	if at := n.now.Intent.Text; at != "" && n.now.Intent.Seq > n.session.requests.PromptAt {
		text += "; the agent said last: " + prose.Clip(at, 90)
	}
	return &distiller.Statement{Text: text, Source: n.now.Source}
}

// pushedTo names the pull request that was spoken of last, "" for none, or where it was
// merged.
func (s *State) pushedTo() string {
	pr := s.references.PullRequest()
	number := strings.TrimPrefix(pr, "PR #")
	if slices.ContainsFunc(s.requests.Requests, func(r *timeline.Request) bool { return r.Merged(number) }) {
		return ""
	}
	return pr
}

// saysWhat is how many words of content an offer has at most that says too little to go
// on with ("Want me to make this change?").
const saysWhat = 3
