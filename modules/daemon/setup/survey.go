package setup

import (
	"context"
	"sync"

	"github.com/carryover-go/carryover/toolspecs"
)

// Survey looks for every tool of the table, in its order. The version commands
// run side by side: some take a second.
func Survey(ctx context.Context, table *toolspecs.Table) []Detection {
	specs := table.All()
	found := make([]Detection, len(specs))
	var running sync.WaitGroup
	for i, spec := range specs {
		running.Go(func() { found[i] = Detect(ctx, spec) })
	}
	running.Wait()
	return found
}
