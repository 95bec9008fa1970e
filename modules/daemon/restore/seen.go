package restore

import (
	"context"
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/ledger"
)

// seen is the line for the person at a start, "" where there is nothing to say or
// nobody to read it.
func (s *Service) seen(ctx context.Context, m Material, row Row, text string) string {
	if m.Headless {
		return ""
	}
	lines := strings.Count(text, "\n")
	switch {
	case row.Give == Full:
		return s.announced(fmt.Sprintf("continued from %s, %s ago, %d lines. `carryover why`", s.toolName(m.From), display.Duration(m.age()), lines) + limitNote(ctx, s, m))
	case row.Give == Seam:
		return s.announced(fmt.Sprintf("the context was compacted; what was being worked on is given back, %d lines. `carryover seam`", lines))
	case row.Name == otherPartRow:
		return s.announced(fmt.Sprintf("the last work here was done in another part of the project and was not loaded: %s. `carryover handoff`", m.OtherPart))
	case row.Give == Pointer:
		return s.announced(fmt.Sprintf("the last work here is %s old and was not loaded. `carryover handoff`", display.Duration(m.age())))
	case row.Name == dismissedRow && m.Hook.Source != "resume":
		return s.announced("the last handoff was dismissed, so nothing is loaded. `carryover history`")
	}
	return ""
}

// limitNote says that the session handed over stopped at a limit of the tool that starts
// now, and how to go on with another; "" when it did not.
func limitNote(ctx context.Context, s *Service, m Material) string {
	spec, err := s.Table.Lookup(m.From.Tool)
	if err != nil || m.From.Tool != m.Hook.Tool || m.Hook.Time.Sub(m.From.Last) > session.LimitFor {
		return ""
	}
	if _, hit, err := session.AtLimit(ctx, s.Store, spec, m.From.SessionKey); err != nil || !hit {
		return ""
	}
	tool := session.Elsewhere(s.Table, s.Projects.Choices.Tools, m.From.Tool)
	if tool == "" {
		return ". It stopped at a limit of " + spec.Name
	}
	return ". It stopped at a limit of " + spec.Name + ": `carryover switch " + tool + "` goes on elsewhere"
}

// announced begins a line as ours; "" where the user does not want any.
func (s *Service) announced(line string) string {
	if !s.Projects.Choices.Announce {
		return ""
	}
	return "Carryover: " + line
}

func (s *Service) toolName(session ledger.Session) string {
	if spec, err := s.Table.Lookup(session.Tool); err == nil {
		return spec.Name
	}
	return session.Tool
}
