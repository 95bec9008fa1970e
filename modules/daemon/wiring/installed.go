package wiring

import (
	"slices"

	"github.com/tailscale/hujson"
)

// InstalledEntries lists the events in which entries of ours stand in a settings file,
// in the file's order; for a list of words our word. A file that is not there
// has none; one that its tool would refuse is ErrRefused.
func InstalledEntries(t Target) ([]string, error) {
	data, err := readSettings(t.Path)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	if other, ok := formats[t.Settings.Format]; ok {
		return other.installed(data, t)
	}
	d, err := parse(data, t.Settings)
	if err != nil {
		return nil, err
	}
	top, ok := member(&d.root, t.key())
	if !ok {
		return nil, nil
	}
	var standing []string
	switch value := top.Value.Value.(type) {
	case *hujson.Array:
		if d.holdsOurs(value, t) {
			standing = append(standing, t.Settings.Entry)
		}
	case *hujson.Object:
		for i := range value.Members {
			array, ok := value.Members[i].Value.Value.(*hujson.Array)
			if ok && d.holdsOurs(array, t) {
				standing = append(standing, value.Members[i].Name.Value.(hujson.Literal).String())
			}
		}
	}
	return standing, nil
}

// holdsOurs says whether an entry of ours is in a list.
func (d *document) holdsOurs(array *hujson.Array, t Target) bool {
	return slices.ContainsFunc(array.Elements, func(element hujson.ArrayElement) bool {
		return t.ours(d.data[element.StartOffset:element.EndOffset])
	})
}
