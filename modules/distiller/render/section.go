package render

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
)

// line is one line of a section before the budget: the text and the place of
// the fact it tells.
type line struct {
	text   string
	source distiller.Source
	below  bool // written after the other lines of its section, whatever its worth
	said   bool // of a step: the agent says so, nothing proves it
}

// section is a heading with its lines, best first.
type section struct {
	title  string
	lines  []line
	weight float64 // worth of its first line; later ones are worth less
	decay  float64 // how fast
	pack   bool    // short entries share a line
}

// packed joins short entries of a section on a line: lines are what a handoff
// has fewest of.
func packed(lines []line) []line {
	var out []line
	for _, l := range lines {
		n := len(out) - 1
		rest, entry := strings.CutPrefix(l.text, "- ")
		if n >= 0 && entry && !l.below && !out[n].below && strings.HasPrefix(out[n].text, "- ") && utf8.RuneCountInString(out[n].text+rest)+3 < maxWidth-moreRoom {
			out[n].text += " · " + rest
			continue
		}
		out = append(out, l)
	}
	return out
}

// sections are all sections in the order they stand in, before the budget.
// Weights come from what a next agent misses most when it is gone: the task,
// then what comes next, what must be checked, what failed, what was decided.
func sections(f distiller.Facts) []section {
	coding := slices.ContainsFunc(f.Files, func(file distiller.File) bool { return file.Change != "read" })
	soft := 1.0 // constraints, actions and references take the files' room
	if !coding {
		soft = 1.6
	}
	all := []section{
		{title: "Task", lines: taskLines(f), weight: 1000, decay: 1},
		{title: "Progress", lines: progressLines(f), weight: 100, decay: .955},
		{title: "Recent files", lines: fileLines(f), weight: 82, decay: .965, pack: true},
		{title: "Failed approaches", lines: failureLines(f), weight: 80, decay: .92, pack: true},
		{title: "Commands that work here", lines: workLines(f), weight: 60, decay: .82, pack: true},
		{title: "Decisions", lines: decisionLines(f), weight: 88, decay: .94, pack: true},
		{title: "Constraints", lines: statementLines(f.Constraints), weight: 74 * soft, decay: .88, pack: true},
		{title: "Open questions", lines: statementLines(f.Questions), weight: 58, decay: .85, pack: true},
		{title: "Action items", lines: actionLines(f), weight: 40 * soft, decay: .85},
		{title: "References", lines: referenceLines(f), weight: 46 * soft, decay: .8, pack: true},
		{title: "Next action", lines: nextLines(f), weight: 900, decay: 1},
		{title: "Noted by the tool itself", lines: recapLines(f), weight: 34, decay: .7},
		{title: "Verify first", lines: append(statementLines(f.Verify), gitLines(f)...), weight: 62, decay: .88, pack: true},
		{title: "To undo", lines: statementLines(f.Undo), weight: 50, decay: .8, pack: true},
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.lines) == 0 })
}

// wrap breaks a long text into at most n lines at word boundaries.
func wrap(text string, width, n int) []string {
	var out []string
	for text != "" && len(out) < n {
		if len(out) == n-1 || len([]rune(text)) <= width {
			out = append(out, cut(text, width))
			break
		}
		head := string([]rune(text)[:width])
		if i := strings.LastIndexByte(head, ' '); i > len(head)/2 {
			head = head[:i]
		}
		text = strings.TrimSpace(text[len(head):])
		if strings.Count(head, "`")%2 == 1 { // a code span does not go over lines
			head, text = strings.ReplaceAll(head, "`", "'"), strings.ReplaceAll(text, "`", "'")
		}
		out = append(out, head)
	}
	return out
}

// taskLines say whose turn it is, then the task in the user's words.
func taskLines(f distiller.Facts) []line {
	out := subagentLines(f)
	if f.Turn != nil {
		out = append(out, line{text: "Turn: " + clean(f.Turn.Text), source: f.Turn.Source})
	}
	if f.Task == nil {
		return append(out, line{text: "No request is recorded."})
	}
	add := func(head, text string, n int) {
		if text == "" {
			return
		}
		for _, l := range wrap(head+quote(text), maxWidth, n) {
			out = append(out, line{text: l, source: f.Task.Source})
		}
	}
	add(wordedBy(f.Task.By), f.Task.Text, 3)
	add("Now: ", f.Task.Now, 2)
	add("Before: ", cut(f.Task.Before, 220), 1)
	add("Goal: ", f.Task.Goal, 2)
	return out
}

