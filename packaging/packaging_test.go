package packaging_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/carryover-go/carryover/packaging"
)

const root = ".."

func product(t *testing.T) packaging.Product {
	t.Helper()
	p, err := packaging.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The manifests in the tree are those that versions.yaml and the templates make.
func TestTree_IsCurrent(t *testing.T) {
	files, err := packaging.Tree(root, product(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what versions.yaml and packaging/ say (%v): run `make packaging`", name, err)
			continue
		}
		if info, err := os.Stat(path); err == nil && (info.Mode()&0o111 != 0) != packaging.Executable(name) {
			t.Errorf("%s has the mode %s: run `make packaging`", name, info.Mode())
		}
	}
	for _, folder := range []string{"plugin", ".claude-plugin", "packaging/devcontainer"} {
		_ = filepath.WalkDir(filepath.Join(root, folder), func(path string, entry os.DirEntry, err error) error {
			name, _ := filepath.Rel(root, path)
			if err == nil && !entry.IsDir() && files[filepath.ToSlash(name)] == nil {
				t.Errorf("%s is made by nothing: remove it", name)
			}
			return err
		})
	}
}

// release is one whose archives all have a hash.
func release(t *testing.T, version string) packaging.Release {
	t.Helper()
	dist, p := t.TempDir(), product(t)
	p.Version = version
	var sums strings.Builder
	for i, on := range packaging.Platforms() {
		sums.WriteString(strings.Repeat(string("0123456789"[i]), 64) + "  " + p.ArchiveName(on) + "\n")
	}
	sums.WriteString(strings.Repeat("f", 64) + "  carryover_" + version + "_amd64.deb\n")
	if err := os.WriteFile(filepath.Join(dist, "checksums.txt"), []byte(sums.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := packaging.ReadRelease(dist, product(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every channel names the version and the hash of the archive it downloads, and is
// in the form that its shop reads.
func TestChannels_NameTheirArchives(t *testing.T) {
	files, err := packaging.Channels(release(t, "1.2.3"))
	if err != nil {
		t.Fatal(err)
	}
	for name, hashes := range map[string]string{
		"homebrew/carryover.rb": "0123", "scoop/carryover.json": "45", "winget/Carryover.Carryover.installer.yaml": "45", "aur/PKGBUILD": "01", "aur/.SRCINFO": "01",
	} {
		text := string(files[name])
		if !strings.Contains(text, "1.2.3") || strings.Contains(text, "[[") {
			t.Errorf("%s is\n%s", name, text)
		}
		for _, digit := range hashes {
			if !strings.Contains(text, strings.Repeat(string(digit), 64)) {
				t.Errorf("%s lacks the hash %c…", name, digit)
			}
		}
	}
	for name, text := range files {
		switch filepath.Ext(name) {
		case ".json":
			if !json.Valid(text) {
				t.Errorf("%s is no JSON", name)
			}
		case ".yaml":
			if err := yaml.Unmarshal(text, new(map[string]any)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case ".rb":
			parses(t, text, "ruby", "-c")
		}
	}
	parses(t, files["aur/PKGBUILD"], "bash", "-n")
}

// parses asks a program whether a text has its syntax; a program that is not here
// is named.
func parses(t *testing.T, text []byte, program string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Logf("SKIPPED: %s is not here to check its file", program)
		return
	}
	cmd := exec.Command(program, args...)
	cmd.Stdin = bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %s\n%s", program, out, text)
	}
}

// Every script is one for the plain shell that it names.
func TestScripts_AreForThePlainShell(t *testing.T) {
	files, err := packaging.Tree(root, product(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if bytes.HasPrefix(text, []byte("#!/bin/sh")) {
			parses(t, text, "sh", "-n")
			parses(t, text, "dash", "-n")
		} else if packaging.Executable(name) {
			t.Errorf("%s does not begin with #!/bin/sh", name)
		}
	}
}

// An archive that was not made is named, and no manifest points to it.
func TestChannels_NameAMissingArchive(t *testing.T) {
	r := release(t, "1.2.3")
	r.Version = "9.9.9"
	if _, err := packaging.Channels(r); err == nil || !strings.Contains(err.Error(), "carryover_9.9.9_linux_amd64.tar.gz") {
		t.Errorf("error is %v", err)
	}
	none, err := packaging.SomeChannels(r)
	if err != nil || len(none) != 0 {
		t.Errorf("made of nothing: %v, %v", none, err)
	}
}
