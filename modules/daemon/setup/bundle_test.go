package setup_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/toolspecs"
)

// signed writes a bundle of the built-in specs, changed, with its signature.
func signed(t *testing.T, change func(*toolspecs.Bundle)) (file, key string) {
	t.Helper()
	bundle, err := toolspecs.NewBundle()
	if err != nil {
		t.Fatal(err)
	}
	bundle.Version = "9.0.1"
	change(&bundle)
	data, err := json.Marshal(bundle)
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	text, err := public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "carryover-specs.json")
	if err := errors.Join(os.WriteFile(file, data, 0o600), os.WriteFile(file+".minisig", minisign.Sign(private, data), 0o600)); err != nil {
		t.Fatal(err)
	}
	return file, string(text)
}

// renamed is a spec under another name, to be seen in what is in force.
func renamed(t *testing.T, bundle *toolspecs.Bundle, tool, name string) {
	t.Helper()
	var spec map[string]json.RawMessage
	if err := json.Unmarshal(bundle.Specs[tool], &spec); err != nil {
		t.Fatal(err)
	}
	spec["name"], _ = json.Marshal(name)
	bundle.Specs[tool], _ = json.Marshal(spec)
}

func nameInForce(t *testing.T, dir home.Dir) string {
	t.Helper()
	table, failed := toolspecs.Load(os.DirFS(dir.Toolspecs()))
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	spec, err := table.Lookup("codex")
	if err != nil {
		t.Fatal(err)
	}
	return spec.Name
}

// A signed bundle is in force until it is removed; what is wrong with one is said,
// and nothing changes.
func TestInstallBundle_VerifiesAndPutsInForce(t *testing.T) {
	dir := home.Dir(t.TempDir())
	file, key := signed(t, func(b *toolspecs.Bundle) { renamed(t, b, "codex", "Codex of the bundle") })
	for name, wrong := range map[string]struct {
		file, key string
		want      error
	}{
		"no key known":  {file, "", setup.ErrNoKey},
		"another's key": {file, "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3", setup.ErrUnsigned},
		"no signature":  {unsigned(t), key, setup.ErrUnsigned},
	} {
		if _, err := setup.InstallBundle(dir, wrong.file, wrong.key); !errors.Is(err, wrong.want) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	if got := nameInForce(t, dir); got != "Codex CLI" {
		t.Fatalf("in force is %q", got)
	}
	if bundle, err := setup.InstallBundle(dir, file, key); err != nil || bundle.Version != "9.0.1" {
		t.Fatalf("installed %s: %v", bundle.Version, err)
	}
	if got := nameInForce(t, dir); got != "Codex of the bundle" {
		t.Errorf("in force is %q", got)
	}
	if removed, err := setup.RemoveBundle(dir); err != nil || !removed {
		t.Errorf("removed %v, %v", removed, err)
	}
	if got := nameInForce(t, dir); got != "Codex CLI" {
		t.Errorf("in force is %q", got)
	}
}

func unsigned(t *testing.T) string {
	t.Helper()
	file, _ := signed(t, func(*toolspecs.Bundle) {})
	if err := os.Remove(file + ".minisig"); err != nil {
		t.Fatal(err)
	}
	return file
}

// A bundle that a newer program would be needed for, or that brings nothing, is
// refused in one sentence.
func TestInstallBundle_RefusesWhatDoesNotFit(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*toolspecs.Bundle)
		want   string
	}{
		"newer schema":         {func(b *toolspecs.Bundle) { b.Schema = 2 }, "upgrade Carryover"},
		"newer schema of spec": {func(b *toolspecs.Bundle) { b.Specs["codex"] = json.RawMessage(`{"schema": 99, "tool": "codex"}`) }, "codex"},
		"as old as ours":       {func(b *toolspecs.Bundle) { b.Version = toolspecs.Version }, "as new"},
		"no version":           {func(b *toolspecs.Bundle) { b.Version = "latest" }, "no version"},
		"unknown reader": {func(b *toolspecs.Bundle) {
			b.Specs["fork"] = json.RawMessage(`{"schema": 1, "tool": "fork", "name": "Fork", "reader": "nobody"}`)
		}, "no reader"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := home.Dir(t.TempDir())
			file, key := signed(t, test.change)
			_, err := setup.InstallBundle(dir, file, key)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is %v, want one line about %q", err, test.want)
			}
			if got := nameInForce(t, dir); got != "Codex CLI" {
				t.Errorf("in force is %q", got)
			}
		})
	}
}