// progressLines tell the current request with what the agent concluded, what
// is being done and open, the requests before it, and what is done.
func progressLines(f distiller.Facts) []line {
	var out []line
	n := len(f.Requests)
	if n > 0 {
		out = append(out, requestLines(f.Requests[n-1])...)
	}
	out = append(out, steps(f, "doing", "blocked", "todo")...)
	for i := n - 2; i >= max(0, n-fullRequests); i-- {
		out = append(out, requestLines(f.Requests[i])...)
	}
	out = append(out, steps(f, "done")...)
	return append(out, earlierRequests(f.Requests[:max(0, n-fullRequests)])...)
}

// fullRequests are told with what concluded them; those before only by name.
const fullRequests = 3

// earlierRequests are requests with their outcome, newest first, as many on a
// line as fit.
func earlierRequests(list []distiller.Request) []line {
	var out []line
	for _, r := range slices.Backward(list) {
		text := cut(quote(r.Text), 110) + " → " + clean(r.Outcome)
		if n := len(out) - 1; n >= 0 && utf8.RuneCountInString(out[n].text+text) < maxWidth-moreRoom {
			out[n].text += " · " + text
			continue
		}
		out = append(out, line{text: "- before: " + text, source: r.Source})
	}
	return out
}

// requestLines are one request with its outcome, and what concludes it: as many
// sentences on a line as fit.
func requestLines(r distiller.Request) []line {
	out := []line{{text: "- " + cut(quote(r.Text), 150) + " → " + clean(r.Outcome), source: r.Source}}
	for _, c := range r.Concluded {
		text := clean(c.Text)
		n := len(out) - 1
		switch {
		case text == "":
		case n > 0 && out[n].source == c.Source && utf8.RuneCountInString(out[n].text+text) < maxWidth-moreRoom:
			out[n].text += " · " + text
		default:
			out = append(out, line{text: "- agent: " + text, source: c.Source})
		}
	}
	return out
}

// steps are the steps in the states given, in that order; what is done comes
// newest first.
func steps(f distiller.Facts, states ...string) []line {
	var out []line
	for _, state := range states {
		for i := range f.Progress {
			p := f.Progress[i]
			if state == "done" {
				p = f.Progress[len(f.Progress)-1-i]
			}
			if p.State != state {
				continue
			}
			if n := len(out) - 1; state == "done" && n >= 0 && utf8.RuneCountInString(out[n].text+p.Text)+3 < maxWidth-moreRoom && out[n].said == (p.Evidence == distiller.Said) {
				out[n].text += " · " + clean(p.Text)
				continue
			}
			mark := state
			if state == "done" && p.Evidence == distiller.Said {
				mark = "done (agent says)"
			}
			out = append(out, line{text: "- " + mark + ": " + clean(p.Text), source: p.Source, said: p.Evidence == distiller.Said})
		}
	}
	return out
}

func fileLines(f distiller.Facts) []line {
	var out []line
	read := -1 // the line that lists files only read
	for _, file := range f.Files {
		text := describeFile(file)
		plainRead := file.Change == "read" && len(file.Symbols) == 0
		if plainRead && read >= 0 && utf8.RuneCountInString(out[read].text+text) < maxWidth-moreRoom {
			out[read].text += " · " + text
			continue
		}
		out = append(out, line{text: "- " + text, source: file.Source})
		if plainRead {
			read = len(out) - 1
		}
	}
	// The lines of named files are worth more than the last files: they tell
	// what no list of recent files can. They are written below them.
	for i, named := range namedLines(f.Named) {
		at := min(len(out), namedAfter[i])
		out = slices.Insert(out, at, line{text: named, source: f.Named[0].Source, below: true})
	}
	return out
}

// shownSymbols is how many symbols of a file are told: where to look, not all
// that was written.
const shownSymbols = 3

func describeFile(file distiller.File) string {
	verb := map[string]string{"edit": "edited", "write": "written", "read": "read", "delete": "deleted"}[file.Change]
	text := clean(file.Path) + ": " + fallback(verb, "seen") + " " + ago(file.Turn)
	if n := len(file.Symbols); n > 0 {
		text += ", " + clean(strings.Join(file.Symbols[:min(n, shownSymbols)], ", "))
		if n > shownSymbols {
			text += ", …"
		}
	}
	if file.Change != "read" && file.Change != "delete" && file.Tests != "" && file.Tests != "unknown" {
		text += "; tests " + file.Tests
	}
	return text
}

