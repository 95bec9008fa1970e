package restore

import (
	"context"
	"fmt"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// maxPartsRead bounds the sessions of which files are looked at for their part; of
// further ones only where they ran is.
const maxPartsRead = 8

// parts tells the parts of a project's sessions apart for one session that starts.
type parts struct {
	service  *Service
	patterns []string
	mine     session.Part
	read     int
}

// partsOf is how the session that starts sees its project.
func (s *Service) partsOf(m *Material) *parts {
	cwd := m.Hook.Cwd
	if m.Own.Cwd != "" { // a hook may come from where the agent has gone since
		cwd = m.Own.Cwd
	}
	return &parts{service: s, patterns: m.Choices.Parts, mine: session.PartOf(m.Identity.Worktree, cwd, m.Choices.Parts)}
}

// other is the part that another session worked in, where that is another than the
// starting one's; "" else, and where either is of the whole.
func (p *parts) other(ctx context.Context, from ledger.Session) session.Part {
	if p.mine == "" || from.Worktree == "" {
		return ""
	}
	ran := session.PartOf(from.Worktree, from.Cwd, p.patterns)
	if !ran.Apart(p.mine) && (ran != "" || len(p.patterns) == 0) {
		return ""
	}
	if p.read++; p.read <= maxPartsRead {
		facts, err := p.service.Sessions.Facts(ctx, from)
		if err != nil {
			return ""
		}
		ran = session.WorkedPart(from, facts, p.patterns)
	}
	if !ran.Apart(p.mine) {
		return ""
	}
	return ran
}

// OtherPartPointer is all that is said of a handoff of another part of the project.
func OtherPartPointer(facts distiller.Facts, age time.Duration, part session.Part) (string, error) {
	head := fmt.Sprintf("%s The newest work in this project (%s, %s ago) was done in another part of it and was not loaded. If it matters: .carryover/handoff.md\n",
		transcript.Sentinel, facts.Tool, Age(age))
	return render.Compose(head, []string{"The other part: " + string(part)}, "")
}
