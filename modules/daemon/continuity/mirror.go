package continuity

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/carryover-go/carryover/modules/ledger"
)

// ParseLedger reads what Keeper writes of an agent's ledger. name is the file's.
func ParseLedger(name string, data []byte) (ledger.AgentLedger, error) {
	var l ledger.AgentLedger
	if err := json.Unmarshal(data, &l); err != nil {
		return l, fmt.Errorf("read %s: %w", name, err)
	}
	if !ledger.ValidAgent(l.AgentName) || path.Base(name) != l.AgentName+".json" {
		return l, fmt.Errorf("read %s: not the notes of %q", name, l.AgentName)
	}
	return l, nil
}

// ParseHandoff reads what Markdown writes. Texts come back on one line, and a
// decision with all that was said of it in its first part.
func ParseHandoff(name string, data []byte) (ledger.AgentHandoff, error) {
	var h ledger.AgentHandoff
	_, rest, _ := strings.Cut(string(data), "---\n")
	head, body, ok := strings.Cut(rest, "\n---\n")
	var front frontMatter
	if !ok || yaml.Unmarshal([]byte(head), &front) != nil || !ledger.ValidAgent(front.Agent) || !handoffIDs.MatchString(front.ID) {
		return h, fmt.Errorf("read %s: not a handoff", name)
	}
	made, err := time.Parse(time.RFC3339, front.Created)
	if err != nil {
		return h, fmt.Errorf("read %s: %w", name, err)
	}
	h = ledger.AgentHandoff{
		ID: front.ID, AgentName: front.Agent, CLI: front.CLI, CreatedAt: made, TriggerReason: ledger.Trigger(front.Trigger),
		RelatedHandoffs: front.Related, TrajectoryID: front.Trajectory, PderoPhase: front.Phase, Confidence: front.Confidence,
	}
	readSections(&h, body)
	return h, nil
}

var handoffIDs = regexp.MustCompile(`^[0-9a-f]{12}$`)

// readSections reads the text below the front matter.
func readSections(h *ledger.AgentHandoff, body string) {
	section := ""
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		switch item, isItem := strings.CutPrefix(line, "- "); {
		case strings.HasPrefix(line, "## "):
			section = line[3:]
		case section == "" && strings.HasPrefix(line, "# "):
			h.TaskDescription = line[2:]
		case section == "" && line != "" && h.Summary == "":
			h.Summary = line
		case !isItem:
		case section == "Completed":
			h.CompletedWork = append(h.CompletedWork, item)
		case section == "Next steps":
			h.NextSteps = append(h.NextSteps, item)
		case section == "Decisions":
			h.Decisions = append(h.Decisions, ledger.AgentChose{Decision: item})
		case section == "Files":
			h.FileReferences = append(h.FileReferences, fileRange(item))
		case section == "Learnings":
			h.Learnings = append(h.Learnings, item)
		}
	}
	h.Summary = or(h.Summary, h.TaskDescription)
}

var lineRange = regexp.MustCompile(`^(.+):(\d+(?:-\d+)?)$`)

func fileRange(text string) ledger.FileRange {
	if found := lineRange.FindStringSubmatch(text); found != nil {
		return ledger.FileRange{Path: found[1], Lines: found[2]}
	}
	return ledger.FileRange{Path: text}
}
