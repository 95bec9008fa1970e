package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The next action is one imperative line, from the first of these that exists,
// with what the agent last said it would do behind it:
//
//   - a request the agent has not begun on: that request; or, after a bare yes or go on,
//     what the agent had asked;
//   - the step that is being done, else the first one to do;
//   - work left running in the background: its outcome;
//   - what the last reply says comes next;
//   - a failing check: make it pass;
//   - a question that waits for an answer: get it;
//   - edits without a check or a commit after them: do that.
//
// Tool output never stands here.
type nextRules struct {
	intent   distiller.Statement // what the agent said it would do
	saidAt   int                 // event of the reply that said it
	closing  distiller.Statement // what the last reply says remains
	acted    bool                // anything of the agent since the last request
	agreed   distiller.Statement // what the last reply asked before the person said to go on
	asked    distiller.Statement // the question the last reply ends with
	nudged   bool                // the last prompt only said to go on
	request  distiller.Statement
	spoke    bool // the last thing of the agent was a reply
	finished bool // the last turn ended by itself, with nothing after the reply
}

var (
	intentStart = regexp.MustCompile(`(?i)^(?:(?:now|next|first|then|so|okay|ok|good|great|perfect|alright)[,.!:]?\s+)*(?:let me|let's|i'll|i will|i'm going to|i am going to|i'm(?: now| also)?|i need to|i should|we need to|we should|next,?|ich werde|je vais|voy a|vou |сейчас|şimdi|では|接下来|现在|이제)\s*(.+)$`)
	nextStart   = regexp.MustCompile(`(?i)^(?:next:|next steps?|next up|remaining|still to do|to do next|what's left|the next step|nächster schritt|prochaine étape|siguiente paso|próximo passo|следующий шаг|sonraki adım|次のステップ|下一步|다음 단계)(?: is| are| would be| will be)?\s*:?\s*(?:to )?(.+)$`)
	fillers     = []string{"know", "let you know", "summarize", "summarise", "explain", "think", "be happy", "wait", "keep this in mind"}
)

func (n *nextRules) add(e *event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Prompt:
		if ownWords(e.Located) && (e.req.words != "" || e.req.pasted != "") {
			n.acted, n.finished = false, false
			n.nudged = e.req.words != "" && isNudge(e.req.words)
			if n.agreed = (distiller.Statement{}); n.nudged {
				n.agreed = n.asked
			}
			n.asked = distiller.Statement{}
			if e.req.words != "" && !n.nudged {
				n.request = distiller.Statement{Text: e.req.words, Source: e.src}
				n.intent, n.closing = distiller.Statement{}, distiller.Statement{}
			}
		}
	case transcript.Call:
		n.acted, n.finished, n.spoke = true, false, false
	case transcript.Reply:
		n.acted, n.spoke, n.saidAt = true, true, e.seq
		n.said(e)
	case transcript.Turn:
		n.finished = e.Text == transcript.TurnCompleted
	}
}

func (n *nextRules) said(e *event) {
	n.closing, n.intent = distiller.Statement{}, distiller.Statement{}
	said := e.said
	n.asked = distiller.Statement{}
	if last := len(said) - 1; last >= 0 && isQuestion(said[last].text) {
		n.asked = distiller.Statement{Text: said[last].text, Source: e.src}
	}
	for _, s := range said {
		low := strings.ToLower(s.heading)
		if m := nextStart.FindStringSubmatch(s.text); m != nil && n.closing.Text == "" {
			n.closing = distiller.Statement{Text: m[1], Source: e.src}
		}
		if n.closing.Text == "" && s.state != "done" && (s.state == "todo" || s.bullet && hasAny(low, openHeads...)) && !isQuestion(s.text) {
			n.closing = distiller.Statement{Text: s.text, Source: e.src}
		}
	}
	for i := len(said) - 1; i >= 0 && i >= len(said)-4; i-- {
		m := intentStart.FindStringSubmatch(said[i].text)
		if m == nil || hasPrefixAny(strings.ToLower(m[1]), fillers...) {
			continue
		}
		n.intent = distiller.Statement{Text: m[1], Source: e.src}
		return
	}
}

// maxNext is how long the line may be, in runes.
const maxNext = 230

func (n *nextRules) fact(s *State, f *distiller.Facts) *distiller.Statement {
	if n.delivered(s) {
		now := *n
		now.intent, now.closing = distiller.Statement{}, distiller.Statement{}
		return now.compose(s, f)
	}
	return n.compose(s, f)
}

