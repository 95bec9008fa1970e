package packaging_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/packaging"
)

// The programs of Scoop, winget and Homebrew are not to be had here. These are the rules of
// their manifests as far as ours have to do with them: Scoop's schema.json of 2019-06, the
// schemas 1.9.0 of winget, Homebrew's Formula Cookbook. A field that is not named here is
// refused, so that none is misspelled.

// shop is one that is checked by its own rules.
type shop struct {
	folder string
	check  func(r packaging.Release, files map[string][]byte) error
	broken [][2]string // what, replaced by what, must be found
}

var shops = []shop{
	{"scoop", scoop, [][2]string{
		{`"homepage"`, `"homePage"`},
		{`"license": "Apache-2.0"`, `"license": ""`},
		{"windows_amd64.zip", "windows_386.zip"},
		{"https://", "http://"},
		{`"hash": "4`, `"hash": "g`},
		{`"hash": "5`, `"hash": "6`},
		{`"arm64"`, `"arm"`},
		{"carryoverd.exe", "carryoverd"},
		{"$version_windows", "$ver_windows"},
		{"$baseurl", "$base"},
		{`"checkver": "github"`, `"checkver": "git"`},
	}},
	{"winget", winget, [][2]string{
		{"PackageIdentifier: Carryover.Carryover", "PackageIdentifier: Carryover"},
		{"PackageVersion: 1.2.3", "PackageVersion: 1.2.4"},
		{"InstallerType: zip", "InstallerType: rar"},
		{"NestedInstallerType: portable", "NestedInstallerTypes: portable"},
		{"RelativeFilePath: carryoverd.exe", "RelativeFilePath: carryoverd"},
		{"PortableCommandAlias: carryover-hook", "PortableCommandAlias: carryover"},
		{"Architecture: x64", "Architecture: amd64"},
		{"_windows_arm64.zip", "_windows_arm64.tar.gz"},
		{"InstallerSha256: 4", "InstallerSha256: 5"},
		{"ManifestVersion: 1.9.0", "ManifestVersion: 1.9"},
		{"ManifestType: installer", "ManifestType: singleton"},
		{"PackageLocale: en-US", "PackageLocale: english"},
		{"License: Apache-2.0", "License: A2"},
		{"ShortDescription: ", "Summary: "},
		{"Moniker: carryover", "Moniker: " + strings.Repeat("c", 41)},
		{"  - handoff\n", "  - handoff\n  - handoff\n"},
		{"installer.1.9.0.schema", "installer.1.8.0.schema"},
	}},
	{"homebrew", homebrew, [][2]string{
		{"desc ", "description "},
		{`license "Apache-2.0"`, ""},
		{"on_arm do", "on_arm64 do"},
		{"darwin_arm64", "darwin_amd64"},
		{"linux_amd64.tar.gz", "linux_amd64.zip"},
		{"https://github.com/carryover-go/carryover/releases/download/v1.2.3/", "https://example.org/v1.2.3/"},
		{strings.Repeat("1", 64), strings.Repeat("1", 63)},
		{strings.Repeat("2", 64), strings.Repeat("3", 64)},
		{"  end\n", ""},
	}},
}

func TestShops_ManifestsKeepTheirRules(t *testing.T) {
	r := release(t, "1.2.3")
	all, err := packaging.Channels(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shops {
		files := map[string][]byte{}
		for name, text := range all {
			if folder, file, _ := strings.Cut(name, "/"); folder == s.folder {
				files[file] = text
			}
		}
		if err := s.check(r, files); err != nil {
			if errors.Is(err, exec.ErrNotFound) {
				t.Logf("SKIPPED: %s: %v", s.folder, err)
				continue
			}
			t.Errorf("%s: %v", s.folder, err)
		}
		for _, change := range s.broken {
			changed, found := map[string][]byte{}, false
			for name, text := range files {
				found = found || bytes.Contains(text, []byte(change[0]))
				changed[name] = bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)
			}
			if !found {
				t.Errorf("%s: there is no %q to change", s.folder, change[0])
			} else if s.check(r, changed) == nil {
				t.Errorf("%s: %q in place of %q is not found", s.folder, change[1], change[0])
			}
		}
	}
}