func ago(turns int) string {
	switch turns {
	case 0:
		return "this turn"
	case 1:
		return "last turn"
	}
	return fmt.Sprintf("%d turns ago", turns)
}

// namedAfter is how many files come before a line of named files in worth.
var namedAfter = [...]int{3, 5, 8}

// namedLines are the lines of files that were named and not opened, those of
// one folder together: `src/cart/{a.go, b.go}`; guesses stand on the last one
// and say that they are. As many as fit, best first.
func namedLines(named []distiller.Named) []string {
	var lines []string
	for _, head := range [...]string{"- named, not opened yet: ", "- also named: ", "- and: "} {
		if len(named) == 0 {
			break
		}
		text, taken := namedLine(head, named, maxWidth)
		if taken == len(named) || len(lines) > 0 { // it may be the last line, which counts what did not fit
			text, taken = namedLine(head, named, maxWidth-moreRoom)
		}
		if taken == 0 {
			break
		}
		lines, named = append(lines, text), named[taken:]
	}
	return lines
}

// namedLine fills one line and says how many of the files it took.
func namedLine(head string, named []distiller.Named, width int) (string, int) {
	var sure, guess folders
	text, taken := "", 0
	for i, n := range named {
		p := strings.Trim(code(n.Path, 120), "`")
		if p == "" {
			taken = i + 1
			continue
		}
		if n.Why == distiller.Guess {
			guess.add(p)
		} else {
			sure.add(p)
		}
		longer := head + sure.String()
		switch {
		case len(sure.order) == 0:
			longer = "- beside edited files: " + guess.String()
		case len(guess.order) > 0:
			longer += "; beside edited files: " + guess.String()
		}
		if utf8.RuneCountInString(longer) > width {
			break
		}
		text, taken = longer, i+1
	}
	return text, taken
}

// moreRoom is what a count of what did not fit may take, in runes.
const moreRoom = 36

// folders are paths by folder, in the order the folders came.
type folders struct {
	order []string
	names map[string][]string
}

func (f *folders) add(p string) {
	if f.names == nil {
		f.names = map[string][]string{}
	}
	dir, base := path.Split(p)
	if !slices.Contains(f.order, dir) {
		f.order = append(f.order, dir)
	}
	f.names[dir] = append(f.names[dir], base)
}

func (f *folders) String() string {
	var parts []string
	for _, dir := range f.order {
		if list := f.names[dir]; len(list) == 1 || dir == "" {
			for _, base := range list {
				parts = append(parts, "`"+dir+base+"`")
			}
		} else {
			parts = append(parts, "`"+dir+"{"+strings.Join(list, ", ")+"}`")
		}
	}
	return strings.Join(parts, " · ")
}

func failureLines(f distiller.Facts) []line {
	var out []line
	for _, fl := range f.Failures {
		text := "- "
		if fl.Ended != "" {
			text += clean(fl.Ended) + ": "
		}
		text += code(fl.What, 90)
		if fl.Count > 1 {
			text += fmt.Sprintf(", %d times", fl.Count)
		}
		if fl.Exit != 0 {
			text += fmt.Sprintf(", exit code %d", fl.Exit)
		}
		if fl.Why != "" {
			text += ": " + output(fl.Why)
		}
		if fl.Solved != "" {
			text += "; with " + code(fl.Solved, 60)
		}
		out = append(out, line{text: text, source: fl.Source})
	}
	if limits, ok := limitLine(f.Limits); ok {
		out = slices.Insert(out, min(len(out), 1), limits)
		out[min(len(out)-1, 1)].below = true
	}
	return out
}

// limitLine says on one line what this environment does not allow.
func limitLine(limits []distiller.Statement) (line, bool) {
	if len(limits) == 0 {
		return line{}, false
	}
	text := "- can't work here: "
	for i, s := range limits {
		said := clean(s.Text)
		if i > 0 && len([]rune(text+said)) > maxWidth-2 {
			break
		}
		if i > 0 {
			text += "; "
		}
		text += said
	}
	return line{text: cut(text, maxWidth), source: limits[0].Source}, true
}

// workLines puts the forms of one kind on a line.
func workLines(f distiller.Facts) []line {
	var out []line
	kind := ""
	for _, w := range f.Works {
		text := code(w.Command, 150)
		if n := len(out) - 1; n >= 0 && w.Kind == kind && len([]rune(out[n].text+text)) < maxWidth-4 {
			out[n].text += ", " + text
			continue
		}
		kind = w.Kind
		label := kind + ": "
		if kind == "instead" {
			label = "instead of a form that failed: "
		}
		out = append(out, line{text: "- " + label + text, source: w.Source})
	}
	return out
}

