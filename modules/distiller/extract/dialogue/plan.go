package dialogue

import (
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// PlanTitle is the first heading or line of a plan.
func PlanTitle(plan string) string {
	for line := range strings.Lines(plan) {
		if line = prose.Plain(strings.TrimLeft(strings.TrimSpace(line), "# ")); line != "" {
			return strings.TrimPrefix(prose.Clip(line, 200), "Plan: ")
		}
	}
	return "as given"
}

// planInShort is a plan on one line: its title, what it begins with and the headings that
// it numbers.
func planInShort(plan string) string {
	title := PlanTitle(plan)
	out := title
	body := prose.WithoutFences(plan)
	aim := ""
	for _, s := range prose.Statements(body) {
		if s.Bullet && aim != "" || utf8.RuneCountInString(aim) > planAim/2 {
			break
		}
		if !s.Bullet && !strings.Contains(s.Text, title) && strings.Contains(s.Text, " ") && !strings.HasSuffix(s.Text, ":") {
			aim = strings.TrimSpace(aim + " " + s.Text)
		}
	}
	if aim != "" {
		out += " — " + prose.Clip(aim, planAim)
	}
	var steps []string
	for line := range strings.Lines(body) {
		if m := numberedHeading.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			steps = append(steps, prose.Clip(prose.Plain(m[1]+" "+m[2]), planStep))
		}
	}
	if len(steps) > 1 {
		out += " Steps: " + strings.Join(steps, "; ")
	}
	return prose.Clip(out, MaxWords)
}

// How much of a plan is shown, in runes.
const (
	planAim  = 220 // of what it begins with
	planStep = 60  // of one step
)

// numberedHeading is a heading of a step: "### Step 1: …", "## 2. …".
var numberedHeading = lazyregexp.New(`^#{2,4} (?:\p{L}+ )?(\d{1,2}[a-z]?)[.:)]? +(?:[—–-] *)?(\S.*)$`)
