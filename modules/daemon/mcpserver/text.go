package mcpserver

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// How much of one event an answer repeats, in runes. The whole stands in the
// transcript, and `show` with a line has more of it.
const (
	briefText = 240
	lineText  = 4000
	dayLength = len("2026-03-02")
)

// answer is a result of text alone: a model reads no field twice.
func answer(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.TrimRight(text, "\n")}}}
}

// searchText lists hits below the session they stand in, best session first.
func searchText(found view.SearchResult) string {
	var b strings.Builder
	switch {
	case len(found.Hits) == 0 && found.Suggestion != "":
		return fmt.Sprintf("Nothing found. Try %q.", found.Suggestion)
	case len(found.Hits) == 0:
		return "Nothing found. Try fewer words, or a prefix*."
	case len(found.Hits) < found.Total:
		fmt.Fprintf(&b, "%d of %d hits, best first.\n", len(found.Hits), found.Total)
	}
	var order []string
	lines := map[string][]string{}
	for _, hit := range found.Hits {
		head := headOf(hit)
		if lines[head] == nil {
			order = append(order, head)
		}
		lines[head] = append(lines[head], fmt.Sprintf("  %s %s", place(hit.Kind, hit.Source), oneLine(hit.Snippet, briefText)))
	}
	for _, head := range order {
		fmt.Fprintf(&b, "%s\n%s\n", head, strings.Join(lines[head], "\n"))
	}
	return b.String()
}

// headOf names where a hit stands: a session, or what a named agent left.
func headOf(hit view.SearchHit) string {
	if hit.Agent != "" {
		return "agent " + hit.Agent
	}
	return strings.TrimSpace(hit.Tool + " " + render.ShortID(hit.Session) + " " + day(hit.Time))
}

// place is a kind with its line: "prompt:12".
func place(kind string, at view.Location) string {
	if at.Line > 0 {
		return fmt.Sprintf("%s:%d", kind, at.Line)
	}
	return kind
}

// sessionText is a session with some of its events, a line each; room bounds the
// text of one.
func sessionText(session view.Session, events []view.Event, earlier, room int) string {
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(strings.Fields(strings.Join([]string{
		session.Tool, render.ShortID(session.Session), path.Base(cmp.Or(session.Project, "-")), session.Branch, day(session.Last), session.Title,
	}, " ")), " "))
	if earlier > 0 {
		fmt.Fprintf(&b, "(%d earlier events)\n", earlier)
	}
	for _, event := range events {
		if text := eventText(event); text != "" {
			fmt.Fprintf(&b, "%s %s\n", place(string(event.Kind), event.Source), oneLine(text, room))
		}
	}
	return b.String()
}

// eventText is what an event says, "" when it says nothing to a model.
func eventText(event view.Event) string {
	switch {
	case event.Call != nil:
		call := event.Call
		return strings.Join([]string{call.Name, cmp.Or(call.Command, strings.Join(call.Paths, " ")+" "+call.Detail)}, " ")
	case event.Result != nil:
		said := "ok"
		if event.Result.Failed {
			said = "failed"
		}
		if code := event.Result.ExitCode; code != nil && *code != 0 {
			said += fmt.Sprintf(" (exit %d)", *code)
		}
		return said + " " + event.Result.Text
	case event.Decision != nil:
		return decisionText(view.Decision{Decision: *event.Decision})
	case len(event.Items) > 0:
		items := make([]string, len(event.Items))
		for i, item := range event.Items {
			items[i] = "[" + item.State + "] " + item.Text
		}
		return strings.Join(items, "; ")
	}
	return event.Text
}

// decisionsText is what the current handoff says of decisions, then what was
// recorded and is not said there.
func decisionsText(handoff string, list []view.Decision) string {
	var b strings.Builder
	handed := section(handoff, "Decisions")
	if handed != "" {
		fmt.Fprintf(&b, "In force, as the handoff lists them:\n%s\n", handed)
	}
	recorded := slices.DeleteFunc(slices.Clone(list), func(one view.Decision) bool { return isHanded(handed, one) })
	for i, one := range recorded {
		if i == 0 {
			b.WriteString("Recorded, newest first:\n")
		}
		fmt.Fprintf(&b, "- %s (%s %s:%d %s)\n", briefDecision(one), one.Tool, render.ShortID(one.Session), one.Source.Line, day(one.Time))
	}
	if b.Len() == 0 {
		return "No decision is recorded in this project."
	}
	return b.String()
}

