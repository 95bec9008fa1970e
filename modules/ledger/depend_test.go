package ledger_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/carryover-go/carryover/modules/ledger"
	inside = module + "/sqlite/internal/"
	types  = "github.com/carryover-go/carryover/toolspecs/transcript"
)

// mayImport lists, for each package, what it may import beyond the standard
// library. Only ledger/sqlite knows the database; inside of it arrows go from
// the store to agents, fulltext, events and wreck, from agents to fulltext, from
// those that read events to bodies, from wreck to pages, and from all but pages to db.
var mayImport = map[string][]string{
	".":               {types, module + "/redact"},
	"redact":          {module + "/redact/jsontext", module + "/redact/internal/scan"},
	"redact/jsontext": {},
	// Keywords and small patterns, tried on bytes.
	"redact/internal/scan": {},
	// The samples that redaction is measured by.
	"redact/secretcorpus": {},
	"tombstone":           nil,
	"ledgertest": {
		module, types, "pgregory.net/rapid",
	},
	"sqlite": {
		module, module + "/redact", module + "/tombstone", types,
		inside + "db", inside + "fulltext", inside + "agents", inside + "events", inside + "counts", inside + "pages", inside + "wreck", inside + "originals", inside + "restores", inside + "bodies", inside + "projects",
		"gorm.io/gorm", "gorm.io/gorm/clause",
	},
	"sqlite/internal/agents":    {module, types, inside + "db", inside + "fulltext"},
	"sqlite/internal/fulltext":  {module, types, inside + "bodies", inside + "db"},
	"sqlite/internal/events":    {module, types, inside + "bodies", inside + "db"},
	"sqlite/internal/counts":    {module, types, inside + "bodies", inside + "db"},
	"sqlite/internal/bodies":    {module, types, inside + "db", "github.com/klauspost/compress/zstd"},
	"sqlite/internal/originals": {module, module + "/redact", inside + "db", "github.com/klauspost/compress/zstd"},
	"sqlite/internal/restores":  {module, module + "/redact", inside + "db"},
	"sqlite/internal/projects":  {module, inside + "db", "gorm.io/gorm", "gorm.io/gorm/clause"},
	"sqlite/internal/pages":     nil,
	"sqlite/internal/wreck":     {module, inside + "bodies", inside + "db", inside + "originals", inside + "pages"},
	"sqlite/internal/db": {
		module, inside + "pages", "github.com/glebarez/go-sqlite", "github.com/glebarez/sqlite", "github.com/gofrs/flock",
		"gorm.io/gorm", "gorm.io/gorm/logger",
	},
}

func TestImports(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		allowed, listed := mayImport[path.Dir(name)]
		if !listed {
			t.Errorf("%s is in a package that is not listed here", name)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
				continue // the standard library
			}
			if !slices.Contains(allowed, imported) {
				t.Errorf("%s imports %s", name, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
