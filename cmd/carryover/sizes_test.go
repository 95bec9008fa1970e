package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// What can be read in a sitting. Tests, and packages that are tests of others, are
// left out.
const (
	maxPackageLines  = 2500
	maxFileLines     = 400
	maxFunctionLines = 60
	maxMethods       = 30
)

// testPackages hold contracts: each function is one long test.
var testPackages = []string{"modules/ledger/ledgertest", "toolspecs/spectest", "modules/ledger/redact/secretcorpus", "integration"}

func TestSizes_CanBeReadInASitting(t *testing.T) {
	lines, methods := map[string]int{}, map[string]int{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			if strings.HasPrefix(entry.Name(), ".") && name != "." || entry.Name() == "testdata" || entry.Name() == "node_modules" {
				return filepath.SkipDir
			}
			for _, tests := range testPackages {
				if name == tests {
					return filepath.SkipDir
				}
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			measure(t, path, name, lines, methods)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range lines {
		if n > maxPackageLines {
			t.Errorf("package %s has %d lines, more than %d: split it", name, n, maxPackageLines)
		}
	}
	for name, n := range methods {
		if n > maxMethods {
			t.Errorf("%s has %d methods, more than %d: is it two things?", name, n, maxMethods)
		}
	}
}

// measure adds a file to its package, and complains of it and its functions.
func measure(t *testing.T, path, name string, lines, methods map[string]int) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return
	}
	folder := filepath.ToSlash(filepath.Dir(name))
	n := files.File(file.FileStart).LineCount()
	lines[folder] += n
	if n > maxFileLines+1 { // the end counts as a line
		t.Errorf("%s has %d lines, more than %d: does it hold two things?", name, n, maxFileLines)
	}
	for _, declared := range file.Decls {
		function, ok := declared.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := files.Position(function.End()).Line - files.Position(function.Pos()).Line + 1; n > maxFunctionLines {
			t.Errorf("%s: %s has %d lines, more than %d", name, function.Name.Name, n, maxFunctionLines)
		}
		if function.Recv == nil {
			continue
		}
		receiver := function.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		if named, ok := receiver.(*ast.Ident); ok {
			methods[folder+"."+named.Name]++
		}
	}
}