// handedRunes is how much of a question a handoff says at least, where it has room for
// its decision.
const handedRunes = 60

// isHanded says whether the handoff's decisions hold one: its question, and what was
// chosen.
func isHanded(handed string, one view.Decision) bool {
	handed = strings.Join(strings.Fields(handed), " ")
	for _, text := range append([]string{cmp.Or(one.Question, one.Topic)}, one.Chosen...) {
		runes := []rune(strings.Join(strings.Fields(text), " "))
		if len(runes) == 0 || !strings.Contains(handed, string(runes[:min(len(runes), handedRunes)])) {
			return false
		}
	}
	return true
}

// briefDecision is a decision in one line: a long question leaves room for what was
// chosen, and for why.
func briefDecision(one view.Decision) string {
	one.Question, one.Topic = oneLine(cmp.Or(one.Question, one.Topic), briefText/2), ""
	one.Chosen = []string{oneLine(strings.Join(one.Chosen, ", "), briefText/2)}
	if one.Chosen[0] == "" {
		one.Chosen = nil
	}
	one.Rationale = oneLine(one.Rationale, briefText/2)
	return oneLine(decisionText(one), 2*briefText)
}

// decisionText is a decision in one line.
func decisionText(one view.Decision) string {
	text := cmp.Or(one.Question, one.Topic)
	if len(one.Chosen) > 0 {
		text += " -> " + strings.Join(one.Chosen, ", ")
	}
	if one.Rationale != "" {
		text += ", because " + one.Rationale
	}
	for _, refused := range one.Rejected {
		text += "; not " + refused.Option
	}
	return text
}

// blameText lists changes of a file.
func blameText(blame view.Blame) string {
	if len(blame.Items) == 0 {
		return "No captured session changed " + blame.Path + "."
	}
	var b strings.Builder
	for _, item := range blame.Items {
		fmt.Fprintf(&b, "%s ×%d %s %s:%d %s\n", item.Change, item.Calls, item.Tool, render.ShortID(item.Session), item.Source.Line, day(item.Time))
		if item.Request != "" {
			fmt.Fprintf(&b, "  for: %s\n", oneLine(item.Request, briefText))
		}
		for _, decision := range item.Decisions {
			fmt.Fprintf(&b, "  decided: %s\n", oneLine(decision, briefText))
		}
	}
	return b.String()
}

// openWorkText lists threads of work, a few lines each.
func openWorkText(work view.OpenWork) string {
	if len(work.Items) == 0 {
		return "Nothing is open."
	}
	var b strings.Builder
	for _, t := range work.Items {
		fmt.Fprintf(&b, "%s: %s (%s %s %s %s)\n", t.State, oneLine(t.Task, briefText), t.Tool, render.ShortID(t.Session), path.Base(cmp.Or(t.Project, "-")), day(t.Last))
		for _, line := range [][2]string{{"outcome", t.Outcome}, {"turn", t.TurnText}, {"next", t.Next}} {
			if line[1] != "" {
				fmt.Fprintf(&b, "  %s: %s\n", line[0], oneLine(line[1], briefText))
			}
		}
	}
	return b.String()
}

// section is what stands below a heading of a handoff.
func section(handoff, title string) string {
	_, rest, found := strings.Cut(handoff, "\n## "+title+"\n")
	if !found {
		return ""
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return strings.TrimSpace(text)
}

// oneLine is a text on one line, cut to so many runes.
func oneLine(text string, room int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > room {
		return string(runes[:room-1]) + "…"
	}
	return string(runes)
}

// day is the date of a timestamp.
func day(stamp string) string { return stamp[:min(dayLength, len(stamp))] }
