package files

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
)

// rank is how much the next agent needs a file: events since the last touch,
// less what speaks for it, more what speaks against it.
func (e *Entry) rank(now, turn int) int {
	age := now - e.seq
	if e.EditSeq != 0 {
		age -= 80
	}
	if e.Tests == testsFailing {
		age -= 60
	}
	if e.touches > 2 {
		age -= 20
	}
	if turn-e.Turn > 1 {
		age += 40
	}
	if paths.Generated(e.Path) {
		age += 100_000
	}
	if paths.Scratch(e.Path) { // made to try something in
		age += 200
	}
	if !paths.Inside(e.Path) {
		age += 100
		if e.EditSeq == 0 {
			age += onlyRead
		}
	}
	if paths.Scratch(e.Path) && e.EditSeq == 0 {
		age += 200_000
	}
	if e.Change == paths.Delete {
		age += 100
	}
	return age
}

// onlyRead is what a file outside the project has against it that was not changed.
const onlyRead = 1_000

// holds are the symbols of a file, none where it has another name now: they are listed under that.
func (e *Entry) holds() []string {
	if e.renamed {
		return nil
	}
	return e.Symbols
}

// since is the turn of what is said of a file: when it was changed, else read.
func (e *Entry) since() int {
	if e.EditSeq != 0 {
		return e.edited
	}
	return e.Turn
}

// Facts are the files that the next agent needs most. Seq and turn say how far
// the session is; a file that the requests name stands higher.
func (f *Touched) Facts(seq, turn int, requests *timeline.Timeline) []distiller.File {
	entries := f.Sorted()
	var words strings.Builder
	for _, r := range requests.Chain() {
		words.WriteString(r.Words + "\n")
	}
	request := words.String()
	ranks := make(map[*Entry]int, len(entries))
	within := false // something of the project was opened
	for _, e := range entries {
		within = within || paths.Inside(e.Path)
		if ranks[e] = e.rank(seq, turn); f.asked.in(request, path.Base(e.Path)) {
			ranks[e] -= 50 // the request itself names it
		}
		if e.EditSeq == 0 && !paths.Inside(e.Path) && inNamedFolder(request, e.Path) {
			ranks[e] -= onlyRead + 150 // or where it is
		}
	}
	slices.SortStableFunc(entries, func(a, b *Entry) int { return cmp.Compare(ranks[a], ranks[b]) })
	var out []distiller.File
	for _, e := range entries {
		if len(out) == shownFiles {
			break
		}
		if e.Change == paths.Delete && e.made {
			continue // nothing is left of it, or it is listed under its new name
		}
		if outside := e.EditSeq == 0 && !paths.Inside(e.Path); outside && len(out) > 0 && (paths.Generated(e.Path) || within && !f.asked.in(request, path.Base(e.Path)) && !inNamedFolder(request, e.Path)) {
			continue // what was read outside the project is instructions, caches, logs, unless the work is there
		}
		out = append(out, distiller.File{Path: e.Path, Change: e.Change, Turn: max(0, turn-e.since()), Tests: e.Tests, Symbols: e.holds(), Source: e.Source})
	}
	return out
}

// Uncommitted are the files changed since the last commit this session made.
func (f *Touched) Uncommitted(since int) []string {
	var out []string
	for _, e := range f.Sorted() {
		if e.EditSeq > max(since, e.clean, 0) && paths.Inside(e.Path) && e.Change != paths.Read && (e.Change != paths.Delete || !e.made) && !e.renamed {
			out = append(out, e.Path)
		}
	}
	return out
}

// Strange are those of some files that nothing in this session changed or wrote by name, without
// what a program generates.
func (f *Touched) Strange(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(p string) bool {
		known := f.Known(p)
		return known != nil && known.EditSeq > 0 || paths.Generated(p) || strings.Contains(path.Base(p), ".generated.")
	})
}

// inNamedFolder says that a file lies in a folder that a request names.
func inNamedFolder(request, file string) bool {
	for _, folder := range paths.Folders(request) {
		if base := path.Base(folder); len(base) > 3 && strings.Contains("/"+file, "/"+base+"/") {
			return true
		}
	}
	return false
}
