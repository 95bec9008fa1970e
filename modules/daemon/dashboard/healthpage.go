package dashboard

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/coverage"
	"github.com/carryover-go/carryover/modules/daemon/dashboard/picture"
	"github.com/carryover-go/carryover/modules/daemon/hookstats"
	"github.com/carryover-go/carryover/modules/ledger"
)

// healthPages are the page of what works and what does not.
type healthPages struct{ *Page }

// healthPage is what the checks found, which hooks come and how much is understood.
type healthPage struct {
	Health   healthView
	Hooks    []hookedTool
	Coverage []coverage.Tool
}

// hookedTool is a tool with its hooks that came.
type hookedTool struct {
	Tool  string
	Count int
	Hooks []firedHook
	Took  picture.Histogram // how long their answers took
}

// firedHook is one hook.
type firedHook struct {
	Event string
	hookstats.Seen
}

// Half is the time within which half of the answers came, "" when it is not known.
func (h firedHook) Half() string { return within(h.Took, 0.5) }

// Most is that of nineteen in twenty.
func (h firedHook) Most() string { return within(h.Took, 0.95) }

func within(took hookstats.Latencies, share float64) string {
	switch bound := took.Within(share); {
	case took.Total() == 0:
		return ""
	case bound == 0:
		return fmt.Sprintf("> %d ms", took.Bound(len(took)-2).Milliseconds())
	default:
		return fmt.Sprintf("≤ %d ms", bound.Milliseconds())
	}
}

func (p healthPages) health(r *http.Request) (screen, error) {
	data := healthPage{Health: p.Page.health.view(p.Now()), Hooks: hookedTools(p.Hooks())}
	var err error
	data.Coverage, err = p.coverage(r.Context())
	return screen{template: "health", title: "Health", at: "health", data: data}, err
}

// hookedTools lists the hooks that came, those of the busiest tool first.
func hookedTools(counts hookstats.Counts) []hookedTool {
	var tools []hookedTool
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		tool := hookedTool{Tool: name}
		var took hookstats.Latencies
		for _, event := range slices.Sorted(maps.Keys(counts[name])) {
			seen := counts[name][event]
			tool.Hooks = append(tool.Hooks, firedHook{event, seen})
			tool.Count += seen.Count
			took.Add(seen.Took)
		}
		slices.SortStableFunc(tool.Hooks, func(a, b firedHook) int { return b.Count - a.Count })
		tool.Took = latencyChart(took)
		tools = append(tools, tool)
	}
	slices.SortStableFunc(tools, func(a, b hookedTool) int { return b.Count - a.Count })
	return tools
}

// latencyChart draws how long answers took.
func latencyChart(took hookstats.Latencies) picture.Histogram {
	classes := make([]picture.Class, len(took))
	for class, n := range took {
		name := strconv.FormatInt(took.Bound(class).Milliseconds(), 10)
		if took.Bound(class) == 0 {
			name = "more"
		}
		classes[class] = picture.Class{Name: name, Count: n}
	}
	return picture.HistogramOf(classes)
}

// coverage joins what was understood of each tool with the versions that wrote it.
func (p healthPages) coverage(ctx context.Context) ([]coverage.Tool, error) {
	list, err := p.Ledger.Coverage(ctx)
	if err != nil {
		return nil, err
	}
	sessions, err := p.Ledger.Sessions(ctx, ledger.SessionFilter{})
	if err != nil {
		return nil, err
	}
	return coverage.Of(list, sessions), nil
}
