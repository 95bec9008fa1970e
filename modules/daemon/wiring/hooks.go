package wiring

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"

	"github.com/carryover-go/carryover/toolspecs"
)

// Target is one settings file of one tool, with what is to stand in it.
type Target struct {
	Tool     string
	Path     string // as the tool names it; links are followed on writing
	Settings toolspecs.Settings
	Hooks    []toolspecs.Hook // wired ones
	Program  string
}

// addHooks returns the file with our entries in it. Entries are appended,
// never inserted: Codex ties the trust of every hook to its position.
func addHooks(data []byte, t Target) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		if len(data) > 0 && !t.Settings.Empty {
			return nil, fmt.Errorf("%w: it is empty, which the tool does not read", ErrRefused)
		}
		data = []byte("{}\n")
	}
	d, err := parse(data, t.Settings)
	if err != nil {
		return nil, err
	}
	for _, hook := range t.Hooks {
		if err := d.addHook(t, hook); err != nil {
			return nil, err
		}
		if err := d.reparse(t.Settings.Comments); err != nil {
			return nil, err
		}
	}
	return d.data, nil
}

func (d *document) addHook(t Target, hook toolspecs.Hook) error {
	entry := entryOf(t.Settings, t.Program, t.Tool, hook)
	hooks, ok := member(&d.root, "hooks")
	if !ok {
		d.add(&d.root, 1, `"hooks": `+d.encode(map[string][]group{hook.Event: {entry}}, 1))
		return nil
	}
	if hooks.Value.Value.Kind() != '{' {
		return fmt.Errorf("%w: \"hooks\" in it is not an object", ErrRefused)
	}
	event, ok := member(&hooks.Value, hook.Event)
	if !ok {
		d.add(&hooks.Value, 2, d.encode(hook.Event, 0)+": "+d.encode([]group{entry}, 2))
		return nil
	}
	array, ok := event.Value.Value.(*hujson.Array)
	if !ok {
		return fmt.Errorf("%w: %q in its hooks is not a list", ErrRefused, hook.Event)
	}
	for _, element := range array.Elements {
		raw := d.data[element.StartOffset:element.EndOffset]
		if !ours(raw, t.Program) {
			continue
		}
		if text := d.encode(entry, 3); !sameEntry(raw, entry) {
			d.splice(element.StartOffset, element.EndOffset, text)
		}
		return nil
	}
	d.add(&event.Value, 3, d.encode(entry, 3))
	return nil
}

// Kept says why an entry of ours was emptied instead of removed.
const Kept = "an empty group stays in place of ours, because the tool ties the trust of the hooks after it to their position"

// removeHooks returns the file without our entries. kept says that an empty
// group had to stay for the sake of another's trust. created names keys that
// the install made: they go when nothing is left in them.
func removeHooks(data []byte, t Target, created []string) (out []byte, kept bool, err error) {
	d, err := parse(data, t.Settings)
	if err != nil {
		return nil, false, err
	}
	for {
		again, keptOne := d.removeOne(t, created)
		kept = kept || keptOne
		if !again {
			return d.data, kept, nil
		}
		if err := d.reparse(t.Settings.Comments); err != nil {
			return nil, false, err
		}
	}
}

// removeOne removes the first of our entries that it finds, or a key of ours
// that is empty. again is false when there is nothing more to do.
func (d *document) removeOne(t Target, created []string) (again, kept bool) {
	hooks, ok := member(&d.root, "hooks")
	if !ok {
		return false, false
	}
	object, ok := hooks.Value.Value.(*hujson.Object)
	if !ok {
		return false, false
	}
	for i := range object.Members {
		event := &object.Members[i]
		name := event.Name.Value.(hujson.Literal).String()
		array, ok := event.Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		if len(array.Elements) == 0 && slices.Contains(created, "hooks."+name) {
			d.cut(&hooks.Value, i)
			return true, false
		}
		for j := range array.Elements {
			element := &array.Elements[j]
			if !ours(d.data[element.StartOffset:element.EndOffset], t.Program) {
				continue
			}
			followed := j < len(array.Elements)-1
			if followed && t.Settings.Removal == "empty-when-followed" {
				d.splice(element.StartOffset, element.EndOffset, `{"hooks":[]}`)
				return true, true
			}
			d.cut(&event.Value, j)
			return true, false
		}
	}
	if len(object.Members) == 0 && slices.Contains(created, "hooks") {
		for i, c := range children(&d.root) {
			if c.to == hooks.Value.EndOffset {
				d.cut(&d.root, i)
			}
		}
		return true, false
	}
	return false, false
}

// keysToCreate lists what addHooks will have to make in this file.
func keysToCreate(data []byte, t Target) []string {
	var keys []string
	d, err := parse(data, t.Settings)
	hooks := (*hujson.ObjectMember)(nil)
	if err == nil {
		hooks, _ = member(&d.root, "hooks")
	}
	if hooks == nil {
		keys = append(keys, "hooks")
	}
	for _, hook := range t.Hooks {
		if hooks != nil {
			if _, ok := member(&hooks.Value, hook.Event); ok {
				continue
			}
		}
		keys = append(keys, "hooks."+hook.Event)
	}
	return keys
}