// delivered says that the agent meant to commit or push and has done so.
func (n *nextRules) delivered(s *State) bool {
	low := strings.ToLower(n.intent.Text)
	return hasAny(low, "commit", "push") && s.git.lastCommit() > n.saidAt
}

func (n *nextRules) compose(s *State, f *distiller.Facts) *distiller.Statement {
	main := n.choose(s, f)
	if main == nil {
		return nil
	}
	main.Text = imperative(main.Text)
	if room := maxNext - utf8.RuneCountInString(main.Text); n.intent.Text != "" && !n.finished && room > 40 && !sameRequest(n.intent.Text, main.Text) {
		main.Text += "; the agent was about to: " + clip(strings.TrimRight(n.intent.Text, ".:! "), room-26)
	} else if room > 60 && f.Task != nil && n.intent.Text != "" && !sameRequest(f.Task.Text, main.Text) {
		main.Text = strings.TrimRight(main.Text, ".:! ") + " (for: " + clip(f.Task.Text, room-10) + ")"
	}
	main.Text = clip(main.Text, maxNext)
	return main
}

func (n *nextRules) choose(s *State, f *distiller.Facts) *distiller.Statement {
	if !n.acted && n.agreed.Text != "" {
		return &distiller.Statement{Text: "the user said to go on with: " + clip(n.agreed.Text, 190), Source: n.agreed.Source}
	}
	if !n.acted && !n.nudged && n.request.Text != "" {
		return &distiller.Statement{Text: "start on the request: " + clip(n.request.Text, 180), Source: n.request.Source}
	}
	for _, state := range []string{"doing", "todo"} {
		for _, p := range f.Progress {
			if p.State == state {
				return &distiller.Statement{Text: p.Text, Source: p.Source}
			}
		}
	}
	if s.verify.waiting(s.turn) && n.intent.Text == "" {
		return &distiller.Statement{Text: "see how the background work ended, review the diff it left, then finish the request: " + clip(n.request.Text, 120), Source: n.request.Source}
	}
	if n.closing.Text != "" {
		c := n.closing
		return &c
	}
	for _, fl := range s.failures.open(s.calls, s.turn, s.git.lastCommit()) {
		if fl.check {
			return &distiller.Statement{Text: "make this pass: " + strings.ReplaceAll(fl.what, "`", "'"), Source: fl.src}
		}
	}
	if c := s.open.waiting(); c != nil {
		return &distiller.Statement{Text: "check what this call did, then go on: " + clip(c.what(), 160), Source: c.src}
	}
	if !n.finished && n.intent.Text != "" {
		i := n.intent
		return &i
	}
	if len(f.Questions) > 0 {
		q := f.Questions[len(f.Questions)-1]
		return &distiller.Statement{Text: "get the answer to: " + clip(q.Text, 190), Source: q.Source}
	}
	return n.afterwards(s, f)
}

// afterwards is what usually remains when all seems done.
func (n *nextRules) afterwards(s *State, f *distiller.Facts) *distiller.Statement {
	changed := s.files.uncommitted(s.git.lastCommit())
	switch {
	case s.git.pushed > 0 && s.git.checked < s.git.pushed && len(changed) == 0:
		return &distiller.Statement{Text: "look at the CI run of " + fallback(s.references.pullRequest(), "what was pushed") + " and fix what is red", Source: s.git.src}
	case !n.finished && !n.spoke && n.request.Text != "":
		return &distiller.Statement{Text: "go on with the request: " + clip(n.request.Text, 200), Source: n.request.Source}
	case len(changed) > 0 && s.verify.lastCheck != nil:
		return &distiller.Statement{Text: "review the uncommitted edits (" + clip(strings.Join(changed[:min(3, len(changed))], ", "), 120) + "), run the checks, commit"}
	case len(changed) > 0:
		return &distiller.Statement{Text: "check the edits (" + clip(strings.Join(changed[:min(3, len(changed))], ", "), 120) + ") and commit them"}
	case f.Task != nil:
		return &distiller.Statement{Text: "the last request was answered; ask what comes next, or go on with: " + clip(f.Task.Text, 140), Source: f.Task.Source}
	}
	return nil
}

// imperative begins a line with an upper-case letter and no bullet.
func imperative(s string) string {
	s = strings.TrimSpace(s)
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || strings.HasPrefix(s, "`") {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
