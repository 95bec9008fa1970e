package render

import (
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

// The snapshot of the last compaction stands between these marks in the long document;
// only the text between them is ever replaced.
const (
	SnapshotStart = "<!--CARRYOVER:SNAPSHOT:START-->"
	SnapshotEnd   = "<!--CARRYOVER:SNAPSHOT:END-->"
)

// maxLong is how long one line of the long document may be, in runes: the
// words of a decision stand whole.
const maxLong = 1000

// Ledger renders the long document of a session, without its snapshot. Sections
// that have nothing to say are left out. warning is said below the title: what
// could not be read.
func Ledger(c distiller.Chronicle, warning string) string {
	d := &longDocument{}
	d.line("# Session: %s", sessionName(c.Facts))
	if !c.Updated.IsZero() {
		d.line("Updated: %s from %s", stamp(c.Facts), d.text(fallback(c.Tool, "unknown tool")))
	}
	if warning != "" {
		d.line("Warning: %s", d.text(warning))
	}
	d.goal(c.Task)
	user, found := splitConstraints(c.Constraints)
	d.list("## Constraints", statementTexts(user))
	d.progress(c)
	d.decisions(c.Decisions)
	d.discovered(found)
	d.active(c)
	d.operations(c)
	d.next(c)
	return d.String()
}

type longDocument struct{ strings.Builder }

func (d *longDocument) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

// text cleans a piece of a transcript and bounds it.
func (d *longDocument) text(s string) string { return inner(width.Truncate(clean(s), maxLong)) }

func (d *longDocument) heading(title string) { d.line("\n%s", title) }

// list writes a heading with its entries, nothing when there are none.
func (d *longDocument) list(title string, entries []string) {
	if len(entries) == 0 {
		return
	}
	d.heading(title)
	for _, e := range entries {
		d.line("- %s", d.text(e))
	}
}

func sessionName(f distiller.Facts) string {
	switch {
	case f.Title != "":
		return width.Truncate(clean(f.Title), 120)
	case f.Task != nil:
		return width.Truncate(clean(f.Task.Text), 80)
	}
	if f.Session == "" {
		return "unnamed"
	}
	return shortRef(f.Session)
}

func (d *longDocument) goal(t *distiller.Task) {
	if t == nil {
		return
	}
	d.heading("## Goal")
	if t.Goal != "" {
		d.line("%s", d.text(t.Goal))
		d.line("\nLast request: %s", d.text(t.Text))
		return
	}
	d.line("%s", d.text(t.Text))
}

// splitConstraints tells what the person demanded from what was found.
func splitConstraints(all []distiller.Statement) (user, found []distiller.Statement) {
	for _, s := range all {
		if strings.HasPrefix(s.Text, "user: ") {
			user = append(user, s)
		} else {
			found = append(found, s)
		}
	}
	return user, found
}

func statementTexts(list []distiller.Statement) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.Text)
	}
	return out
}

// progress writes the steps, commits among them, as task lists, and the branch.
func (d *longDocument) progress(c distiller.Chronicle) {
	groups := []struct{ title, states, mark string }{
		{"### Done", "done", "x"}, {"### In Progress", "doing todo", " "}, {"### Blocked", "blocked", " "},
	}
	written := false
	for _, g := range groups {
		begun := false
		for _, p := range c.Progress {
			if !strings.Contains(g.states, p.State) || p.State == "" {
				continue
			}
			if !written {
				d.heading("## Progress")
				written = true
			}
			if !begun {
				d.line("%s", g.title)
				begun = true
			}
			d.line("- [%s] %s", g.mark, d.text(p.Text))
		}
	}
	if c.Git != nil && c.Git.Branch != "" {
		if !written {
			d.heading("## Progress")
		}
		d.line("Branch: %s", d.text(c.Git.Branch+" "+c.Git.Head))
	}
}

func (d *longDocument) decisions(list []distiller.Decision) {
	if len(list) == 0 {
		return
	}
	d.heading("## Decision History")
	for _, dec := range list {
		topic := fallback(fallback(dec.Topic, dec.Question), strings.Join(dec.Chosen, "; "))
		d.line("### %s", width.Truncate(clean(topic), 120))
		d.field("Question", dec.Question)
		d.field("Options", strings.Join(dec.Options, ", "))
		d.field("Chosen", strings.Join(dec.Chosen, "; "))
		d.field("Rationale", dec.Rationale)
		d.field("Trade-offs", dec.Tradeoffs)
		for _, r := range dec.Rejected {
			d.field("Rejected", strings.TrimSuffix(r.Option+": "+r.Reason, ": "))
		}
		d.field("Kind", dec.Kind+sourceOf(dec.Source))
	}
}

func (d *longDocument) field(name, value string) {
	if text := d.text(value); text != "" {
		d.line("- %s: %s", name, text)
	}
}

// sourceOf says where a fact stands.
func sourceOf(src distiller.Source) string {
	if src.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d)", src.Line)
}

func (d *longDocument) discovered(list []distiller.Statement) {
	if len(list) == 0 {
		return
	}
	d.heading("## Discovered Constraints")
	for _, s := range list {
		how := "said by the agent"
		if strings.HasPrefix(s.Text, "`") {
			how = "this form of the command worked"
		}
		d.line("- %s: %s%s", d.text(s.Text), how, sourceOf(s.Source))
	}
}

func (d *longDocument) active(c distiller.Chronicle) {
	if len(c.Plans) == 0 && len(c.Designs) == 0 {
		return
	}
	d.heading("## Active Context")
	if len(c.Plans) > 0 {
		d.line("### Working Plan")
	}
	for _, p := range c.Plans {
		text := fallback(p.Path, p.Name)
		switch {
		case p.Missing:
			text += ": missing, the file is gone"
		case p.Total > 0:
			text += fmt.Sprintf(": %d/%d tasks", p.Done, p.Total)
		}
		d.line("- %s", d.text(text))
	}
	if len(c.Designs) > 0 {
		d.line("### Design Reference")
	}
	for _, design := range c.Designs {
		text := design.Path
		switch {
		case design.Sought:
			text += ": looked for and not found"
		case design.Missing:
			text += ": missing, the file is gone"
		}
		d.line("- %s", d.text(text))
	}
}

func (d *longDocument) operations(c distiller.Chronicle) {
	if len(c.Read) == 0 && len(c.Modified) == 0 {
		return
	}
	d.heading("## File Operations")
	if len(c.Read) > 0 {
		d.line("### Read")
	}
	for _, f := range c.Read {
		d.line("- %s", d.text(f.Path))
	}
	if len(c.Modified) > 0 {
		d.line("### Modified")
	}
	for _, f := range c.Modified {
		d.line("- %s", d.text(describeFile(f)+": "+doneTo(f)))
	}
}

// next are the steps in order: the one to take, then what is still to do, what
// to check and what nobody answered.
func (d *longDocument) next(c distiller.Chronicle) {
	var steps []string
	if c.Next != nil {
		steps = append(steps, c.Next.Text)
	}
	for _, p := range c.Progress {
		if (p.State == "doing" || p.State == "todo") && (c.Next == nil || !strings.HasPrefix(strings.ToLower(c.Next.Text), strings.ToLower(p.Text))) {
			steps = append(steps, p.Text)
		}
	}
	for _, s := range c.Verify {
		steps = append(steps, "verify: "+s.Text)
	}
	for _, s := range c.Questions {
		steps = append(steps, "answer: "+s.Text)
	}
	if len(steps) == 0 {
		return
	}
	d.heading("## Next Steps")
	for i, s := range steps {
		d.line("%d. %s", i+1, d.text(s))
	}
}
