package maintain

import (
	"context"
	"errors"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// ChangeProject moves a project to another path, or merges it into the one
// there.
func (m *Service) ChangeProject(ctx context.Context, request view.ProjectChangeRequest) (view.Project, error) {
	change := m.store.MoveProject
	if request.Merge {
		change = m.store.MergeProjects
	}
	project, err := change(ctx, request.From, request.To)
	if errors.Is(err, ledger.ErrNoProject) {
		return view.Project{}, view.NotFound(err.Error())
	}
	m.changed()
	return view.NewProject(project), err
}
