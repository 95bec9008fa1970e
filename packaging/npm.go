package packaging

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// npmPlatform is what the manifest of a platform's package is made of.
type npmPlatform struct {
	Release
	Platform
}

// CPU and System are what npm compares with the machine.
func (p npmPlatform) CPU() string { return p.Node[strings.IndexByte(p.Node, '-')+1:] }

// System is the operating system as node names it.
func (p npmPlatform) System() string { return p.Node[:strings.IndexByte(p.Node, '-')] }

// NPM writes the packages of npm into a folder, one folder each: a thin one that
// people install, and one with the programs for every platform that has an
// archive. Nothing is downloaded when they are installed.
func NPM(r Release, dist, to string) error {
	for _, on := range Platforms() {
		archive := filepath.Join(dist, r.ArchiveName(on))
		if _, err := os.Stat(archive); errors.Is(err, os.ErrNotExist) {
			continue
		}
		at := filepath.Join(to, on.Node)
		manifest, err := render("npm-platform.json", npmPlatform{r, on})
		if err != nil {
			return err
		}
		if err := Write(at, map[string][]byte{"package.json": manifest}); err != nil {
			return err
		}
		if err := unpackPrograms(archive, filepath.Join(at, "bin"), on); err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
	}
	thin, err := renderAll([]file{
		{"npm.json", "package.json"}, {"npm-shim.js", "bin/carryover.js"}, {"npm-README.md", "README.md"},
	}, r)
	if err != nil {
		return err
	}
	return Write(filepath.Join(to, r.Name), thin)
}

// Nodes are the platforms in npm's words.
func (Release) Nodes() []string {
	var names []string
	for _, on := range Platforms() {
		names = append(names, on.Node)
	}
	return names
}

// unpackPrograms takes the programs out of an archive.
func unpackPrograms(archive, to string, on Platform) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	found := 0
	each := func(name string, text io.Reader) error {
		base := path.Base(name)
		if !slices.Contains(Programs(), strings.TrimSuffix(base, on.Ext)) {
			return nil
		}
		found++
		program, err := os.OpenFile(filepath.Join(to, base), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
		if err != nil {
			return err
		}
		_, err = io.Copy(program, text)
		return errors.Join(err, program.Close())
	}
	read := eachInTar
	if on.Archive == ".zip" {
		read = eachInZip
	}
	if err := read(archive, each); err != nil {
		return err
	}
	if found != len(Programs()) {
		return fmt.Errorf("it has %d of %d programs", found, len(Programs()))
	}
	return nil
}

func eachInTar(archive string, each func(name string, text io.Reader) error) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	plain, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for entries := tar.NewReader(plain); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if entry.Typeflag != tar.TypeReg {
			continue
		}
		if err := each(entry.Name, entries); err != nil {
			return err
		}
	}
}

func eachInZip(archive string, each func(name string, text io.Reader) error) error {
	entries, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer func() { _ = entries.Close() }()
	for _, entry := range entries.File {
		text, err := entry.Open()
		if err != nil {
			return err
		}
		err = each(entry.Name, text)
		if err = errors.Join(err, text.Close()); err != nil {
			return err
		}
	}
	return nil
}
