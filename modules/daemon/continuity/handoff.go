package continuity

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/carryover-go/carryover/modules/ledger"
)

// handoffID names a handoff by what it says, when and of whom. once tells two
// equal ones apart that a message has asked for.
func handoffID(h ledger.AgentHandoff, once string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		h.AgentName, h.CreatedAt.Format(time.RFC3339Nano), h.Summary, string(h.TriggerReason), h.TrajectoryID, once,
	}, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// sameHandoff says whether two handoffs tell the next agent the same.
func sameHandoff(a, b ledger.AgentHandoff) bool {
	content := func(h ledger.AgentHandoff) []any {
		return []any{
			h.TaskDescription, append([]string{}, h.CompletedWork...), append([]string{}, h.NextSteps...),
			append([]ledger.FileRange{}, h.FileReferences...), DecisionLines(h.Decisions),
		}
	}
	b = b.Redacted()
	return reflect.DeepEqual(content(a), content(b))
}

// summary says in one line what a ledger is about.
func summary(state ledger.AgentLedger) string {
	switch {
	case state.CurrentTask != "" && len(state.NextSteps) > 0:
		return state.CurrentTask + "; next: " + state.NextSteps[0]
	case state.CurrentTask != "":
		return state.CurrentTask
	case len(state.NextSteps) > 0:
		return "next: " + state.NextSteps[0]
	case len(state.Completed) > 0:
		return "done: " + state.Completed[len(state.Completed)-1]
	}
	return "work of " + state.AgentName
}

// handoffPath is where a handoff's file stands in .carryover: the day it was
// made, some words of its task, and the beginning of its id, for there may be
// several of one task a day.
func handoffPath(h ledger.AgentHandoff) string {
	return fmt.Sprintf("handoffs/%s/%s-%s-%s.md", h.AgentName, h.CreatedAt.Format(time.DateOnly), slug(or(h.TaskDescription, h.Summary)), h.ID[:4])
}

// slug is the first words of a text as part of a file name.
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	var b strings.Builder
	for _, word := range words[:min(6, len(words))] {
		if b.Len()+len(word) > 48 {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('-')
		}
		b.WriteString(word)
	}
	return or(b.String(), "handoff")
}

// frontMatter is the head of a handoff's file.
type frontMatter struct {
	ID         string   `yaml:"id"`
	Agent      string   `yaml:"agent"`
	CLI        string   `yaml:"cli,omitempty"`
	Created    string   `yaml:"created"`
	Trigger    string   `yaml:"trigger"`
	Related    []string `yaml:"related,omitempty,flow"`
	Trajectory string   `yaml:"trajectory,omitempty"`
	Phase      string   `yaml:"phase,omitempty"`
	Confidence float64  `yaml:"confidence,omitempty"`
}

// Markdown is the file of a handoff: front matter, then a section for each
// field that says something.
func Markdown(h ledger.AgentHandoff) string {
	h = h.Redacted()
	head, err := yaml.Marshal(frontMatter{
		ID: h.ID, Agent: h.AgentName, CLI: h.CLI, Created: h.CreatedAt.UTC().Format(time.RFC3339), Trigger: string(h.TriggerReason),
		Related: h.RelatedHandoffs, Trajectory: h.TrajectoryID, Phase: h.PderoPhase, Confidence: h.Confidence,
	})
	if err != nil {
		panic(err) // strings and numbers can always be written
	}
	var b strings.Builder
	fmt.Fprintf(&b, "---\n%s---\n\n# %s\n", head, oneLine(or(h.TaskDescription, h.Summary)))
	if h.Summary != "" && h.Summary != h.TaskDescription {
		fmt.Fprintf(&b, "\n%s\n", oneLine(h.Summary))
	}
	for _, section := range []struct {
		title string
		lines []string
	}{
		{"Completed", h.CompletedWork},
		{"Next steps", h.NextSteps},
		{"Decisions", DecisionLines(h.Decisions)},
		{"Files", FileLines(h.FileReferences)},
		{"Learnings", h.Learnings},
	} {
		if len(section.lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", section.title)
		for _, line := range section.lines {
			fmt.Fprintf(&b, "- %s\n", oneLine(line))
		}
	}
	return b.String()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// indented is JSON for people: two spaces, and no escapes for < and >.
func indented(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return b.Bytes(), err
}
