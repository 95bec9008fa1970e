package query

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// SourceStore lists what was read.
type SourceStore interface {
	Sources(ctx context.Context, tool string) ([]ledger.Source, error)
}

// MissingFolders are the folders of a tool's transcripts that are gone although
// transcripts were read from them: deleted, moved away, or on a disk that is not
// there. A transcript that is read elsewhere now is not missed.
func MissingFolders(ctx context.Context, table *toolspecs.Table, store SourceStore, tool string) ([]view.MissingFolder, error) {
	roots, gone := rootsOf(table, tool)
	if len(gone) == 0 {
		return nil, nil
	}
	sources, err := store.Sources(ctx, tool)
	if err != nil {
		return nil, err
	}
	var missing []view.MissingFolder
	for _, root := range gone {
		folder := view.MissingFolder{Path: root}
		for _, source := range sources {
			if isBelow(root, source.Path) && !isElsewhere(sources, source) {
				folder.Transcripts++
			}
		}
		if folder.Transcripts > 0 {
			folder.Now = nowIn(sources, roots)
			missing = append(missing, folder)
		}
	}
	return missing, nil
}

// rootsOf are the folders of a tool's transcripts, and those of them that are gone.
func rootsOf(table *toolspecs.Table, tool string) (all, gone []string) {
	for _, root := range capture.SourceRoots(table) {
		if root.Tool == tool {
			all = append(all, root.Root)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, root := range all {
		if _, err := os.Stat(root); os.IsNotExist(err) {
			gone = append(gone, root)
		}
	}
	return all, gone
}

// isElsewhere says whether a transcript of the same name is at another place and is
// there: the tool itself moved it, as into its archive.
func isElsewhere(sources []ledger.Source, gone ledger.Source) bool {
	return slices.ContainsFunc(sources, func(other ledger.Source) bool {
		return other.Path != gone.Path && filepath.Base(other.Path) == filepath.Base(gone.Path) && isThere(other.Path)
	})
}

// nowIn is the folder of the transcript written last that a hook named and that is in
// none of the tool's folders, "" where there is none.
func nowIn(sources []ledger.Source, roots []string) string {
	var newest ledger.Source
	for _, source := range sources {
		known := slices.ContainsFunc(roots, func(root string) bool { return isBelow(root, source.Path) })
		if !known && filepath.IsAbs(source.Path) && source.ModTime.After(newest.ModTime) && isThere(source.Path) {
			newest = source
		}
	}
	if newest.Path == "" {
		return ""
	}
	return filepath.Dir(newest.Path)
}

func isBelow(root, path string) bool {
	return strings.HasPrefix(path, root+string(filepath.Separator))
}

func isThere(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Type()&fs.ModeDir == 0
}