func decisionLines(f distiller.Facts) []line {
	var out []line
	for _, d := range f.Decisions {
		if text := describeDecision(d); text != "" {
			out = append(out, line{text: "- " + text, source: d.Source})
		}
	}
	return out
}

func describeDecision(d distiller.Decision) string {
	chosen := clean(strings.Join(d.Chosen, "; "))
	subject := clean(fallback(d.Question, d.Topic))
	text := chosen
	switch {
	case d.Kind == "correction":
		if !strings.HasPrefix(chosen, "the user rejected") {
			text = "user: " + quote(chosen)
		}
	case d.Kind == "plan" && subject != "":
		text = "plan: " + subject + " → " + fallback(chosen, "approved")
	case subject != "" && chosen != "":
		text = cut(subject, 90) + ` → "` + chosen + `"`
	case chosen == "":
		text = subject
	}
	if d.Said != "" {
		text += ` (user: ` + quote(d.Said) + `)`
	}
	if d.Rationale != "" {
		text += " — " + clean(d.Rationale)
	}
	if d.Tradeoffs != "" {
		text += " (trade-offs: " + clean(d.Tradeoffs) + ")"
	}
	for _, r := range d.Rejected {
		text += "; not " + clean(r.Option)
		if r.Reason != "" {
			text += " (" + clean(r.Reason) + ")"
		}
	}
	return text
}

func statementLines(list []distiller.Statement) []line {
	var out []line
	for _, s := range list {
		if text := clean(s.Text); text != "" {
			out = append(out, line{text: "- " + text, source: s.Source})
		}
	}
	return out
}

func actionLines(f distiller.Facts) []line {
	var out []line
	for _, a := range f.Actions {
		out = append(out, line{text: "- " + clean(a.Who) + " — " + clean(a.What), source: a.Source})
	}
	return out
}

// referenceLines puts several short references on a line.
func referenceLines(f distiller.Facts) []line {
	var out []line
	for _, r := range f.References {
		text := clean(r.Text)
		if text == "" {
			continue
		}
		if n := len(out) - 1; n >= 0 && len([]rune(out[n].text+text)) < maxWidth-40 {
			out[n].text += " · " + text
			continue
		}
		out = append(out, line{text: "- " + text, source: r.Source})
	}
	return out
}

// nextLines are the next action and, where it is an answer, what it chooses
// from.
func nextLines(f distiller.Facts) []line {
	if f.Next == nil {
		return nil
	}
	out := []line{{text: clean(f.Next.Text), source: f.Next.Source}}
	if f.Turn == nil {
		return out
	}
	if last := lastSteps(f.Turn.Last); last != "" {
		out = append(out, line{text: "Just before: " + last, source: f.Turn.Source})
	}
	if f.Turn.Asked == nil {
		return out
	}
	asked := f.Turn.Asked
	if asked.Context != "" {
		out = append(out, line{text: "About: " + clean(asked.Context), source: asked.Source})
	}
	var options []string
	for _, o := range asked.Options {
		text := clean(o.Label) + ") " + clean(o.Text)
		if o.Recommended {
			text += " (recommended)"
		}
		options = append(options, text)
	}
	if len(options) > 0 {
		for _, l := range wrap("Options: "+strings.Join(options, "; "), maxWidth, 4) {
			out = append(out, line{text: l, source: asked.Source})
		}
	}
	return out
}

// elided shortens a text in its middle: a command ends with what it is about.
func elided(s string, n int) string {
	letters := []rune(s)
	if len(letters) <= n {
		return s
	}
	return string(letters[:n/3]) + "…" + string(letters[len(letters)-n*2/3:])
}

// lastSteps are the last calls with what came of them, on one line.
func lastSteps(list []distiller.Step) string {
	var parts []string
	for _, step := range list {
		text := code(elided(step.What, 70), 80) + " " + fallback(clean(step.Outcome), "no result yet")
		if step.Error != "" {
			text += ": " + code(step.Error, 60)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// shortRef is how a session is named on the command line: enough of its id to
// be the only one.
func shortRef(session string) string {
	session = clean(path.Base(session))
	if len(session) == 36 && session[8] == '-' {
		if session[14] == '7' { // the first half of such an id is a clock
			return session[:13]
		}
		return session[:8]
	}
	return cut(session, 40)
}
