package publish

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// ReportText is a session report without its snapshot. What is damaged is said in a
// warning: a partial report is better than none.
func (s *Service) ReportText(ctx context.Context, session ledger.Session) (text, warning string, err error) {
	chronicle, err := s.sessions.Chronicle(ctx, session)
	if err != nil {
		if ctx.Err() != nil {
			return "", "", err
		}
		warning = "the session could be read in part only: " + err.Error()
	}
	root := session.Worktree
	if root == "" {
		root = chronicle.Cwd
	}
	if root != "" {
		lookUp(root, &chronicle)
	}
	return render.Ledger(chronicle, warning), warning, nil
}

// maxPlanFile bounds the plan documents that are read, in bytes.
const maxPlanFile = 256 << 10

var checkbox = regexp.MustCompile(`(?m)^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s`)

// lookUp counts the steps of plan documents and says which documents are gone.
// Nothing outside of the worktree is looked at.
func lookUp(worktree string, c *distiller.Chronicle) {
	root, err := os.OpenRoot(worktree)
	if err != nil {
		return // the worktree is gone: nothing can be said about its files
	}
	defer func() { _ = root.Close() }()
	for i := range c.Plans {
		if c.Plans[i].Path != "" && filepath.IsLocal(c.Plans[i].Path) {
			countSteps(root, &c.Plans[i])
		}
	}
	for i := range c.Designs {
		if filepath.IsLocal(c.Designs[i].Path) {
			_, err := root.Stat(c.Designs[i].Path)
			c.Designs[i].Missing = os.IsNotExist(err)
		}
	}
}

func countSteps(root *os.Root, plan *distiller.Plan) {
	info, err := root.Stat(plan.Path)
	plan.Missing = os.IsNotExist(err)
	if err != nil || info.Size() > maxPlanFile || !info.Mode().IsRegular() {
		return
	}
	text, err := root.ReadFile(plan.Path)
	if err != nil {
		return
	}
	plan.Done, plan.Total = 0, 0
	for _, box := range checkbox.FindAllStringSubmatch(string(text), -1) {
		plan.Total++
		if strings.EqualFold(box[1], "x") {
			plan.Done++
		}
	}
}
