package render

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

// line is one line of a section before the budget: the text and the place of
// the fact it tells.
type line struct {
	text   string
	source distiller.Source
	shared []distiller.Source // of the further entries on the line
	torn   bool               // goes on with the line before it
	below  bool               // written after the other lines of its section, whatever its worth
	worth  float64            // more than its place in the section gives it; 0 for none
	quoted bool               // of the request that may be shown in parts
	label  string             // what the text begins with, said once for entries that share a line
	group  string             // entries of one group share a line, "" for none
	begins *flowing           // the text over several lines that begins here
}

// section is a heading with its lines, best first.
type section struct {
	title  string
	lines  []line
	weight float64 // worth of its first line; later ones are worth less
	decay  float64 // how fast
	pack   bool    // all entries share lines
}

// What the first line of a section is worth without which the section would be
// gone: more than all but the task, the next action and the best lines of
// progress and files.
const (
	reservedRecap   = 90
	reservedFailure = 80
	reservedCheck   = 77
	reservedWorth   = 76
)

// reserved keeps the first line of a section.
func reserved(lines []line, worth float64) []line {
	if len(lines) > 0 {
		lines[0].worth = worth
	}
	return lines
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
		{title: "Noted by the tool itself", lines: recapLines(f), weight: 34, decay: .7},
		{title: "Progress", lines: progressLines(f), weight: 100, decay: .945},
		{title: "Recent files", lines: fileLines(f), weight: 88, decay: .965},
		{title: "Failed approaches", lines: failureLines(f), weight: 80, decay: .92, pack: true},
		{title: "Commands that work here", lines: reserved(workLines(f), reservedWorth), weight: 70, decay: .85, pack: true},
		{title: "Decisions", lines: decisionLines(f), weight: 92, decay: .95, pack: true},
		{title: "Constraints", lines: statementLines(f.Constraints), weight: 80 * soft, decay: .90, pack: true},
		{title: "Open questions", lines: reserved(statementLines(f.Questions), reservedWorth), weight: 80, decay: .94, pack: true},
		{title: "Action items", lines: actionLines(f), weight: 40 * soft, decay: .85},
		{title: "References", lines: reserved(statementLines(f.References), reservedWorth), weight: 46 * soft, decay: .8, pack: true},
		{title: "Next action", lines: nextLines(f), weight: 900, decay: 1},
		{title: "Verify first", lines: reserved(append(statementLines(f.Verify), gitLines(f)...), reservedCheck), weight: 62, decay: .88, pack: true},
		{title: "To undo", lines: statementLines(f.Undo), weight: 50, decay: .8, pack: true},
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.lines) == 0 })
}

func failureLines(f distiller.Facts) []line {
	var out []line
	for _, fl := range f.Failures {
		text, what, why, solved := "- ", 90, maxOutput, 60
		if fl.Ended != "" { // that it failed, and how: one seldom goes back to it
			text, what, why, solved = "- "+clean(fl.Ended)+": ", 50, 110, 40
		}
		text += code(fl.What, what)
		if fl.Count > 1 {
			text += fmt.Sprintf(", %d times", fl.Count)
			if fl.Differs {
				text += " for several reasons"
			}
		}
		if fl.Exit != 0 {
			text += fmt.Sprintf(", exit code %d", fl.Exit)
		}
		if fl.Why != "" {
			text += ": " + code(fl.Why, why)
		}
		if fl.Ended == "" {
			text += alsoFailing(fl.Also, maxWidth-utf8.RuneCountInString(text))
		}
		if fl.Solved != "" {
			text += "; with " + code(instead(fl.What, fl.Solved, solved), solved)
		}
		out = append(out, line{text: text, source: fl.Source})
	}
	last := min(len(out), distiller.LastFailures)
	if limits, ok := limitLine(f.Limits); ok {
		limits.below = true
		out = slices.Insert(out, last, limits)
		last++
	}
	for i := range out[:last] {
		out[i].worth = reservedFailure
	}
	return out
}