// archives are the URLs and hashes of a release, by platform.
func archives(r packaging.Release, platforms ...string) (map[string][2]string, error) {
	out := map[string][2]string{}
	for _, name := range platforms {
		on, err := r.On(name)
		if err != nil {
			return nil, err
		}
		sum, err := r.Sum(on)
		if err != nil {
			return nil, err
		}
		out[name] = [2]string{r.ArchiveURL(on), sum}
	}
	return out, nil
}

// windowsPrograms are the programs as an archive for Windows has them.
func windowsPrograms() []string {
	var names []string
	for _, name := range packaging.Programs() {
		names = append(names, name+".exe")
	}
	return names
}

// rules are what must hold, by what it is called.
type rules map[string]bool

func (r rules) broken() error {
	var names []string
	for name, holds := range r {
		if !holds {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf("against the rules: %s", strings.Join(names, ", "))
}

func scoop(r packaging.Release, files map[string][]byte) error {
	type download struct{ URL, Hash string }
	type both struct {
		X64 download `json:"64bit"`
		ARM download `json:"arm64"`
	}
	var m struct {
		Version, Description, Homepage, License string
		Architecture                            both
		Bin                                     []string
		Notes, CheckVer                         string
		AutoUpdate                              struct {
			Architecture both
			Hash         struct{ URL string }
		}
	}
	text := files["carryover.json"]
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		return err
	}
	want, err := archives(r, "windows/amd64", "windows/arm64")
	if err != nil {
		return err
	}
	x64, arm := m.Architecture.X64, m.Architecture.ARM
	at := strings.NewReplacer("$version", m.Version, "$baseurl", strings.TrimSuffix(x64.URL, "/"+filepath.Base(x64.URL)))
	next := m.AutoUpdate
	return rules{
		"field names are in lower case": !regexp.MustCompile(`"[^"]*[A-Z][^"]*":`).Match(text), // Go reads them in any case
		"version":                       m.Version == r.Version,
		"description":                   m.Description != "",
		"homepage":                      strings.HasPrefix(m.Homepage, "https://github.com/"),
		"license":                       m.License == r.License && m.License != "",
		"archives":                      want["windows/amd64"] == [2]string{x64.URL, x64.Hash} && want["windows/arm64"] == [2]string{arm.URL, arm.Hash},
		"bin":                           slices.Equal(m.Bin, windowsPrograms()),
		"checkver":                      m.CheckVer == "github",
		"autoupdate finds the archives": at.Replace(next.Architecture.X64.URL) == x64.URL && at.Replace(next.Architecture.ARM.URL) == arm.URL,
		"autoupdate finds the hashes":   at.Replace(next.Hash.URL) == r.Homepage()+"/releases/download/v"+r.Version+"/checksums.txt",
	}.broken()
}

// homebrew has a stand-in for Homebrew evaluate the formula for each platform.
func homebrew(r packaging.Release, files map[string][]byte) error {
	at, err := os.MkdirTemp("", "formula")
	if err != nil {
		return err
	}
	defer os.RemoveAll(at)
	formula := filepath.Join(at, "carryover.rb")
	if err := os.WriteFile(formula, files["carryover.rb"], 0o600); err != nil {
		return err
	}
	want, err := archives(r, "darwin/arm64", "darwin/amd64", "linux/arm64", "linux/amd64")
	if err != nil {
		return err
	}
	for platform, archive := range want {
		os, arch, _ := strings.Cut(platform, "/")
		out, err := exec.Command("ruby", filepath.Join("testdata", "brew.rb"), formula, os, arch).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", platform, err, out)
		}
		if got := strings.Fields(string(out)); !slices.Equal(got, archive[:]) {
			return fmt.Errorf("%s: it names %v, not %v", platform, got, archive)
		}
	}
	return nil
}
