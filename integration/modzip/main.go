// Command modzip lays the modules of a tree out as a file proxy, so that they
// can be required before anything is published:
//
//	modzip TREE PROXY PREFIX FOLDER@VERSION…
package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) < 5 {
		fmt.Fprintln(os.Stderr, "usage: modzip TREE PROXY PREFIX FOLDER@VERSION…")
		os.Exit(2)
	}
	tree, proxy, prefix := os.Args[1], os.Args[2], os.Args[3]
	for _, arg := range os.Args[4:] {
		dir, version, _ := strings.Cut(arg, "@")
		if err := lay(filepath.Join(tree, dir), proxy, module.Version{Path: path.Join(prefix, dir), Version: version}); err != nil {
			fmt.Fprintln(os.Stderr, "modzip:", err)
			os.Exit(1)
		}
	}
}

// lay writes the four files of one version, as the module proxy protocol
// names them.
func lay(dir, proxy string, m module.Version) error {
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	to := filepath.Join(proxy, escaped, "@v")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"list":              []byte(m.Version + "\n"),
		m.Version + ".info": []byte(`{"Version":"` + m.Version + `"}`),
		m.Version + ".mod":  mod,
	} {
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(to, m.Version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(f, m, dir); err != nil {
		return fmt.Errorf("zip %s: %w", m.Path, err)
	}
	return f.Close()
}
