package distiller_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
)

// forbidden are packages that would let chance, time or the machine into a
// handoff. Of time only the types are used.
var forbidden = []string{"os", "net", "math/rand", "crypto/rand", "database/", "io/fs", "path/filepath", "runtime", "syscall", "unsafe", "testing"}

// TestTheFoldIsPure holds every source file against what the distiller must
// not know: clock, network, disk, database, randomness.
func TestTheFoldIsPure(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if strings.Contains(name, ".") && !strings.HasSuffix(name, "/toolspecs/transcript") && !strings.HasPrefix(path, "syntax/") && !strings.Contains(name, "/modules/distiller") {
				t.Errorf("%s imports %s", path, name)
			}
			for _, bad := range forbidden {
				if name == bad || strings.HasPrefix(name, bad+"/") || strings.HasSuffix(bad, "/") && strings.HasPrefix(name, bad) {
					t.Errorf("%s imports %s", path, name)
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" {
				switch sel.Sel.Name {
				case "Now", "Since", "Until", "Local", "LoadLocation", "After", "Tick", "NewTimer", "NewTicker", "Sleep":
					t.Errorf("%s uses time.%s", path, sel.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
