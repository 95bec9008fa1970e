package setup

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
)

// slowAfter is how long a program may take to say its version before it is named.
const slowAfter = 3 * time.Second

// Survey looks for the named tools, or for every tool of the table, in its
// order. The version commands run side by side: some take a second.
func Survey(ctx context.Context, table *toolspecs.Table, tools ...string) []Detection {
	return SurveySaying(ctx, table, func(string) {}, tools...)
}

// SurveySaying is Survey that names each program which has not answered for
// 3 seconds, while it waits for it.
func SurveySaying(ctx context.Context, table *toolspecs.Table, slow func(name string), tools ...string) []Detection {
	specs := slices.DeleteFunc(slices.Clone(table.All()), (*toolspecs.Spec).IsProtocol)
	if len(tools) > 0 {
		specs = slices.DeleteFunc(specs, func(s *toolspecs.Spec) bool { return !slices.Contains(tools, s.Tool) })
	}
	found := make([]Detection, len(specs))
	var running sync.WaitGroup
	for i, spec := range specs {
		running.Go(func() {
			late := time.AfterFunc(slowAfter, func() { slow(spec.Name) })
			defer late.Stop()
			found[i] = Detect(ctx, spec)
		})
	}
	running.Wait()
	return found
}
