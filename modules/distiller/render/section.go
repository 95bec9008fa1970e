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
}

// section is a heading with its lines, best first.
type section struct {
	title  string
	lines  []line
	weight float64 // worth of its first line; later ones are worth less
	decay  float64 // how fast
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
		{title: "Progress", lines: progressLines(f), weight: 60, decay: .93},
		{title: "Recent files", lines: fileLines(f), weight: 72, decay: .97},
		{title: "Failed approaches", lines: failureLines(f), weight: 80, decay: .92},
		{title: "Commands that work here", lines: workLines(f), weight: 56, decay: .82},
		{title: "Decisions", lines: decisionLines(f), weight: 64, decay: .97},
		{title: "Constraints", lines: statementLines(f.Constraints), weight: 44 * soft, decay: .88},
		{title: "Open questions", lines: statementLines(f.Questions), weight: 58, decay: .85},
		{title: "Action items", lines: actionLines(f), weight: 40 * soft, decay: .85},
		{title: "References", lines: referenceLines(f), weight: 46 * soft, decay: .8},
		{title: "Next action", lines: nextLines(f), weight: 900, decay: 1},
		{title: "Verify first", lines: statementLines(f.Verify), weight: 62, decay: .88},
		{title: "To undo", lines: statementLines(f.Undo), weight: 50, decay: .8},
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

func taskLines(f distiller.Facts) []line {
	if f.Task == nil {
		return nil
	}
	var out []line
	for _, l := range wrap(quote(f.Task.Text), maxWidth, 3) {
		out = append(out, line{text: l, source: f.Task.Source})
	}
	if f.Task.Goal != "" {
		for _, l := range wrap("Goal: "+quote(f.Task.Goal), maxWidth, 2) {
			out = append(out, line{text: l, source: f.Task.Source})
		}
	}
	return out
}

// progressLines puts what is being done first, then what is open, then what is
// done, newest first.
func progressLines(f distiller.Facts) []line {
	var out []line
	for _, state := range []string{"doing", "blocked", "todo", "done"} {
		for i := range f.Progress {
			p := f.Progress[i]
			if state == "done" {
				p = f.Progress[len(f.Progress)-1-i]
			}
			if p.State == state {
				out = append(out, line{text: "- " + state + ": " + clean(p.Text), source: p.Source})
			}
		}
	}
	return out
}

func fileLines(f distiller.Facts) []line {
	var out []line
	for _, file := range f.Files {
		out = append(out, line{text: "- " + describeFile(file), source: file.Source})
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
var namedAfter = [...]int{4, 7}

// namedLines are the lines of files that were named and not opened, those of
// one folder together: `src/cart/{a.go, b.go}`; guesses stand on the last one
// and say that they are. As many as fit, best first.
func namedLines(named []distiller.Named) []string {
	var lines []string
	for _, head := range [...]string{"- named, not opened yet: ", "- also named: "} {
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
		text = cut(subject, 150) + ` → "` + chosen + `"`
	case chosen == "":
		text = subject
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

func nextLines(f distiller.Facts) []line {
	if f.Next == nil {
		return nil
	}
	return []line{{text: clean(f.Next.Text), source: f.Next.Source}}
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
