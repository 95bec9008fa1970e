package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// replied reads a reply: what it concludes, asks, and says comes next.
func (t *timeline) replied(e *event) {
	t.begun = true
	t.learn(e.Text, e.lex, false)
	a := questionOf(e)
	if a != nil {
		t.ask(a)
	} else {
		t.asked = nil
	}
	now := t.now()
	if now == nil {
		return
	}
	now.waits, now.spoke, now.replyAt = a, true, e.seq
	now.remarks = conclusions(now, e)
	if next, ok := statedNext(e); ok {
		now.stated = next
	} else if now.stated.text != "" && t.lastWork > now.stated.seq {
		now.stated = ask{}
	}
	now.announce(e, a)
}

// announce notes what a reply ends by saying it will do: a last sentence that
// ends in a colon, or one of the last that begins so. Else its last sentence
// stands for where the agent was.
func (r *request) announce(e *event, asked *dialogue.Question) {
	r.intent, r.announced, r.because = ask{}, false, ""
	n := len(e.said)
	if n == 0 || asked != nil && !asked.Optional {
		return
	}
	at := n - 1
	for at >= 0 && dialogue.LeavesOff(e.said[at].Text, e.lex) {
		at-- // how it takes its leave says nothing of where it was
	}
	if at < 0 {
		return
	}
	r.announced = strings.HasSuffix(strings.TrimRight(e.Text, " \n*_"), ":")
	for i := at; i >= max(0, n-3) && !r.announced; i-- {
		if s := e.said[i]; !s.Bullet && e.lex.Announces(s.Text) && !e.lex.In(words.Await, s.Text) {
			at, r.announced = i, true
		}
	}
	text := strings.TrimRight(e.said[at].Text, ":. ")
	if at > 0 && utf8.RuneCountInString(text) < 110 { // a short step leans on what was found before it
		r.because = prose.Clip(e.said[at-1].Text, 110)
	}
	r.intent = ask{text: text, src: e.src, seq: e.seq}
}

func (t *timeline) called(e *event) {
	t.begun = true
	now := t.now()
	if now == nil {
		return
	}
	now.calls++
	now.lastCall, now.spoke, now.ended = e.seq, false, ""
	if e.call != nil && e.call.info.Meaning != transcript.Ask {
		now.waits = nil
	}
}

// resulted notes what a call did: files, checks, commits.
func (t *timeline) resulted(e *event) {
	now := t.now()
	if now == nil || e.call == nil || e.call.subagent {
		return
	}
	c := e.call
	if isCheck(c.family) {
		t.lastWork = e.seq
		if now.checked == nil {
			now.checked = map[string]bool{}
		}
		bad := failed(e) || e.test.Failed
		if passed(e) && !bad && t.lastEdit > now.intent.seq {
			now.proved = e.seq
		}
		if bad || passed(e) {
			now.checked[c.family] = !bad
		}
	}
	if !happened(e) {
		return
	}
	changed := changedBy(e)
	for _, p := range changed {
		if !slices.Contains(now.changed, p) && len(now.changed) < maxChanged {
			now.changed = append(now.changed, p)
		}
		t.learnName(p)
	}
	if len(changed) > 0 {
		t.lastWork, t.lastEdit = e.seq, e.seq
	}
	for _, cmd := range c.cmds {
		switch family(cmd.Argv) {
		case "git commit":
			t.lastWork, t.lastCommit = e.seq, e.seq
			id := ""
			if m := committed.FindStringSubmatch(prose.Excerpt(e.Result.Text)); m != nil {
				id = m[2]
			}
			now.commits = bounded.Limit(append(now.commits, id), 8)
		case "git push", "gh pr", "gh issue", "gh release":
			t.lastWork = e.seq
			now.pushed = now.pushed || family(cmd.Argv) == "git push"
		}
	}
}

// changedBy are the files of the project that a call changed.
func changedBy(e *event) []string {
	var out []string
	eachChanged(e, func(raw string, shell bool) {
		if shell && (strings.ContainsAny(raw, "*$`{}=") || paths.Scratch(raw)) {
			return
		}
		if p := e.place.Rel(raw, e.call.info.Cwd); p != "" && paths.Inside(p) {
			out = append(out, p)
		}
	})
	return out
}

// eachChanged yields the paths that a call changes, as it gave them; shell says
// that a command names the path.
func eachChanged(e *event, yield func(raw string, shell bool)) {
	if edits(e.call.info.Meaning) {
		for _, p := range e.call.info.Paths {
			yield(p, false)
		}
	}
	if e.call.info.Command != "" {
		paths.OfCommand(e.call.info.Command, func(change, p, _ string) {
			if change != "read" {
				yield(p, true)
			}
		})
	}
}

// ended notes how a turn ended. A slip of one or two words that was taken back
// before anything happened is forgotten.
func (t *timeline) ended(e *event) {
	now := t.now()
	if now == nil {
		return
	}
	now.ended, t.marksTurns = e.Text, true
	if e.Text == transcript.TurnInterrupted && now.calls == 0 && !now.spoke && len(t.list) > 1 && len(strings.Fields(now.Words)) <= 2 {
		t.list = t.list[:len(t.list)-1]
	}
}

// proposal is what a person agreed to by a yes: the weightiest sentences of the
// reply.
func proposal(remarks []remark) string {
	var parts []string
	for _, r := range best(slices.DeleteFunc(slices.Clone(remarks), func(r remark) bool { return !r.final }), 2) {
		parts = append(parts, prose.Clip(r.text, 150))
	}
	return strings.Join(parts, "; ")
}

// statedNext is what a reply says comes next: a sentence labelled so, or the
// first entry under such a heading.
func statedNext(e *event) (ask, bool) {
	for i := len(e.said) - 1; i >= 0; i-- {
		s := e.said[i]
		if m := nextLabel.FindStringSubmatch(s.Text); m != nil && e.lex.Begins(words.Next, m[1]) && !prose.IsQuestion(m[2]) {
			return ask{text: prose.Clip(m[2], maxNext), src: e.src, seq: e.seq}, true
		}
	}
	for _, s := range e.said {
		open := s.State == "todo" || s.Bullet && s.State == "" && e.lex.Heads(words.Next, s.Heading)
		if open && !prose.IsQuestion(s.Text) && utf8.RuneCountInString(s.Text) > 8 {
			return ask{text: prose.Clip(s.Text, maxNext), src: e.src, seq: e.seq}, true
		}
	}
	return ask{}, false
}

// nextLabel begins a sentence that says what comes next: "Next: …", "Remaining:
// …". The word is looked up, the colon is not enough.
var nextLabel = regexp.MustCompile(`^([\p{L}' ]{3,30}?)\s*[:：]\s*(.+)$`)

// committed is how git commit, cherry-pick, merge and revert tell of a commit.
var committed = regexp.MustCompile(`(?m)^\[([^\]\s]+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$`)

// maxNext is how long the line may be, in runes.
const maxNext = 230
