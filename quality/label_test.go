package quality_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/quality"
)

const label = `{"file": "claude/ada+shop/s.jsonl", "tool": "claude-code", "cut_before_line": 3,
 "task": {"must_any": [["cart", "total"]], "wrong": ["go ahead"]}, "goal": null,
 "decisions": [{"say": "round up", "must_all": ["round", "up"]}, {"say": "one currency", "must_any": [["euro"], ["one currency"]]}],
 "solved_failures": [{"say": "the build", "words": ["go build"]}],
 "false_decisions": [{"say": "a cache", "words": ["cache"]}],
 "next_action": {"must_any": [["coupons.ts"]]},
 "files": {"needed": ["src/cart/total.ts", "src/api/total.ts"], "not_written": ["src/old.ts"]},
 "progress_done": [{"say": "tests", "must_all": ["vitest"]}], "progress_open": [{"say": "the 409", "must_all": ["409"]}],
 "outcome": [{"say": "a coupon counts once", "must_all": ["counts once"]}],
 "not_decisions": [{"say": "a finding", "words": ["the server"]}], "stale": [{"say": "lint", "words": ["lint"]}],
 "works": [], "not_passed": [{"say": "lint", "words": ["lint"]}]}`

const handoff = `# Handoff
## Task
The cart total is wrong.
## Decisions
- Round the total
  up, always
- the server keeps a cache
## Progress
- done: vitest passed; a coupon counts once
- todo: answer 409
## Failed approaches
- go build fails
## Recent files
- src/cart/total.ts: edited
- src/old.ts: not written
## Next action
Fix src/api/coupons.ts
`

func readLabel(t *testing.T) *quality.Label {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "one.json"), []byte(label), 0o600); err != nil {
		t.Fatal(err)
	}
	labels, err := quality.ReadLabels([]string{dir})
	if err != nil || len(labels) != 1 || labels[0].ID != "one" {
		t.Fatal(labels, err)
	}
	return labels[0]
}

func TestScoreLabel_CountsWhatIsToldWhereItBelongs(t *testing.T) {
	got := quality.ScoreLabel(handoff, readLabel(t))
	for figure, want := range map[string]quality.Tally{
		"task": {1, 1}, "wrong task": {0, 1}, "decisions": {1, 2}, "next action": {1, 1}, "files": {1, 2}, "progress": {2, 2}, "outcome": {1, 1},
		"solved listed as open": {1, 1}, "false decisions": {1, 2}, "no decision listed": {1, 1}, "outdated listed": {0, 1}, "failed listed as passed": {0, 1},
		"decision lines known": {0, 2},
	} {
		if got.Tallies[figure] != want {
			t.Errorf("%s: %+v, want %+v", figure, got.Tallies[figure], want)
		}
	}
	recall := (1 + .5 + 1 + .5 + 1) / 5
	if want := recall * .5 * .75; got.Score < want-1e-9 || got.Score > want+1e-9 {
		t.Errorf("score %.4f, want %.4f", got.Score, want)
	}
}

func TestScoreLabel_TakesLessForATextThatIsTooLong(t *testing.T) {
	l := readLabel(t)
	short := quality.ScoreLabel(handoff, l).Score
	if long := quality.ScoreLabel(handoff+strings.Repeat("more\n", 50), l).Score; long != short/2 {
		t.Errorf("%.3f and %.3f", short, long)
	}
}

func TestScoreLabel_KnowsATaskThatIsNone(t *testing.T) {
	for _, task := range []string{"\"Go ahead\"", "continue", "<command-name>/review</command-name>"} {
		got := quality.ScoreLabel("## Task\n"+task+"\n", readLabel(t))
		if got.Tallies["wrong task"].Met != 1 {
			t.Errorf("%s is taken for a task", task)
		}
	}
}
