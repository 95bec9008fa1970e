package daemon

import (
	"context"
	"maps"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

var _ view.Service = (*Services)(nil)

// Changes says in which sessions something happens, until the context ends.
func (p *Services) Changes(ctx context.Context) (<-chan view.Change, error) {
	return p.feed.listen(ctx), nil
}

// tools are the names of all tools of the table.
func (p *Services) tools() []string {
	var names []string
	for _, spec := range p.Table.All() {
		names = append(names, spec.Tool)
	}
	return names
}

// openable are the tools that `carryover switch` can open.
func (p *Services) openable() []string {
	var names []string
	for _, spec := range p.Table.All() {
		if spec.Launch != nil {
			names = append(names, spec.Tool)
		}
	}
	return names
}

// imported goes on with what an import brought: it is published at once, and
// what lies in a project that was not known before is watched from now on.
func (d *Daemon) imported(ctx context.Context) {
	d.scanProjects(ctx)
	d.schedule.publishWaiting(context.WithoutCancel(ctx))
}

// unknownHooks counts the hooks that no spec knows.
func (d *Daemon) unknownHooks() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.unknown)
}
