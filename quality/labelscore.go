package quality

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Tally counts how many of the labels of a kind a handoff met.
type Tally struct{ Met, Of int }

func (t *Tally) add(o Tally) { t.Met, t.Of = t.Met+o.Met, t.Of+o.Of }

// Share is the part that was met.
func (t Tally) Share() float64 { return float64(t.Met) / float64(max(1, t.Of)) }

// LabelFigures are the figures of labels in the order of the report;
// docs/quality.md says what each is.
var LabelFigures = []string{
	"task", "goal", "decisions", "open failures", "open questions", "next action", "files", "constraints", "references", "verify", "progress",
	"outcome", "works", "decision lines known", "no decision listed", "outdated listed", "failed listed as passed", "solved listed as open", "false decisions", "wrong task", "score",
}

// labelCosts are the figures of which less is better.
var labelCosts = map[string]bool{
	"no decision listed": true, "outdated listed": true, "failed listed as passed": true, "solved listed as open": true, "false decisions": true, "wrong task": true,
}

// recalled are the figures whose mean the score is.
var recalled = LabelFigures[:11]

// LabelScore is what one handoff makes of one label.
type LabelScore struct {
	Tallies map[string]Tally
	Score   float64  // the mean recall, less for what is given wrongly, half for a text that is too long
	Missed  []string // "figure: what was not listed", or was listed and must not be
}

// Largest text that counts in full.
const (
	labelLines = 50
	labelBytes = 9000
	labelWidth = 240
)

var (
	isSolved = regexp.MustCompile(`\b(?:solved|fixed|resolved|passes|passed|green|works|worked|succeeded|overcome|recovered|abandoned|superseded|harmless)\b|✓|✅`)
	notTaken = regexp.MustCompile(`\b(?:not|no|never|rejected|overturned|unanswered|withdrawn|only proposed)\b`)
	isWrite  = regexp.MustCompile(`\b(?:edit|edited|write|wrote|written|created|new|added|modified)\b`)
)

// ScoreLabel holds a handoff against a label.
func ScoreLabel(text string, l *Label) LabelScore {
	s := &LabelScore{Tallies: map[string]Tally{}}
	t := newSections(text)
	s.aims(t, l)
	s.lists(t, l)
	s.files(t, l)
	s.falsehoods(t, l)
	if l.Outcome != nil {
		s.newer(t, l)
	}
	s.Score = s.recall() * s.half("solved listed as open") * s.half("false decisions")
	if !rightSize(text) {
		s.Score /= 2
	}
	return *s
}

func (s *LabelScore) note(figure, say string, met bool) {
	t := s.Tallies[figure]
	t.Of++
	if met {
		t.Met++
	}
	s.Tallies[figure] = t
	if met == labelCosts[figure] {
		s.Missed = append(s.Missed, figure+": "+say)
	}
}

func (s *LabelScore) aims(t *sections, l *Label) {
	task := t.in("task", "goal")
	ok := anyWay(task, l.Task.Any)
	s.note("task", "the task", ok)
	s.note("wrong task", "the task", t.headings && !ok && wrongTask(task, l.Task.Wrong))
	if l.Goal != nil && len(l.Goal.Any) > 0 {
		s.note("goal", "the goal", anyWay(task, l.Goal.Any))
	}
	if len(l.Next.Any) > 0 {
		s.note("next action", strings.Join(l.Next.Any[0], ", "), anyWay(t.in("next action", "next steps"), l.Next.Any))
	}
}

func (s *LabelScore) lists(t *sections, l *Label) {
	verify := t.in("verify first", "open questions", "next action")
	for _, list := range []struct {
		figure string
		facts  []fact
		lines  []string
	}{
		{"decisions", l.Decisions, t.in("decisions", "decision history", "failed approaches", "progress", "constraints", "discovered constraints", "verify first")},
		{"open failures", l.OpenFailures, t.in("failed approaches", "open questions", "verify first", "next action")},
		{"open questions", l.OpenQuestions, verify},
		{"constraints", l.Constraints, t.everywhere()},
		{"references", l.References, t.everywhere()},
		{"verify", l.Verify, verify},
		{"progress", l.Done, t.in("progress", "decisions", "recent files")},
		{"progress", l.Open, t.in("progress", "open questions", "next action", "next steps")},
	} {
		for _, f := range list.facts {
			s.note(list.figure, f.Say, anyWay(list.lines, f.ways()))
		}
	}
}