// instead is a command that did what another one could not, without what both begin with
// where that would fill the room: what differs is what is worth knowing.
func instead(failed, worked string, room int) string {
	if utf8.RuneCountInString(worked) <= room {
		return worked
	}
	same := 0
	for same < min(len(failed), len(worked)) && failed[same] == worked[same] {
		same++
	}
	at := strings.LastIndexByte(worked[:same], ' ') + 1
	if same == len(failed) && strings.HasPrefix(worked[same:], " ") {
		at = same + 1 // it goes on where the other one ends
	}
	if at == 0 {
		return worked
	}
	return "… " + worked[at:]
}

// alsoFailing lists what a failing run names beside its reason, as far as so many characters
// of the line have room.
func alsoFailing(names []string, room int) string {
	const lead, count, least, most = len("; also ``"), len(" (+10)"), 20, 80
	if room = min(room-lead-count, most); room < least || len(names) == 0 {
		return ""
	}
	text := width.Truncate(names[0], room)
	for i, name := range names[1:] {
		if utf8.RuneCountInString(text+name) > room {
			return "; also " + code(fmt.Sprintf("%s (+%d)", text, len(names)-1-i), room+count)
		}
		text += ", " + name
	}
	return "; also " + code(text, room)
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
	return line{text: width.Truncate(text, maxWidth), source: limits[0].Source}, true
}

// workLines are the commands that work, by kind.
func workLines(f distiller.Facts) []line {
	var out []line
	for _, w := range f.Works {
		label := w.Kind + ": "
		if w.Kind == "instead" {
			label = "instead of a form that failed: "
		}
		out = append(out, entry(label, code(w.Command, 150), w.Source))
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
			text = "user: " + quote(width.Truncate(chosen, shownChoice))
		}
	case d.Kind == "prose" && strings.HasPrefix(chosen, distiller.Chose):
		text = "agent " + chosen
	case d.Kind == "prose":
		text = "agent: " + chosen
	case d.Kind == "plan" && subject != "":
		text = "plan: " + subject + " → " + fallback(chosen, "approved")
	case subject != "" && chosen != "":
		asked, picked := shownSubject, shownChoice
		switch said := utf8.RuneCountInString(d.Said); {
		case said > tellingSaid:
			picked = shownPicked
		case said+utf8.RuneCountInString(chosen) <= tellingSaid: // what was decided is in the question
			asked = shownAsked
		}
		text = width.Truncate(subject, asked) + ` → "` + width.Truncate(chosen, picked) + `"`
	case chosen == "":
		text = subject
	}
	if d.Said != "" {
		text += ` (user: ` + quote(width.Truncate(d.Said, shownSaid)) + `)`
	}
	if d.Rationale != "" {
		text += " — " + width.Truncate(clean(d.Rationale), shownSaid)
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

// How much of a decision stands in the handoff, in runes: several short ones are
// worth more than the whole of one.
const (
	shownSubject = 60
	shownAsked   = 80
	shownChoice  = 220
	shownSaid    = 220
	tellingSaid  = 40 // a longer answer says more than which option it picks
	shownPicked  = 60 // of the option then
)

// byUser begins a statement that the distiller quotes from the user.
const byUser = `user: `

// statement is the text of a statement, with the distiller's own word for whose
// it is.
func statement(text string) string {
	if rest, found := strings.CutPrefix(text, byUser); found && strings.HasPrefix(rest, `"`) {
		return byUser + clean(rest)
	}
	return clean(text)
}

func statementLines(list []distiller.Statement) []line {
	var out []line
	for _, s := range list {
		if text := statement(s.Text); text != "" {
			label := speaker(text)
			out = append(out, entry(label, text[len(label):], s.Source))
		}
	}
	return out
}

// speaker is what a statement begins with to say whose it is, "" for none.
func speaker(text string) string {
	for _, label := range []string{byUser, "agent: ", distiller.ProjectRules, distiller.CommandRules} {
		if strings.HasPrefix(text, label) {
			return label
		}
	}
	return ""
}

func actionLines(f distiller.Facts) []line {
	var out []line
	for _, a := range f.Actions {
		out = append(out, line{text: "- " + clean(a.Who) + " — " + clean(a.What), source: a.Source})
	}
	return out
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
	return width.Truncate(session, 40)
}
