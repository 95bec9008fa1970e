// Package packaging writes the manifests of every shop that Carryover is
// installed from, out of versions.yaml, product.yaml and the templates here.
//
// Those that need no release stand in the tree (Tree), and a test fails while one
// is stale. Those that name archives with their hashes are written beside the
// archives of a release (Channels, NPM).
package packaging

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Product is what the manifests say.
type Product struct {
	Name        string   `yaml:"name"`
	Title       string   `yaml:"title"`
	Summary     string   `yaml:"summary"` // one line, below 80 characters
	Description string   `yaml:"description"`
	License     string   `yaml:"license"` // SPDX
	Maintainer  string   `yaml:"maintainer"`
	Email       string   `yaml:"email"`
	Keywords    []string `yaml:"keywords"`
	NPM         string   `yaml:"npm"`
	NPMScope    string   `yaml:"npm_scope"`
	MCP         string   `yaml:"mcp"`
	WinGet      string   `yaml:"winget"`
	SpecsKey    string   `yaml:"specs_key"` // of minisign, "" until there is one

	Prefix  string `yaml:"-"` // module path, from versions.yaml
	Version string `yaml:"-"` // of the programs, without "v"

	SpecsVersion string `yaml:"-"` // of the toolspecs module, without "v"
}

// Load reads product.yaml and versions.yaml of a source tree.
func Load(root string) (Product, error) {
	var p Product
	var versions struct {
		Prefix  string
		Modules []struct{ Path, Version string }
	}
	if err := errors.Join(
		decode(filepath.Join(root, "packaging", "product.yaml"), &p),
		decode(filepath.Join(root, "versions.yaml"), &versions),
	); err != nil {
		return p, err
	}
	p.Prefix = versions.Prefix
	for _, module := range versions.Modules {
		switch module.Path {
		case ".":
			p.Version = strings.TrimPrefix(module.Version, "v")
		case "toolspecs":
			p.SpecsVersion = strings.TrimPrefix(module.Version, "v")
		}
	}
	if p.Version == "" || p.SpecsVersion == "" || strings.Count(p.Prefix, "/") != 2 {
		return p, errors.New("versions.yaml: it needs a prefix of the form host/owner/name, and a version for module \".\"")
	}
	return p, nil
}

func decode(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Homepage is where the source is.
func (p Product) Homepage() string { return "https://" + p.Prefix }

// Owner is who the repository belongs to.
func (p Product) Owner() string { return strings.Split(p.Prefix, "/")[1] }

// Repository is the repository's name.
func (p Product) Repository() string { return strings.Split(p.Prefix, "/")[2] }

// Platform is one that archives are made for, in the words of those who name it.
type Platform struct {
	OS, Arch string // as Go names them
	Node     string // process.platform-process.arch of node
	Ext      string // of a program
	Archive  string // extension of the archive
}

// Platforms are all that a release has.
func Platforms() []Platform {
	return []Platform{
		{"linux", "amd64", "linux-x64", "", ".tar.gz"},
		{"linux", "arm64", "linux-arm64", "", ".tar.gz"},
		{"darwin", "amd64", "darwin-x64", "", ".tar.gz"},
		{"darwin", "arm64", "darwin-arm64", "", ".tar.gz"},
		{"windows", "amd64", "win32-x64", ".exe", ".zip"},
		{"windows", "arm64", "win32-arm64", ".exe", ".zip"},
	}
}

// Programs are the programs of a release.
func (Product) Programs() []string { return Programs() }

// Programs are the programs of a release.
func Programs() []string { return []string{"carryover", "carryoverd", "carryover-hook"} }

// ArchiveName is the name of a platform's archive.
func (p Product) ArchiveName(on Platform) string {
	return fmt.Sprintf("%s_%s_%s_%s%s", p.Name, p.Version, on.OS, on.Arch, on.Archive)
}

// ArchiveURL is where a release has it.
func (p Product) ArchiveURL(on Platform) string {
	return fmt.Sprintf("%s/releases/download/v%s/%s", p.Homepage(), p.Version, p.ArchiveName(on))
}
