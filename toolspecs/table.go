package toolspecs

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed tools/*/spec.json
var builtin embed.FS

// Table is every tool that is known, by name.
type Table struct {
	specs  map[string]*Spec
	bundle string
}

// Bundle is the version of the installed bundle that is in force, "" where the
// built-in specs are.
func (t *Table) Bundle() string { return t.bundle }

// Load reads the built-in specs, or those of an installed bundle that is newer
// (BundleFile), and lays overrides over them: files named
// <tool>.json, whose top-level members replace the built-in ones of the same
// name; a tool that is not built in may be added whole. A nil overrides is
// allowed. An override that cannot be used leaves the built-in spec in force;
// each error names its file.
func Load(overrides fs.FS) (*Table, []error) {
	table := &Table{specs: map[string]*Spec{}}
	raw, failed := builtins()
	if overrides != nil {
		version, broken := withBundle(overrides, raw)
		table.bundle, failed = version, append(failed, broken...)
	}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		if err := table.add(name, raw[name], raw); err != nil {
			failed = append(failed, fmt.Errorf("built-in %s: %w", name, err))
		}
	}
	defer table.linkShared()
	if overrides == nil {
		return table, failed
	}
	names, _ := fs.Glob(overrides, "*.json")
	for _, file := range names {
		data, err := fs.ReadFile(overrides, file)
		name := strings.TrimSuffix(file, ".json")
		if err == nil {
			err = table.override(name, data, raw)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("override %s: %w", file, err))
		}
	}
	return table, failed
}

// builtins are the specs as they stand in the program, by tool.
func builtins() (raw map[string][]byte, failed []error) {
	raw = map[string][]byte{}
	files, _ := fs.Glob(builtin, "tools/*/spec.json")
	for _, file := range files {
		data, err := builtin.ReadFile(file)
		if err != nil {
			failed = append(failed, fmt.Errorf("built-in %s: %w", file, err))
			continue
		}
		raw[path.Base(path.Dir(file))] = data
	}
	return raw, failed
}

// linkShared gives settings that serve a tool through another one's entries the spec
// of that other one.
func (t *Table) linkShared() {
	for _, spec := range t.specs {
		for _, versions := range spec.Versions {
			for i := range versions.Settings {
				versions.Settings[i].sharedFrom = t.specs[versions.Settings[i].Of]
			}
		}
	}
}

func (t *Table) override(name string, data []byte, builtins map[string][]byte) error {
	if builtin := builtins[name]; builtin != nil {
		merged, err := replaceMembers(builtin, data)
		if err != nil {
			return err
		}
		data = merged
	}
	return t.add(name, data, builtins)
}

// add puts a spec in the table. One that borrows a built-in tool's reader has
// that tool's format where it says nothing else.
func (t *Table) add(name string, data []byte, builtins map[string][]byte) error {
	data, err := withFormat(data, builtins)
	if err != nil {
		return err
	}
	spec, err := Parse(data)
	if err != nil {
		return err
	}
	if spec.Tool != name {
		return fmt.Errorf("it describes the tool %q", spec.Tool)
	}
	if problems := spec.Check(); len(problems) > 0 {
		return errors.Join(problems...)
	}
	spec.places = spec.placePatterns()
	t.specs[name] = spec
	return nil
}

// format are the members that say how a transcript is read.
var format = []string{"records", "calls", "outcomes", "machine", "models"}

// withFormat completes a spec that borrows a reader with the format of the
// reader's own tool. A reader that no built-in tool has is ErrUnknown.
func withFormat(data []byte, builtins map[string][]byte) ([]byte, error) {
	var fork struct {
		Tool   string `json:"tool"`
		Reader string `json:"reader"`
	}
	if json.Unmarshal(data, &fork) != nil || fork.Reader == "" || fork.Reader == fork.Tool {
		return data, nil // Parse says what is wrong with it
	}
	var parent map[string]json.RawMessage
	if json.Unmarshal(builtins[fork.Reader], &parent) != nil || parent["reader"] != nil {
		return nil, fmt.Errorf("%w: no reader is called %q", ErrUnknown, fork.Reader)
	}
	base := map[string]json.RawMessage{}
	for _, member := range format {
		if parent[member] != nil {
			base[member] = parent[member]
		}
	}
	lent, err := json.Marshal(base)
	if err != nil {
		return nil, fmt.Errorf("borrow the format of %s: %w", fork.Reader, err)
	}
	return replaceMembers(lent, data)
}

// Parse reads a spec. One with a newer schema is ErrTooNew.
func Parse(data []byte) (*Spec, error) {
	var head struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("read spec: %w", err)
	}
	if head.Schema > SchemaVersion {
		return nil, fmt.Errorf("%w: it has schema %d and this Carryover understands up to %d; upgrade Carryover or remove the file", ErrTooNew, head.Schema, SchemaVersion)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	spec := &Spec{}
	if err := decoder.Decode(spec); err != nil {
		return nil, fmt.Errorf("read spec: %w", err)
	}
	return spec, nil
}

// replaceMembers lays the top-level members of over in place of those in base.
func replaceMembers(base, over []byte) ([]byte, error) {
	var members, changes map[string]json.RawMessage
	if err := json.Unmarshal(base, &members); err != nil {
		return nil, fmt.Errorf("read built-in spec: %w", err)
	}
	if err := json.Unmarshal(over, &changes); err != nil {
		return nil, fmt.Errorf("read spec: %w", err)
	}
	maps.Copy(members, changes)
	return json.Marshal(members)
}

// All lists the specs in the order of their names.
func (t *Table) All() []*Spec {
	specs := make([]*Spec, 0, len(t.specs))
	for _, name := range slices.Sorted(maps.Keys(t.specs)) {
		specs = append(specs, t.specs[name])
	}
	return specs
}

// Lookup finds a spec by the tool's name; ErrUnknown names those there are.
func (t *Table) Lookup(tool string) (*Spec, error) {
	if spec := t.specs[tool]; spec != nil {
		return spec, nil
	}
	known := strings.Join(slices.Sorted(maps.Keys(t.specs)), ", ")
	return nil, fmt.Errorf("%w %q; known are %s", ErrUnknown, tool, known)
}