func (s *LabelScore) files(t *sections, l *Label) {
	known := slices.Concat(l.Files.Needed, l.Files.Named)
	lines := t.in("recent files", "files", "file operations")
	for _, p := range l.Files.Needed {
		s.note("files", p, namesPath(lines, p, known))
	}
	if !t.headings {
		lines = nil
	}
	for _, p := range l.Files.NotWritten {
		s.note("false decisions", p, slices.ContainsFunc(lines, func(line string) bool {
			return strings.Contains(line, level(p)) && isWrite.MatchString(line) && !notTaken.MatchString(line)
		}))
	}
}

// falsehoods counts what is given and is not so.
func (s *LabelScore) falsehoods(t *sections, l *Label) {
	var open, decided []string
	if t.headings {
		open, decided = t.in("failed approaches", "open questions"), t.in("decisions", "decision history")
	}
	for _, f := range l.SolvedFailures {
		s.note("solved listed as open", f.Say, slices.ContainsFunc(open, func(line string) bool { return hasAll(line, f.Words) && !isSolved.MatchString(line) }))
	}
	for _, f := range l.FalseDecisions {
		s.note("false decisions", f.Say, slices.ContainsFunc(decided, func(line string) bool { return hasAll(line, f.Words) && !notTaken.MatchString(line) }))
	}
}

// newer counts what only newer labels know.
func (s *LabelScore) newer(t *sections, l *Label) {
	decided := t.in("decisions")
	ahead := t.in("next action", "open questions", "failed approaches")
	for _, line := range t.in("progress") {
		if strings.HasPrefix(line, "- todo") || strings.HasPrefix(line, "- doing") {
			ahead = append(ahead, line)
		}
	}
	var passed []string
	for _, line := range t.in("progress", "recent files") {
		if strings.Contains(line, "passed") || strings.Contains(line, "passing") {
			passed = append(passed, line)
		}
	}
	for _, f := range l.Outcome {
		s.note("outcome", f.Say, anyWay(t.everywhere(), f.ways()))
	}
	for _, f := range l.Works {
		s.note("works", f.Say, anyWay(t.everywhere(), f.ways()))
	}
	for _, list := range []struct {
		figure string
		facts  []fact
		lines  []string
	}{{"no decision listed", l.NotDecisions, decided}, {"outdated listed", l.Stale, ahead}, {"failed listed as passed", l.NotPassed, passed}} {
		for _, f := range list.facts {
			s.note(list.figure, f.Say, onOneLine(list.lines, f.Words))
		}
	}
	for _, line := range decided {
		if strings.HasPrefix(line, "- ") {
			s.note("decision lines known", line, slices.ContainsFunc(slices.Concat(l.Decisions, l.Constraints), func(f fact) bool {
				return slices.ContainsFunc(f.ways(), func(words []string) bool { return hasAll(line, words) })
			}))
		}
	}
}

// recall is the mean share over the figures that the label has.
func (s *LabelScore) recall() float64 {
	var shares []float64
	for _, name := range recalled {
		if t, ok := s.Tallies[name]; ok {
			shares = append(shares, t.Share())
		}
	}
	return mean(shares)
}

func (s *LabelScore) half(figure string) float64 { return 1 - s.Tallies[figure].Share()/2 }

func rightSize(text string) bool {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	wide := slices.ContainsFunc(lines, func(l string) bool { return utf8.RuneCountInString(l) > labelWidth })
	return strings.TrimSpace(text) != "" && len(lines) <= labelLines && len(text) <= labelBytes && !wide
}
