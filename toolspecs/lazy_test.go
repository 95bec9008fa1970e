package toolspecs_test

import (
	"testing"
	"testing/fstest"

	"github.com/carryover-go/carryover/toolspecs"
)

// A command that asks for no spec reads none: with an empty folder of overrides
// the table costs next to nothing, and is the built-in one.
func TestLoad_ReadsBuiltinSpecsWhenAsked(t *testing.T) {
	empty := fstest.MapFS{}
	if n := testing.AllocsPerRun(5, func() { toolspecs.Load(empty) }); n > 200 {
		t.Errorf("%.0f allocations: the specs were read", n)
	}
	table, failed := toolspecs.Load(empty)
	builtin, _ := toolspecs.Load(nil)
	if len(failed) > 0 || len(table.All()) != len(builtin.All()) || table.Bundle() != "" {
		t.Fatalf("%d specs, %d built in; %v", len(table.All()), len(builtin.All()), failed)
	}
	if _, err := table.Lookup("claude-code"); err != nil {
		t.Error(err)
	}
}

// A folder with an override or a bundle is read at once: what is wrong in it is
// told.
func TestLoad_TellsOfABrokenOverrideAtOnce(t *testing.T) {
	for _, name := range []string{"claude-code.json", toolspecs.BundleFile} {
		if _, failed := toolspecs.Load(fstest.MapFS{name: &fstest.MapFile{Data: []byte("{")}}); len(failed) == 0 {
			t.Errorf("%s: nothing is told", name)
		}
	}
}
