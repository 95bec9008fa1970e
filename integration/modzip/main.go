// Command modzip lays the modules of a tree out as a file proxy, so that they
// can be required before anything is published:
//
//	modzip TREE PROXY VERSION PREFIX MODULE…
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) < 6 {
		fmt.Fprintln(os.Stderr, "usage: modzip TREE PROXY VERSION PREFIX MODULE…")
		os.Exit(2)
	}
	tree, proxy, version, prefix := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	for _, dir := range os.Args[5:] {
		if err := lay(tree, proxy, version, prefix, dir); err != nil {
			fmt.Fprintln(os.Stderr, "modzip:", err)
			os.Exit(1)
		}
	}
}

// lay writes the four files of one version, as the module proxy protocol
// names them.
func lay(tree, proxy, version, prefix, dir string) error {
	path := prefix
	if dir != "." {
		path += "/" + dir
	}
	escaped, err := module.EscapePath(path)
	if err != nil {
		return err
	}
	to := filepath.Join(proxy, escaped, "@v")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(tree, dir, "go.mod"))
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": []byte(`{"Version":"` + version + `"}`),
		version + ".mod":  mod,
	} {
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(to, version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(f, module.Version{Path: path, Version: version}, filepath.Join(tree, dir)); err != nil {
		return fmt.Errorf("zip %s: %w", path, err)
	}
	return f.Close()
}
