package files

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// The files of the session that a text or a program names.

// Known finds a file by the path a program printed, which may be relative to
// another folder.
func (f *Touched) Known(p string) *Entry {
	p = strings.TrimPrefix(p, "./")
	if e := f.ByPath[p]; e != nil {
		return e
	}
	var found *Entry
	for _, e := range f.byBase[path.Base(p)] { // the end of one is the end of the other
		if endsIn(e.Path, p) || endsIn(p, e.Path) {
			if found != nil {
				return nil // two would do
			}
			found = e
		}
	}
	return found
}

// folders are those in which this session changed a file.
func (f *Touched) folders() map[string]bool {
	out := map[string]bool{}
	for p, e := range f.ByPath {
		if e.EditSeq > 0 {
			out[path.Dir(p)] = true
		}
	}
	return out
}

// NamedIn are the known files that a text names by their paths, without any by what stands before
// the ending of one ("lezerAdapter"), and how many others it names so.
func (f *Touched) NamedIn(text string) (known []*Entry, others int) {
	note := func(e *Entry) {
		if e == nil {
			others++
		} else if !slices.Contains(known, e) {
			known = append(known, e)
		}
	}
	paths.Each(text, func(p string, _ int) { note(f.Known(p)) })
	if len(known)+others > 0 {
		return known, others
	}
	for _, word := range symbol.FindAllString(text, -1) {
		note(f.byStem(word))
	}
	return known, others
}

// symbol is a word of code: with a capital or an underscore inside it.
var symbol = lazyregexp.New(`\b(?:[a-z]\w*[A-Z]\w*|[A-Za-z]\w*_\w+)\b`)

// byStem is the file changed in this session whose name without its endings is that, nil for none
// and where several would do.
func (f *Touched) byStem(stem string) *Entry {
	var found *Entry
	for base, entries := range f.byBase {
		if name, _, _ := strings.Cut(base, "."); name != stem {
			continue
		}
		for _, e := range entries {
			if e.EditSeq == 0 {
				continue
			}
			if found != nil {
				return nil
			}
			found = e
		}
	}
	return found
}

// endsIn says that a path ends in another one, by whole names.
func endsIn(long, short string) bool {
	at := len(long) - len(short)
	return at > 0 && long[at-1] == '/' && long[at:] == short
}
