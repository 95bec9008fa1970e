package timeline

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// replied reads a reply: what it concludes, asks, and says comes next.
func (t *Timeline) replied(e *Event) {
	t.begun = true
	t.learn(e.Text, e.Lexicon, false)
	t.lastReply = e.Text
	a := questionOf(e)
	if a != nil {
		t.ask(a)
	} else {
		t.Asked = nil
	}
	now := t.Now()
	if now == nil {
		return
	}
	now.Waits, now.Spoke, now.ReplyAt = a, true, e.Seq
	now.Remarks = conclusions(now, e)
	if next, ok := statedNext(e); ok {
		now.Stated = next
	} else if now.Stated.Text != "" && t.LastWork > now.Stated.Seq {
		now.Stated = Quote{}
	}
	now.announce(e, a)
}

// announce notes what a reply ends by saying it will do: a last sentence that
// ends in a colon, or one of the last that begins so. Else its last sentence
// stands for where the agent was.
func (r *Request) announce(e *Event, asked *dialogue.Question) {
	r.Intent, r.Announced, r.Because, r.judged = Quote{}, false, "", false
	n := len(e.Said)
	if n == 0 || asked != nil && !asked.Optional {
		return
	}
	at := n - 1
	for at >= 0 && dialogue.LeavesOff(e.Said[at].Text, e.Lexicon) {
		at-- // how it takes its leave says nothing of where it was
	}
	if at < 0 {
		return
	}
	r.Announced = strings.HasSuffix(strings.TrimRight(e.Text, " \n*_"), ":")
	for i := at; i >= max(0, n-3) && !r.Announced; i-- {
		if s := e.Said[i]; !s.Bullet && e.Lexicon.Announces(s.Text) && !e.Lexicon.In(words.Await, s.Text) {
			at, r.Announced = i, true
		}
	}
	text := strings.TrimRight(e.Said[at].Text, ":. ")
	if at > 0 && utf8.RuneCountInString(text) < 110 { // a short step leans on what was found before it
		r.Because = prose.Clip(e.Said[at-1].Text, 110)
	}
	r.Intent = Quote{Text: text, Source: e.Source, Seq: e.Seq}
}

func (t *Timeline) called(e *Event) {
	t.begun = true
	now := t.Now()
	if now == nil {
		return
	}
	now.Calls++
	now.LastCall, now.Spoke, now.Ended = e.Seq, false, ""
	if e.ToolCall != nil && e.ToolCall.Info.Meaning != transcript.Ask {
		now.Waits = nil
	}
}

// resulted notes what a call did: files, checks, commits.
func (t *Timeline) resulted(e *Event) {
	now := t.Now()
	if now == nil || e.ToolCall == nil || e.ToolCall.Subagent {
		return
	}
	c := e.ToolCall
	if IsCheck(c.Family) {
		t.LastWork = e.Seq
		if now.checked == nil {
			now.checked = map[string]bool{}
		}
		bad := Failed(e) || e.Test.Failed
		now.judged = now.judged || Passed(e) || bad
		if Passed(e) && !bad && t.LastEdit > now.Intent.Seq {
			now.Proved = e.Seq
		}
		if bad || Passed(e) {
			now.checked[c.Family] = !bad
		}
	}
	if !Happened(e) {
		return
	}
	changed := ChangedBy(e)
	for _, p := range changed {
		if !slices.Contains(now.Changed, p) && len(now.Changed) < MaxChanged {
			now.Changed = append(now.Changed, p)
		}
		t.learnName(p)
	}
	if len(changed) > 0 {
		t.LastWork, t.LastEdit = e.Seq, e.Seq
	}
	for _, cmd := range c.Commands {
		switch shell.Family(cmd.Argv) {
		case "git commit":
			t.LastWork, t.LastCommit = e.Seq, e.Seq
			id := ""
			if m := Committed.FindStringSubmatch(prose.Excerpt(e.Result.Text)); m != nil {
				id = m[2]
			}
			now.Commits = bounded.Limit(append(now.Commits, id), 8)
		case "git push", "gh pr", "gh issue", "gh release":
			t.LastWork = e.Seq
			now.Pushed = now.Pushed || shell.Family(cmd.Argv) == "git push"
		}
	}
}

// ChangedBy are the files of the project that a call changed.
func ChangedBy(e *Event) []string {
	var out []string
	EachChanged(e, func(raw string, shell bool) {
		if shell && (strings.ContainsAny(raw, "*$`{}=") || paths.Scratch(raw)) {
			return
		}
		if p := e.Paths.Rel(raw, e.ToolCall.Info.Cwd); p != "" && paths.Inside(p) {
			out = append(out, p)
		}
	})
	return out
}

// EachChanged yields the paths that a call changes, as it gave them; shell says
// that a command names the path.
func EachChanged(e *Event, yield func(raw string, shell bool)) {
	if Edits(e.ToolCall.Info.Meaning) {
		for _, p := range e.ToolCall.Info.Paths {
			yield(p, false)
		}
	}
	if e.ToolCall.Info.Command != "" {
		paths.OfCommand(e.ToolCall.Info.Command, func(change, p, _ string) {
			if change != "read" {
				yield(p, true)
			}
		})
	}
}

// ended notes how a turn ended. A slip of one or two words that was taken back
// before anything happened is forgotten.
func (t *Timeline) ended(e *Event) {
	now := t.Now()
	if now == nil {
		return
	}
	now.Ended, t.MarksTurns = e.Text, true
	if e.Text == transcript.TurnInterrupted && now.Calls == 0 && !now.Spoke && len(t.Requests) > 1 && len(strings.Fields(now.Words)) <= 2 {
		t.Requests = t.Requests[:len(t.Requests)-1]
	}
}

// proposal is what a person agreed to by a yes: the weightiest sentences of the
// reply.
func proposal(remarks []Remark) string {
	var parts []string
	for _, r := range Best(slices.DeleteFunc(slices.Clone(remarks), func(r Remark) bool { return !r.final }), 2) {
		parts = append(parts, prose.Clip(r.Text, 150))
	}
	return strings.Join(parts, "; ")
}

// statedNext is what a reply says comes next: a sentence labelled so, or the
// first entry under such a heading.
func statedNext(e *Event) (Quote, bool) {
	for i := len(e.Said) - 1; i >= 0; i-- {
		s := e.Said[i]
		if m := nextLabel.FindStringSubmatch(s.Text); m != nil && e.Lexicon.Begins(words.Next, m[1]) && !prose.IsQuestion(m[2]) {
			return Quote{Text: prose.Clip(m[2], MaxNext), Source: e.Source, Seq: e.Seq}, true
		}
	}
	for _, s := range e.Said {
		open := s.State == "todo" || s.Bullet && s.State == "" && e.Lexicon.Heads(words.Next, s.Heading)
		if open && !prose.IsQuestion(s.Text) && utf8.RuneCountInString(s.Text) > 8 {
			return Quote{Text: prose.Clip(s.Text, MaxNext), Source: e.Source, Seq: e.Seq}, true
		}
	}
	return Quote{}, false
}

// nextLabel begins a sentence that says what comes next: "Next: …", "Remaining:
// …". The word is looked up, the colon is not enough.
var nextLabel = regexp.MustCompile(`^([\p{L}' ]{3,30}?)\s*[:：]\s*(.+)$`)

// Committed is how git commit, cherry-pick, merge and revert tell of a commit.
var Committed = regexp.MustCompile(`(?m)^\[([^\]\s]+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$`)

// MaxNext is how long the line may be, in runes.
const MaxNext = 230
