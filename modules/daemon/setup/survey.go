package setup

import (
	"context"
	"slices"
	"sync"

	"github.com/carryover-go/carryover/toolspecs"
)

// Survey looks for the named tools, or for every tool of the table, in its
// order. The version commands run side by side: some take a second.
func Survey(ctx context.Context, table *toolspecs.Table, tools ...string) []Detection {
	specs := table.All()
	if len(tools) > 0 {
		specs = slices.DeleteFunc(slices.Clone(specs), func(s *toolspecs.Spec) bool { return !slices.Contains(tools, s.Tool) })
	}
	found := make([]Detection, len(specs))
	var running sync.WaitGroup
	for i, spec := range specs {
		running.Go(func() { found[i] = Detect(ctx, spec) })
	}
	running.Wait()
	return found
}
