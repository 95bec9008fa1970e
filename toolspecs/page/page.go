// Package page renders what the specs say as the page docs/tools.md: what is
// done with each tool, and how each fact is known.
package page

import (
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
)

//go:generate sh -c "go run ../cmd/tools-page > ../../docs/tools.md"

const intro = `# Tools

What Carryover does with each agent tool today, and how that is known. This page is made of the specs in
` + "`toolspecs/tools`" + `: do not edit it, run ` + "`go generate ./toolspecs/page`" + `.

*Verified live*: the tool was run and what it wrote or sent was looked at. *Seen in files*: it stands in files that
people have. *By documents*: it is documented, or stands in public source, and was not tried. The source of each fact
is in ` + "`evidence.md`" + ` beside the tool's spec.

`

// live begins the table of what the scenarios prove. A test in
// integration/scenario holds the specs to what they run.
const live = `
## Proved live

Each *yes* is a scenario on the real program, with a stand-in for its model: its sessions are **read**, also with calls that failed; one that is
**resumed** is given nothing twice; what a **compaction** lost comes back; the handoff **reaches** the model of a new session, from
this agent to Claude Code and Codex and from them to it; a **subagent** is not given its parent's, or is told whose it is; each request holds it **once**.

| agent | read | resumed | after a compaction | injected | subagent | once |
|---|---|---|---|---|---|---|
`

const others = `| any other CLI | the terminal of ` + "`carryover run`" + ` | typed in at the start | whatever it reads | proved live |
`

// wrapped says what the tests prove of agents under `carryover run`. The tests
// in integration/scenario hold it to what they run.
const wrapped = `
## Under ` + "`carryover run`" + `

Each *yes* is a test on the real program, on a terminal, with a stand-in for its model; the script is a loop that reads lines.

| agent | manual save | pattern detection | search | auto-save | injection |
|---|---|---|---|---|---|
`

// proven is the rest of a row in that table.
const proven = " yes | yes | yes | yes | yes |\n"

// Render is the page for a table of specs.
func Render(table *toolspecs.Table) string {
	var page strings.Builder
	page.WriteString(intro)
	page.WriteString("| tool | capture | given to the next session | context files | known |\n|---|---|---|---|---|\n")
	for _, spec := range table.All() {
		fmt.Fprintf(&page, "| %s | %s | %s | %s | %s |\n", spec.Name, capture(spec), injection(spec), context(spec), standing(spec))
	}
	page.WriteString(others)
	page.WriteString(live)
	for _, spec := range table.All() {
		if spec.Proved != nil {
			page.WriteString("| " + spec.Name + " |")
			for _, feat := range toolspecs.Feats {
				page.WriteString(" " + spec.Proved[feat] + " |")
			}
			page.WriteString("\n")
		}
	}
	page.WriteString(wrapped)
	for _, spec := range table.All() {
		if spec.Terminal != nil && spec.Terminal.Wrapped != "" {
			page.WriteString("| " + spec.Tool + " |" + proven)
		}
	}
	page.WriteString("| a script of one's own |" + proven)
	for _, spec := range table.All() {
		section(&page, spec)
	}
	return page.String()
}

// standing says how far a tool is known.
func standing(spec *toolspecs.Spec) string {
	switch {
	case spec.Proved != nil:
		return "proved live"
	case toolspecs.Untested(spec):
		return "documented, untested"
	}
	return "looked at"
}

// section is what is known of one tool, and how.
func section(page *strings.Builder, spec *toolspecs.Spec) {
	fmt.Fprintf(page, "\n## %s\n\n", spec.Name)
	var ranges []string
	for _, known := range spec.Versions {
		ranges = append(ranges, known.Range)
	}
	fmt.Fprintf(page, "Versions whose settings are known: %s.\n\n", strings.Join(ranges, "; "))
	page.WriteString("| facts | how | version | date |\n|---|---|---|---|\n")
	for _, fact := range spec.Verified {
		fmt.Fprintf(page, "| %s | %s | %s | %s |\n", fact.Group, how(fact.How), fact.Version, fact.Date)
	}
	limits := spec.Versions[0].Limits
	if len(limits) == 0 {
		return
	}
	page.WriteString("\nWorth knowing:\n\n")
	for _, limit := range limits {
		fmt.Fprintf(page, "- %s\n", limit)
	}
}

// how says it in the page's words. What was checked in several ways is known from
// the best of them, with the rest behind it.
func how(text string) string {
	first, rest, more := strings.Cut(text, ";")
	words := map[string]string{"live": "verified live", "files": "seen in files", "documents": "by documents"}[strings.TrimSpace(first)]
	if words == "" {
		return text
	}
	if more {
		words += ";" + rest
	}
	return words
}

// capture says what is read of the tool's own, and whether its hooks help.
func capture(spec *toolspecs.Spec) string {
	if spec.Capture == "hook" {
		return "hooks only"
	}
	var parts []string
	seen := map[string]bool{}
	for _, source := range spec.Transcripts {
		part := code(source.Glob) + ", " + growth(source.Growth)
		if source.Role == "main" && !seen[part] {
			seen[part] = true
			parts = append(parts, part)
		}
	}
	for _, hook := range spec.Hooks {
		if hook.Wired {
			parts = append(parts, "hooks")
			break
		}
	}
	return strings.Join(parts, "; ")
}

func growth(name string) string {
	if words := map[string]string{"append": "appended to", "rewrite": "rewritten", "database": "a database"}[name]; words != "" {
		return words
	}
	return name
}

// injection says what carries the handoff into the next session.
func injection(spec *toolspecs.Spec) string {
	var starts, compactions []string
	for _, hook := range spec.Hooks {
		switch {
		case !hook.Wired:
		case hook.Gives("start"):
			starts = append(starts, code(hook.Event))
		case hook.Gives("cut"):
			compactions = append(compactions, code(hook.Event))
		}
	}
	text := strings.Join(starts, ", ")
	if len(compactions) > 0 {
		text += ", after a compaction " + strings.Join(compactions, ", ")
	}
	for _, settings := range spec.Versions[0].Settings {
		if settings.Entry != "" {
			text += "; " + code(settings.Entry) + " in " + code(settings.Key) + " of its settings"
		}
	}
	if text = strings.TrimPrefix(text, "; "); text == "" {
		return "nothing"
	}
	return text
}

func context(spec *toolspecs.Spec) string {
	if len(spec.Versions[0].Context.Reads) == 0 {
		return "none by itself"
	}
	var names []string
	for _, name := range spec.Versions[0].Context.Reads {
		names = append(names, code(name))
	}
	return strings.Join(names, ", ")
}

func code(text string) string { return "`" + text + "`" }
