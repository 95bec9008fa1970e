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
	"sync"
)

//go:embed tools/*/spec.json
var builtin embed.FS

// Table is every tool that is known, by name.
type Table struct {
	specs  map[string]*Spec
	bundle string
	built  func() map[string]*Spec // of the built-in specs alone, which most commands need none of; else nil
}

// known are the specs by tool.
func (t *Table) known() map[string]*Spec {
	if t.built != nil {
		return t.built()
	}
	return t.specs
}

// onlyBuiltin says that a folder changes nothing about the built-in specs.
func onlyBuiltin(overrides fs.FS) bool {
	names, err := fs.Glob(overrides, "*.json")
	if err != nil || len(names) > 0 {
		return false
	}
	_, err = fs.Stat(overrides, BundleFile)
	return errors.Is(err, fs.ErrNotExist)
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
//
// The built-in specs alone are read when one of them is first asked for: they
// cost 6 ms of processor time.
func Load(overrides fs.FS) (*Table, []error) {
	if overrides != nil && onlyBuiltin(overrides) {
		return &Table{built: sync.OnceValue(func() map[string]*Spec {
			table, _ := Load(nil) // a test reads them
			return table.specs
		})}, nil
	}
	table := &Table{specs: map[string]*Spec{}}
	raw, failed := builtins()
	if overrides != nil {
		version, broken := withBundle(overrides, raw)
		table.bundle, failed = version, append(failed, broken...)
	}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		if err := table.addKnown(name, raw[name], raw, table.bundle == ""); err != nil {
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

// protocolTool is the tool that stands for all agents that speak the Agent Client
// Protocol and have no spec.
const protocolTool = "acp"

// linkShared lets tools that speak the protocol be captured by it, and gives settings
// that serve a tool through another one's entries the spec of that other one.
func (t *Table) linkShared() {
	protocol := t.specs[protocolTool]
	for _, spec := range t.specs {
		if protocol != nil && spec.Editor != nil {
			spec.speaks(protocol)
		}
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
	return t.addKnown(name, data, builtins, false)
}

// addKnown is add; a spec of this program has been checked by its tests, which every
// command would pay for.
func (t *Table) addKnown(name string, data []byte, builtins map[string][]byte, checked bool) error {
	spec, err := Parse(data)
	if err == nil && spec.Reader != "" && spec.Reader != spec.Tool {
		spec, err = parseFork(data, builtins[spec.Reader], spec.Reader)
	}
	if err != nil {
		return err
	}
	if spec.Tool != name {
		return fmt.Errorf("it describes the tool %q", spec.Tool)
	}
	if !checked {
		if problems := spec.Check(); len(problems) > 0 {
			return errors.Join(problems...)
		}
	}
	spec.pathPatterns = sync.OnceValue(spec.compilePatterns)
	t.specs[name] = spec
	return nil
}

// format are the members that say how a transcript is read.
var format = []string{"records", "names", "calls", "outcomes", "machine", "models"}

// parseFork reads a spec that borrows a reader, completed with the format of the
// reader's own tool. A reader that no built-in tool has is ErrUnknown.
func parseFork(data, of []byte, reader string) (*Spec, error) {
	var parent map[string]json.RawMessage
	if json.Unmarshal(of, &parent) != nil || parent["reader"] != nil {
		return nil, fmt.Errorf("%w: no reader is called %q", ErrUnknown, reader)
	}
	base := map[string]json.RawMessage{}
	for _, member := range format {
		if parent[member] != nil {
			base[member] = parent[member]
		}
	}
	lent, err := json.Marshal(base)
	if err != nil {
		return nil, fmt.Errorf("borrow the format of %s: %w", reader, err)
	}
	if data, err = replaceMembers(lent, data); err != nil {
		return nil, err
	}
	return Parse(data)
}

// Parse reads a spec. One with a newer schema is ErrTooNew.
func Parse(data []byte) (*Spec, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	spec := &Spec{}
	err := decoder.Decode(spec)
	if schema := max(spec.Schema, schemaOf(data, err)); schema > SchemaVersion {
		return nil, fmt.Errorf("%w: it has schema %d and this Carryover understands up to %d; upgrade Carryover or remove the file", ErrTooNew, schema, SchemaVersion)
	}
	if err != nil {
		return nil, fmt.Errorf("read spec: %w", err)
	}
	return spec, nil
}

// schemaOf is the schema of a spec that could not be read: members of a newer
// one are unknown, and it may stand behind them.
func schemaOf(data []byte, failed error) int {
	var head struct {
		Schema int `json:"schema"`
	}
	if failed != nil {
		_ = json.Unmarshal(data, &head)
	}
	return head.Schema
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
	known := t.known()
	specs := make([]*Spec, 0, len(known))
	for _, name := range slices.Sorted(maps.Keys(known)) {
		specs = append(specs, known[name])
	}
	return specs
}

// Lookup finds a spec by the tool's name; ErrUnknown names those there are.
func (t *Table) Lookup(tool string) (*Spec, error) {
	known := t.known()
	if spec := known[tool]; spec != nil {
		return spec, nil
	}
	return nil, fmt.Errorf("%w %q; known are %s", ErrUnknown, tool, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
}
