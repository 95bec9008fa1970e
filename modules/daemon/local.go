package daemon

import (
	"context"
	"maps"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

var (
	_ view.Service = (*Pipeline)(nil)
	_ view.Service = local{}
)

// Import reads history on disk.
func (p *Pipeline) Import(ctx context.Context, request view.ImportRequest, progress view.Progress) (view.ImportResult, error) {
	return p.ingest.ImportHistory(ctx, request, progress)
}

// Digest is a fingerprint of all events.
func (p *Pipeline) Digest(ctx context.Context) (ledger.Digest, error) { return p.Log.Digest(ctx) }

// Changes says in which sessions something happens, until the context ends.
func (p *Pipeline) Changes(ctx context.Context) (<-chan view.Change, error) {
	return p.feed.listen(ctx), nil
}

// Tools are the names of all tools of the table.
func (p *Pipeline) Tools() []string {
	var names []string
	for _, spec := range p.Table.All() {
		names = append(names, spec.Tool)
	}
	return names
}

// local is the service of a running daemon: the pipeline's, and what only a
// daemon does besides.
type local struct {
	*Pipeline
	daemon *Daemon
}

// Import reads history while the daemon holds the ledger. Who asks for it goes
// on with it: what it brought is published at once, and what lies in a project
// that was not known before is watched from now on.
func (l local) Import(ctx context.Context, request view.ImportRequest, progress view.Progress) (view.ImportResult, error) {
	l.Zap.Info("import asked for", zap.String("tool", request.Tool), zap.String("root", request.Root))
	result, err := l.Pipeline.Import(ctx, request, progress)
	l.daemon.scanProjects(ctx)
	l.daemon.schedule.publishWaiting(context.WithoutCancel(ctx))
	return result, err
}

// Status adds the hooks that no spec knows.
func (l local) Status(ctx context.Context) (view.Status, error) {
	status, err := l.Pipeline.Status(ctx)
	l.daemon.mu.Lock()
	defer l.daemon.mu.Unlock()
	status.UnknownHooks = maps.Clone(l.daemon.unknown)
	return status, err
}
