package extract

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Recent files are those the session worked on. The last write wins.
//
//   - Tool calls count by their meaning and paths, shell calls by the
//     well-known programs (cat, sed, mv, rm, tee, redirections).
//   - A call that failed, was rejected or blocked touched nothing.
//   - A rename is a delete and a write; what was deleted is told once.
//   - A file is ranked by when it was last touched; edits and failing tests
//     weigh more than reads, generated and lock files stand last, scratch
//     files outside the project after those.
//   - Files that a subagent edited count, those it only read do not.
type fileRules struct {
	byPath map[string]*fileEntry
	byBase map[string]int // how many known paths share a base name
	edited int            // calls when a file was last edited
}

type fileEntry struct {
	path    string
	change  string
	seq     int // of the last touch
	turn    int
	calls   int // calls made when it was last touched
	editSeq int // of the last change, 0 for a file only read
	touches int
	tests   string
	symbols []string
	src     distiller.Source
}

// Bounds of what is remembered and told.
const (
	maxFiles   = 600
	shownFiles = 10
	maxSymbols = 6
)

func (f *fileRules) carry(prior []distiller.File) {
	for i, p := range prior {
		e := f.entry(p.Path)
		e.change, e.turn, e.tests, e.symbols, e.src = p.Change, -p.Turn, p.Tests, p.Symbols, p.Source
		e.seq = -i - 1
		if p.Change != "read" {
			e.editSeq = e.seq
		}
	}
}

func (f *fileRules) entry(p string) *fileEntry {
	if f.byPath == nil {
		f.byPath, f.byBase = map[string]*fileEntry{}, map[string]int{}
	}
	e := f.byPath[p]
	if e == nil {
		e = &fileEntry{path: p, tests: "unknown"}
		f.byPath[p] = e
		f.byBase[path.Base(p)]++
		f.forget()
	}
	return e
}

// forget drops the oldest tenth once too many files are known.
func (f *fileRules) forget() {
	if len(f.byPath) <= maxFiles {
		return
	}
	entries := f.sorted()
	for _, e := range entries[len(entries)-maxFiles/10:] {
		delete(f.byPath, e.path)
		if base := path.Base(e.path); f.byBase[base] > 1 {
			f.byBase[base]--
		} else {
			delete(f.byBase, base)
		}
	}
}

// sorted lists the files newest touch first.
func (f *fileRules) sorted() []*fileEntry {
	entries := make([]*fileEntry, 0, len(f.byPath))
	for _, e := range f.byPath {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b *fileEntry) int {
		if d := cmp.Compare(b.seq, a.seq); d != 0 {
			return d
		}
		return cmp.Compare(a.path, b.path)
	})
	return entries
}

func (f *fileRules) Add(e *timeline.Event) {
	if e.Kind != transcript.Result || e.ToolCall == nil || !timeline.Happened(e) {
		if e.Kind == transcript.Result && e.ToolCall != nil && timeline.IsTest(e.ToolCall.Family) {
			f.tested(e)
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
			f.touch(e, "read", p, c.Info.Cwd)
		}
	case c.Info.Meaning == transcript.Shell:
		f.shell(e)
		if timeline.IsTest(c.Family) && timeline.Passed(e) {
			f.tested(e)
		}
	}
}

func changeOf(m transcript.Meaning) string {
	switch m {
	case transcript.Write:
		return "write"
	case transcript.Delete:
		return "delete"
	}
	return "edit"
}

func (f *fileRules) shell(e *timeline.Event) {
	paths.OfCommand(e.ToolCall.Info.Command, func(change, p, dir string) {
		if change == "read" && (e.ToolCall.Subagent || path.Ext(p) == "" && !strings.Contains(p, "/")) {
			return
		}
		if strings.ContainsAny(p, "*$`{}=") || paths.Scratch(p) {
			return
		}
		cwd := e.ToolCall.Info.Cwd
		if dir != "" {
			if paths.IsAbs(dir) || cwd == "" && e.Paths.Cwd == "" {
				cwd = dir
			} else {
				cwd = path.Join(cmp.Or(cwd, e.Paths.Cwd), dir)
			}
		}
		f.touch(e, change, p, cwd)
	})
}

