package toolspecs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/Masterminds/semver/v3"
)

// BundleFile is where an installed bundle lies in the folder of overrides.
const BundleFile = "installed/bundle.json"

// bundleSchema is the form of a Bundle that this code reads.
const bundleSchema = 1

// Bundle is a release of the specs alone: those of all tools, to be used by a
// program that was built before.
type Bundle struct {
	Schema  int                        `json:"schema"`
	Version string                     `json:"version"` // of the toolspecs module, without "v"
	Specs   map[string]json.RawMessage `json:"specs"`   // spec.json by tool
}

// ErrBundle is that of a bundle that cannot be used.
var ErrBundle = errors.New("the bundle of specs cannot be used")

// NewBundle is the bundle of the built-in specs.
func NewBundle() (Bundle, error) {
	raw, failed := builtins()
	b := Bundle{Schema: bundleSchema, Version: Version, Specs: map[string]json.RawMessage{}}
	for tool, spec := range raw {
		b.Specs[tool] = spec
	}
	return b, errors.Join(failed...)
}

// ParseBundle reads a bundle and holds each of its specs to what this program
// understands. One that is newer than that is refused.
func ParseBundle(data []byte) (Bundle, error) {
	b, err := readBundle(data)
	if err != nil {
		return b, err
	}
	raw, _ := builtins()
	table := &Table{specs: map[string]*Spec{}}
	var errs []error
	for _, tool := range slices.Sorted(maps.Keys(b.Specs)) {
		if err := table.add(tool, b.Specs[tool], raw); err != nil {
			errs = append(errs, fmt.Errorf("%w: %s: %w", ErrBundle, tool, err))
		}
	}
	return b, errors.Join(errs...)
}

func readBundle(data []byte) (Bundle, error) {
	var b Bundle
	if err := json.Unmarshal(data, &b); err != nil {
		return b, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	if b.Schema > bundleSchema {
		return b, fmt.Errorf("%w: it has schema %d and this Carryover reads up to %d: upgrade Carryover", ErrBundle, b.Schema, bundleSchema)
	}
	if _, err := semver.StrictNewVersion(b.Version); err != nil || b.Schema < 1 || len(b.Specs) == 0 {
		return b, fmt.Errorf("%w: it has no version or no specs", ErrBundle)
	}
	return b, nil
}

// NewerThanBuiltin reports whether the bundle's specs are newer than the built-in
// ones.
func (b Bundle) NewerThanBuiltin() bool {
	ours, err := semver.NewVersion(Version)
	theirs, theirErr := semver.NewVersion(b.Version)
	return err == nil && theirErr == nil && theirs.GreaterThan(ours)
}

// withBundle replaces built-in specs by those of an installed bundle. One that is
// not newer than the built-in specs stays aside.
func withBundle(overrides fs.FS, raw map[string][]byte) (version string, failed []error) {
	data, err := fs.ReadFile(overrides, BundleFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", []error{err}
	}
	b, err := readBundle(data)
	if err != nil {
		return "", []error{err}
	}
	if !b.NewerThanBuiltin() {
		return "", nil
	}
	alone := &Table{specs: map[string]*Spec{}}
	for _, tool := range slices.Sorted(maps.Keys(b.Specs)) {
		if err := alone.add(tool, b.Specs[tool], raw); err != nil {
			failed = append(failed, fmt.Errorf("bundle %s: %s: %w", b.Version, tool, err))
			continue
		}
		raw[tool] = b.Specs[tool]
	}
	return b.Version, failed
}
