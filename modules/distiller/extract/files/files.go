// Package files keeps the files of a session: those worked on, those named and
// not opened, what an edit left unfinished in them, and what the session left
// behind.
package files

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Touched are the files the session worked on. The last write wins.
//
//   - Tool calls count by their meaning and paths, shell calls by the
//     well-known programs (cat, sed, mv, rm, tee, redirections).
//   - A call that failed, was rejected or blocked touched nothing.
//   - A search of one file reads it, whether it finds something or not.
//   - A renamed file takes what is known of it along; one that this session made
//     and removed again, or renamed, is not listed under its old name.
//   - A file is ranked by when it was last touched; edits and failing tests
//     weigh more than reads, generated and lock files stand last, scratch
//     files outside the project after those.
//   - Files that a subagent edited count, those it only read do not.
type Touched struct {
	ByPath map[string]*Entry
	byBase map[string][]*Entry // known paths that share a base name, in no order
	Edited int                 // calls when a file was last edited
	Others Others              // what git status lists besides
	asked  mentions
}

// Others are the changes in the work tree that this session did not make, as git status
// listed them last, and that no commit has taken since.
type Others struct {
	Paths  []string
	Source distiller.Source
}

// mentions are which base names a text holds, each looked for once.
type mentions struct {
	text  string
	known map[string]bool
}

func (m *mentions) in(text, base string) bool {
	if m.known == nil || m.text != text || len(m.known) > 2*maxFiles {
		m.text, m.known = text, map[string]bool{}
	}
	holds, known := m.known[base]
	if !known {
		holds = strings.Contains(text, base)
		m.known[base] = holds
	}
	return holds
}

// Entry is one file, with what was done to it last.
type Entry struct {
	Path    string
	Change  string
	seq     int    // of the last touch
	Turn    int    // of the last touch
	edited  int    // turn of the last change
	calls   int    // calls made when it was last touched
	EditSeq int    // of the last change, 0 for a file only read
	clean   int    // when git status listed it no more
	made    bool   // it was written here before anything else was done to it
	unmet   bool   // it was removed before anything else was done to it
	byGit   bool   // git removed it
	renamed bool   // it has another name now
	from    *Entry // what it was called before it was renamed, nil for a file that was not
	touches int
	Tests   string
	Symbols []string
	Source  distiller.Source
}

// Bounds of what is remembered and shown.
const (
	maxFiles   = 600
	shownFiles = 16
	maxSymbols = 6
)

// Carry takes over the files of the session that this one continues.
func (f *Touched) Carry(prior []distiller.File) {
	for i, p := range prior {
		e := f.entry(p.Path)
		e.Change, e.Turn, e.edited, e.Tests, e.Symbols, e.Source = p.Change, -p.Turn, -p.Turn, p.Tests, p.Symbols, p.Source
		e.seq, e.made = -i-1, p.Change == paths.Write
		if p.Change != paths.Read {
			e.EditSeq = e.seq
		}
	}
}

func (f *Touched) entry(p string) *Entry {
	if f.ByPath == nil {
		f.ByPath, f.byBase = map[string]*Entry{}, map[string][]*Entry{}
	}
	e := f.ByPath[p]
	if e == nil {
		e = &Entry{Path: p, Tests: testsUnknown}
		f.ByPath[p] = e
		f.byBase[path.Base(p)] = append(f.byBase[path.Base(p)], e)
		f.forget()
	}
	return e
}

// forget drops the oldest tenth once too many files are known.
func (f *Touched) forget() {
	if len(f.ByPath) <= maxFiles {
		return
	}
	entries := f.Sorted()
	for _, e := range entries[len(entries)-maxFiles/10:] {
		drop(f, e.Path)
	}
}

// drop forgets a file.
func drop(f *Touched, p string) {
	e, base := f.ByPath[p], path.Base(p)
	if e == nil {
		return
	}
	delete(f.ByPath, p)
	if f.byBase[base] = slices.DeleteFunc(f.byBase[base], func(other *Entry) bool { return other == e }); len(f.byBase[base]) == 0 {
		delete(f.byBase, base)
	}
}

