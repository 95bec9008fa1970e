package wiring

import (
	"bytes"
	"encoding/json"
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

// key is the member our entries stand in.
func (t Target) key() string {
	if t.Settings.Key != "" {
		return t.Settings.Key
	}
	return "hooks"
}

// addEntries returns the file with our entries in it. Entries are appended,
// never inserted: Codex ties the trust of every hook to its position.
func addEntries(data []byte, t Target) ([]byte, error) {
	if other, ok := formats[t.Settings.Format]; ok {
		return other.add(data, t)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		if data != nil && !t.Settings.Empty {
			return nil, fmt.Errorf("%w: it is empty, and the agent cannot read that", ErrRefused)
		}
		data = skeleton(t.Settings)
	}
	d, err := parse(data, t.Settings)
	if err != nil {
		return nil, err
	}
	if t.Settings.Style == plainList {
		err := d.addWord(t)
		return d.data, err
	}
	if err := d.dropStale(t); err != nil {
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

// skeleton is what a file is before its first entry.
func skeleton(settings toolspecs.Settings) []byte {
	if settings.Skeleton == nil {
		return []byte("{}\n")
	}
	var b bytes.Buffer
	if err := json.Indent(&b, settings.Skeleton, "", "  "); err != nil {
		panic("wiring: the spec's skeleton is no JSON: " + err.Error()) // it was part of one
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func (d *document) addHook(t Target, hook toolspecs.Hook) error {
	entry := t.entryOf(hook)
	hooks, ok := member(&d.root, t.key())
	if !ok {
		d.add(&d.root, 1, d.encode(t.key(), 0)+": "+d.encode(map[string][]json.RawMessage{hook.Event: {entry}}, 1))
		return nil
	}
	if hooks.Value.Value.Kind() != '{' {
		return fmt.Errorf("%w: %q in it is not an object", ErrRefused, t.key())
	}
	event, ok := member(&hooks.Value, hook.Event)
	if !ok {
		d.add(&hooks.Value, 2, d.encode(hook.Event, 0)+": "+d.encode([]json.RawMessage{entry}, 2))
		return nil
	}
	array, ok := event.Value.Value.(*hujson.Array)
	if !ok {
		return fmt.Errorf("%w: %q in its hooks is not a list", ErrRefused, hook.Event)
	}
	for i := range array.Elements {
		element := &array.Elements[i]
		raw := d.data[element.StartOffset:element.EndOffset]
		if !t.ours(raw) {
			continue
		}
		if list, at, shared := d.shared(element, t); shared {
			own := list.Value.(*hujson.Array).Elements[at]
			if handler := t.handlerOf(hook); !sameJSON(d.data[own.StartOffset:own.EndOffset], handler) {
				d.splice(own.StartOffset, own.EndOffset, d.encode(handler, 5))
			}
			return nil
		}
		if !sameJSON(raw, entry) {
			d.splice(element.StartOffset, element.EndOffset, d.encode(entry, 3))
		}
		return nil
	}
	d.add(&event.Value, 3, d.encode(entry, 3))
	return nil
}

// addWord puts our word into a list of words.
func (d *document) addWord(t Target) error {
	word := marshal(t.Settings.Entry)
	list, ok := member(&d.root, t.key())
	if !ok {
		d.add(&d.root, 1, d.encode(t.key(), 0)+": "+d.encode([]json.RawMessage{word}, 1))
		return nil
	}
	array, ok := list.Value.Value.(*hujson.Array)
	if !ok {
		return fmt.Errorf("%w: %q in it is not a list", ErrRefused, t.key())
	}
	for _, element := range array.Elements {
		if t.ours(d.data[element.StartOffset:element.EndOffset]) {
			return nil
		}
	}
	d.add(&list.Value, 2, string(word))
	return nil
}

// Kept says why an entry of ours was emptied instead of removed.
const Kept = "an empty group stays in place of ours, because the tool ties the trust of the hooks after it to their position"

// removeEntries returns the file without our entries. kept says that an empty
// group had to stay for the sake of another's trust. created names keys that
// the install made: they go when nothing is left in them.
func removeEntries(data []byte, t Target, created []string) (out []byte, kept bool, err error) {
	if other, ok := formats[t.Settings.Format]; ok {
		out, err := other.remove(data, t, created)
		return out, false, err
	}
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
	top, ok := member(&d.root, t.key())
	if !ok {
		return false, false
	}
	switch value := top.Value.Value.(type) {
	case *hujson.Array:
		again, kept = d.removeFrom(&top.Value, value, t)
	case *hujson.Object:
		again, kept = d.removeEvents(&top.Value, value, t, created)
	}
	if !again && len(children(&top.Value)) == 0 && slices.Contains(created, t.key()) {
		for i, c := range children(&d.root) {
			if c.to == top.Value.EndOffset {
				d.removeChild(&d.root, i)
			}
		}
		return true, false
	}
	return again, kept
}

func (d *document) removeEvents(v *hujson.Value, object *hujson.Object, t Target, created []string) (again, kept bool) {
	for i := range object.Members {
		event := &object.Members[i]
		array, ok := event.Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		name := event.Name.Value.(hujson.Literal).String()
		if len(array.Elements) == 0 && slices.Contains(created, t.key()+"."+name) {
			d.removeChild(v, i)
			return true, false
		}
		if again, kept := d.removeFrom(&event.Value, array, t); again {
			return again, kept
		}
	}
	return false, false
}

// shared says whether the user has put hooks of their own into a group of ours:
// then only our entry in it, the one at the index of the list, is touched.
func (d *document) shared(group *hujson.Value, t Target) (list *hujson.Value, at int, shared bool) {
	hooks, ok := member(group, "hooks")
	if t.Settings.Style == hooksList || !ok {
		return nil, 0, false
	}
	array, ok := hooks.Value.Value.(*hujson.Array)
	if !ok {
		return nil, 0, false
	}
	at = -1
	for i, element := range array.Elements {
		switch ours := t.ours(d.data[element.StartOffset:element.EndOffset]); {
		case !ours:
			shared = true
		case at < 0:
			at = i
		}
	}
	return &hooks.Value, at, shared && at >= 0
}

// removeFrom removes the first of our entries in one list.
func (d *document) removeFrom(v *hujson.Value, array *hujson.Array, t Target) (again, kept bool) {
	for i := range array.Elements {
		element := &array.Elements[i]
		if !t.ours(d.data[element.StartOffset:element.EndOffset]) {
			continue
		}
		if list, at, shared := d.shared(element, t); shared {
			d.removeChild(list, at)
			return true, false
		}
		if i < len(array.Elements)-1 && t.Settings.Removal == "empty-when-followed" {
			d.splice(element.StartOffset, element.EndOffset, `{"hooks":[]}`)
			return true, true
		}
		d.removeChild(v, i)
		return true, false
	}
	return false, false
}

// keysToCreate lists what addEntries will have to make in this file.
func keysToCreate(data []byte, t Target) []string {
	if other, ok := formats[t.Settings.Format]; ok {
		return other.toCreate(data, t)
	}
	var keys []string
	d, err := parse(data, t.Settings)
	top := (*hujson.ObjectMember)(nil)
	if err == nil {
		top, _ = member(&d.root, t.key())
	}
	if top == nil {
		keys = append(keys, t.key())
	}
	for _, hook := range t.Hooks {
		if top != nil {
			if _, ok := member(&top.Value, hook.Event); ok {
				continue
			}
		}
		keys = append(keys, t.key()+"."+hook.Event)
	}
	return keys
}
