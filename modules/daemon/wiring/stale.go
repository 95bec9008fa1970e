package wiring

import (
	"slices"

	"github.com/tailscale/hujson"

	"github.com/carryover-go/carryover/toolspecs"
)

// dropStale takes our entries out of the events in which none of ours belongs
// any more: another version of the tool, or of the table, may name its events
// otherwise, and a tool can refuse a whole file for one name it does not know.
func (d *document) dropStale(t Target) error {
	for d.dropOneStale(t) {
		if err := d.reparse(t.Settings.Comments); err != nil {
			return err
		}
	}
	return nil
}

// dropOneStale removes the first such entry, with its event when nothing else
// is in it. It returns false when there is none.
func (d *document) dropOneStale(t Target) bool {
	top, ok := member(&d.root, t.key())
	if !ok {
		return false
	}
	object, ok := top.Value.Value.(*hujson.Object)
	if !ok {
		return false
	}
	for i := range object.Members {
		event := &object.Members[i]
		array, ok := event.Value.Value.(*hujson.Array)
		name := event.Name.Value.(hujson.Literal).String()
		if !ok || slices.ContainsFunc(t.Hooks, func(hook toolspecs.Hook) bool { return hook.Event == name }) {
			continue
		}
		if len(array.Elements) == 1 && t.ours(d.data[array.Elements[0].StartOffset:array.Elements[0].EndOffset]) {
			if _, _, shared := d.shared(&array.Elements[0], t); !shared {
				d.removeChild(&top.Value, i)
				return true
			}
		}
		if again, _ := d.removeFrom(&event.Value, array, t); again {
			return true
		}
	}
	return false
}
