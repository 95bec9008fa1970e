package restore

import (
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/ledger"
)

// seen is the line for the person at a start, "" where there is nothing to say or
// nobody to read it.
func (s *Service) seen(m Material, row Row, text string) string {
	if m.Headless {
		return ""
	}
	lines := strings.Count(text, "\n")
	switch {
	case row.Give == Full:
		return s.announced(fmt.Sprintf("continued from %s, %s ago, %d lines. `carryover why`", s.toolName(m.From), display.Duration(m.age()), lines))
	case row.Give == Seam:
		return s.announced(fmt.Sprintf("the context was compacted; what was being worked on is given back, %d lines. `carryover seam`", lines))
	case row.Give == Pointer:
		return s.announced(fmt.Sprintf("the last work here is %s old and was not loaded. `carryover handoff`", display.Duration(m.age())))
	case row.Name == dismissedRow && m.Hook.Source != "resume":
		return s.announced("the last handoff was dismissed, so nothing is loaded. `carryover history`")
	}
	return ""
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