// Sorted lists the files newest touch first.
func (f *Touched) Sorted() []*Entry {
	entries := make([]*Entry, 0, len(f.ByPath))
	for _, e := range f.ByPath {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b *Entry) int {
		if d := cmp.Compare(b.seq, a.seq); d != 0 {
			return d
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return entries
}

// Add takes one more event.
func (f *Touched) Add(e *timeline.Event) {
	if e.Kind == transcript.Result && e.ToolCall != nil && e.Verdict.Kind == verdict.NoHit { // it was looked into all the same
		f.looked(e)
	}
	if e.Kind != transcript.Result || e.ToolCall == nil || !timeline.Happened(e) {
		if e.Kind == transcript.Result && e.ToolCall != nil && timeline.IsTest(e.ToolCall.Family) {
			f.tested(e)
		}
		if p := notFound(e); p != "" {
			drop(f, p)
		}
		return
	}
	c := e.ToolCall
	switch {
	case timeline.Edits(c.Info.Meaning):
		for _, p := range c.Info.Paths {
			f.touch(e, changeOf(c.Info.Meaning), p, c.Info.Cwd)
		}
	case c.Info.Meaning == transcript.Read && !c.Subagent:
		for _, p := range c.Info.Paths {
			f.touch(e, paths.Read, p, c.Info.Cwd)
		}
	case c.Info.Meaning == transcript.Search:
		f.looked(e)
	case c.Info.Meaning == transcript.Shell:
		f.shell(e)
		f.status(e)
		if c.Commits() {
			f.Others = Others{}
		}
		if timeline.IsTest(c.Family) && timeline.Passed(e) {
			f.tested(e)
		}
	}
}

func changeOf(m transcript.Meaning) string {
	switch m {
	case transcript.Write:
		return paths.Write
	case transcript.Delete:
		return paths.Delete
	}
	return paths.Edit
}

// touch records that a file was worked on.
func (f *Touched) touch(e *timeline.Event, change, raw, cwd string) {
	p := e.Paths.Rel(raw, cwd)
	if p == "" || paths.Scratch(p) && change == paths.Delete {
		return
	}
	if change == paths.Delete && f.ByPath[p] == nil && path.Ext(p) == "" {
		return
	}
	f.change(e, change, p)
}

// change records what a call did to a file, by the name it is listed under.
func (f *Touched) change(e *timeline.Event, change, p string) {
	entry := f.entry(p)
	if entry.touches++; entry.touches == 1 && entry.Change == "" {
		entry.made, entry.unmet = change == paths.Write || change == paths.Move, change == paths.Delete
	}
	entry.seq, entry.Turn, entry.calls = e.Seq, e.Turn, e.Calls
	if change == paths.Read {
		if entry.Change == paths.Delete && entry.EditSeq < e.Seq {
			entry.restored(e.Seq) // somebody put it back
		}
		if entry.EditSeq == 0 {
			entry.Change, entry.Source = paths.Read, e.ToolCall.Source
		}
		return
	}
	if change == paths.Edit && entry.Change == paths.Write && entry.EditSeq > 0 {
		change = paths.Write // a file made in this session stays one
	}
	entry.renamed, entry.byGit = false, false
	entry.Change, entry.EditSeq, entry.edited, entry.Tests, entry.Source = change, e.Seq, e.Turn, testsUnknown, e.ToolCall.Source
	if old := entry.from; change == paths.Delete && old != nil && old != entry && old.Change == paths.Delete {
		old.renamed, old.EditSeq, entry.made = false, e.Seq, true // it is gone under both names
	}
	for _, sym := range e.ToolCall.Symbols {
		entry.Symbols = remember(entry.Symbols, sym)
	}
	if paths.Checked(p) && !paths.Scratch(p) && (change != paths.Delete || paths.Inside(p)) {
		f.Edited = e.Calls
	}
}

// remember moves a symbol to the front of a short list.
func remember(list []string, sym string) []string {
	out := []string{sym}
	for _, s := range list {
		if s != sym && len(out) < maxSymbols {
			out = append(out, s)
		}
	}
	return out
}

// IsCode says that a file is one that a test run says something about.
func IsCode(p string) bool { return codeExt[path.Ext(p)] }

// codeExt are the endings of files that a test run says something about.
var codeExt = prose.SetOf(".go .py .pyi .ts .tsx .js .jsx .mjs .cjs .rs .rb .php .java .kt .kts .swift .c .h .cc .cpp .hpp .cs .m .mm .scala .sh .bash .sql " +
	".vue .svelte .astro .proto .graphql .lua .dart .ex .exs .erl .hs .ml .clj .jl .zig")

// AsRead are the files as another session knows them that changed none of them.
func (f *Touched) AsRead() Touched {
	for _, entry := range f.ByPath {
		entry.Change, entry.EditSeq, entry.Turn, entry.calls, entry.Tests, entry.made = paths.Read, 0, 0, 0, "", false
	}
	return Touched{ByPath: f.ByPath, byBase: f.byBase}
}

// opened says whether a file that was named last after so many calls is one the session changed,
// one that it read since, or one that is shown as read.
func (f *Touched) opened(p string, calls int, shown []distiller.File) bool {
	known := f.Known(p)
	if known != nil && known.EditSeq == 0 {
		return known.calls >= calls || slices.ContainsFunc(shown, func(file distiller.File) bool { return file.Path == known.Path })
	}
	return known != nil || !strings.Contains(p, "/") && len(f.byBase[p]) > 0
}