// touch records that a file was worked on.
func (f *fileRules) touch(e *timeline.Event, change, raw, cwd string) {
	p := e.Paths.Rel(raw, cwd)
	if p == "" || paths.Scratch(p) && change == "delete" {
		return
	}
	if change == "delete" && f.byPath[p] == nil && path.Ext(p) == "" {
		return
	}
	entry := f.entry(p)
	entry.touches++
	entry.seq, entry.turn, entry.calls = e.Seq, e.Turn, e.Calls
	if change == "read" {
		if entry.editSeq == 0 {
			entry.change, entry.src = "read", e.ToolCall.Source
		}
		return
	}
	if change == "edit" && entry.change == "write" && entry.editSeq > 0 {
		change = "write" // a file made in this session stays one
	}
	entry.change, entry.editSeq, entry.tests, entry.src = change, e.Seq, "unknown", e.ToolCall.Source
	for _, sym := range e.ToolCall.Symbols {
		entry.symbols = remember(entry.symbols, sym)
	}
	f.edited = e.Calls
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

// tested notes what a test run says about files: the ones it names, and, when
// everything passed, those edited before it.
func (f *fileRules) tested(e *timeline.Event) {
	r := e.Test
	for _, p := range r.Failing {
		if timeline.Passed(e) {
			break // lines that a passing test printed
		}
		if entry := f.known(p); entry != nil {
			entry.tests = "failing"
			entry.seq, entry.turn = e.Seq, e.Turn
		}
	}
	for _, p := range r.Passing {
		if entry := f.known(p); entry != nil {
			entry.tests = "passing"
		}
	}
	if !timeline.Passed(e) {
		return
	}
	for _, entry := range f.byPath {
		if entry.editSeq > 0 && codeExt[path.Ext(entry.path)] && paths.Inside(entry.path) {
			entry.tests = "passing"
		}
	}
}

// codeExt are the endings of files that a test run says something about.
var codeExt = prose.SetOf(".go .py .pyi .ts .tsx .js .jsx .mjs .cjs .rs .rb .php .java .kt .kts .swift .c .h .cc .cpp .hpp .cs .m .mm .scala .sh .bash .sql " +
	".vue .svelte .astro .proto .graphql .lua .dart .ex .exs .erl .hs .ml .clj .jl .zig")

// known finds a file by the path a program printed, which may be relative to
// another folder.
func (f *fileRules) known(p string) *fileEntry {
	p = strings.TrimPrefix(p, "./")
	if e := f.byPath[p]; e != nil {
		return e
	}
	var found *fileEntry
	for known, e := range f.byPath {
		if strings.HasSuffix(known, "/"+p) || strings.HasSuffix(p, "/"+known) {
			if found != nil {
				return nil // two would do
			}
			found = e
		}
	}
	return found
}

// rank is how much the next agent needs a file: events since the last touch,
// less what speaks for it, more what speaks against it.
func (e *fileEntry) rank(now, turn int) int {
	age := now - e.seq
	if e.editSeq != 0 {
		age -= 80
	}
	if e.tests == "failing" {
		age -= 60
	}
	if e.touches > 2 {
		age -= 20
	}
	if turn-e.turn > 1 {
		age += 40
	}
	if paths.Generated(e.path) {
		age += 100_000
	}
	if !paths.Inside(e.path) {
		age += 100
		if e.editSeq == 0 {
			age += 1_000
		}
	}
	if paths.Scratch(e.path) && e.editSeq == 0 {
		age += 200_000
	}
	if e.change == "delete" {
		age += 100
	}
	return age
}

func (f *fileRules) facts(seq, turn int, requests *timeline.Timeline) []distiller.File {
	entries := f.sorted()
	request := ""
	for _, r := range requests.Chain() {
		request += r.Words + "\n"
	}
	rank := func(e *fileEntry) int {
		if strings.Contains(request, path.Base(e.path)) {
			return e.rank(seq, turn) - 50 // the request itself names it
		}
		return e.rank(seq, turn)
	}
	slices.SortStableFunc(entries, func(a, b *fileEntry) int { return cmp.Compare(rank(a), rank(b)) })
	var out []distiller.File
	for _, e := range entries {
		if len(out) == shownFiles {
			break
		}
		if e.editSeq == 0 && !paths.Inside(e.path) && len(out) > 0 {
			continue // what was read outside the project is instructions, caches, logs
		}
		out = append(out, distiller.File{Path: e.path, Change: e.change, Turn: max(0, turn-e.turn), Tests: e.tests, Symbols: e.symbols, Source: e.src})
	}
	return out
}

// uncommitted are the files changed since the last commit this session made.
func (f *fileRules) uncommitted(since int) []string {
	var out []string
	for _, e := range f.sorted() {
		if e.editSeq > since && e.editSeq > 0 && paths.Inside(e.path) && e.change != "read" {
			out = append(out, e.path)
		}
	}
	return out
}

// asRead are the files as another session knows them that changed none of them.
func (f *fileRules) asRead() fileRules {
	for _, entry := range f.byPath {
		entry.change, entry.editSeq, entry.turn, entry.calls, entry.tests = "read", 0, 0, 0, ""
	}
	return fileRules{byPath: f.byPath, byBase: f.byBase}
}

// opened says whether a named file is one the session worked on.
func (f *fileRules) opened(p string) bool {
	return f.known(p) != nil || !strings.Contains(p, "/") && f.byBase[p] > 0
}
