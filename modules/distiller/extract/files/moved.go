package files

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What shell commands did to files: read, written, renamed, removed, restored.

func (f *Touched) shell(e *timeline.Event) {
	for _, change := range e.ToolCall.Changes {
		p, dir := change.Path, e.FolderOf(change.Dir)
		switch {
		case change.Kind == paths.Read:
			f.read(e, change)
		case change.Kind == paths.Delete:
			f.remove(e, change, dir)
		case paths.Unclear(p) || paths.Scratch(p):
			f.renames(e, change.From, dir, "")
		case change.From == "" || !f.renames(e, change.From, dir, e.Paths.Rel(p, dir)):
			f.touch(e, change.Kind, p, dir)
		}
	}
	f.restore(e)
}

// read records a file that a command of the agent's own printed or searched.
func (f *Touched) read(e *timeline.Event, change paths.Change) {
	p := change.Path
	if !e.ToolCall.Subagent && !paths.Unclear(p) && !paths.Scratch(p) && (path.Ext(p) != "" || strings.Contains(p, "/")) {
		f.touch(e, paths.Read, p, e.FolderOf(change.Dir))
	}
}

// looked records the files that a call searched, be it that nothing was found in them.
func (f *Touched) looked(e *timeline.Event) {
	c := e.ToolCall
	if c.Info.Meaning == transcript.Search && !c.Subagent && len(c.Info.Paths) == 1 && isFile(c.Info.Paths[0]) && c.Info.Detail != c.Info.Paths[0] {
		f.touch(e, paths.Read, c.Info.Paths[0], c.Info.Cwd)
	}
	for _, change := range c.Changes {
		if change.Kind == paths.Read && slices.ContainsFunc(c.Commands, searches) {
			f.read(e, change)
		}
	}
}

// searches says that a command answers whether something is in a file: others fail for want of the file.
func searches(c shell.Command) bool { return searchers[shell.Program(shell.Unwrap(c.Argv))] }

var searchers = prose.SetOf("grep rg egrep fgrep ag ack git diff cmp test [ jq yq find fd")

// remove records a file that was removed, or all known files that a folder or a pattern names.
func (f *Touched) remove(e *timeline.Event, change paths.Change, dir string) {
	folder, name := path.Split(change.Path)
	if paths.Unclear(folder) || paths.Scratch(change.Path) || paths.Variable(name) {
		return
	}
	var gone []*Entry
	if p := e.Paths.Rel(change.Path, dir); p != "" {
		f.touch(e, paths.Delete, change.Path, dir)
		if gone = f.below(p); f.ByPath[p] != nil {
			gone = append(gone, f.ByPath[p])
		}
	} else if in := path.Dir(e.Paths.Rel(path.Join(folder, "x"), dir)); strings.Contains(name, "*") {
		gone = f.which(func(e *Entry) bool {
			meant, err := path.Match(name, path.Base(e.Path))
			return err == nil && meant && path.Dir(e.Path) == in
		})
	}
	for _, entry := range gone {
		if entry.Change != paths.Delete {
			f.change(e, paths.Delete, entry.Path)
		}
		entry.byGit = change.Git
	}
}

// below are the known files in a folder, by path: what is done to them one by one must not depend on
// the order of a map.
func (f *Touched) below(folder string) []*Entry {
	return f.which(func(e *Entry) bool { return folder != "" && strings.HasPrefix(e.Path, folder+"/") })
}

// which are the known files of a kind, by path.
func (f *Touched) which(is func(e *Entry) bool) []*Entry {
	var out []*Entry
	for _, entry := range f.ByPath {
		if is(entry) {
			out = append(out, entry)
		}
	}
	slices.SortFunc(out, func(a, b *Entry) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// renames records the new name of a file, or of all known files of a folder; the new name is ""
// where it is not kept. It says whether a known file has a new name now.
func (f *Touched) renames(e *timeline.Event, from, dir, to string) bool {
	old := e.Paths.Rel(from, dir)
	if entry := f.ByPath[old]; entry != nil && from != "" {
		f.rename(e, entry, to)
		return to != ""
	}
	inside := f.below(old)
	for _, entry := range inside {
		if to == "" {
			f.rename(e, entry, "")
		} else {
			f.rename(e, entry, to+strings.TrimPrefix(entry.Path, old))
		}
	}
	return to != "" && len(inside) > 0
}

// rename hands what is known of a file to its new name: what that named before is gone.
func (f *Touched) rename(e *timeline.Event, old *Entry, to string) {
	first := old // the name it had before this session renamed it
	if old.from != nil && old.from.Change == paths.Delete {
		first = old.from
	}
	if old.renamed, first.renamed = true, true; to == "" {
		return
	}
	f.change(e, paths.Move, to)
	if entry := f.ByPath[to]; entry != nil && entry != old {
		entry.Symbols, entry.from = slices.Clone(old.Symbols), first
	}
}

// restore takes what git put back into the work tree: it is there again, as it was committed.
func (f *Touched) restore(e *timeline.Event) {
	for _, c := range e.ToolCall.Commands {
		switch family := shell.Family(c.Argv); {
		case family == "git restore" && slices.Contains(c.Argv, "--staged"), family != "git restore" && family != "git checkout", timeline.Elsewhere(e, c):
			continue
		}
		for _, target := range shell.Targets(c.Argv) {
			p := e.Paths.Rel(target, e.FolderOf(c.Dir))
			for _, entry := range f.ByPath {
				if entry.EditSeq > 0 && (target == "." || entry.Path == p || p != "" && strings.HasPrefix(entry.Path, p+"/")) {
					entry.restored(e.Seq)
				}
			}
		}
	}
}

// restored notes that a file is again what was committed.
func (e *Entry) restored(seq int) {
	if e.clean = seq; e.Change == paths.Delete {
		e.Change, e.EditSeq = paths.Read, 0
	}
}

// Removed are the files that were there before this session and that it removed, newest first,
// after the newest commit: neither those that a program makes again nor those that the person's
// words name. What git removed it still has.
func (f *Touched) Removed(since int, requests *timeline.Timeline, named *Named) []*Entry {
	var out []*Entry
	for _, e := range f.Sorted() {
		switch {
		case e.Change != paths.Delete, e.made, e.renamed, e.byGit, e.EditSeq <= max(since, e.clean, 0):
		case !paths.Inside(e.Path), replaceable(e.Path), asked(requests, e.Path):
		case e.unmet && (!IsCode(e.Path) || !slices.Contains(named.removed, e.Path)): // nothing shows that it was there before
		default:
			out = append(out, e)
		}
	}
	return out
}

// outputs are files and folders that builds and tests write, and that most projects keep out of git.
var outputs = lazyregexp.New(`(?:^|/)(?:dist|build|out|bin|obj|coverage|\.?cache|te?mp|logs?)/|\.(?:log|tmp|bak|orig|pyc|o|out|pid|lock|zip|tgz|gz)$`)

// replaceable says that a program made a file and makes it again, or that its name says it is not to stay.
func replaceable(p string) bool {
	return paths.Generated(p) || bundled(p) || left(p) || outputs.MatchString(p)
}

// asked says that the words of a request name a file, its folder, or it without its ending.
func asked(requests *timeline.Timeline, file string) bool {
	base, folder := path.Base(file), path.Base(path.Dir(file))
	stem, _, _ := strings.Cut(base, ".")
	named := func(text string) bool {
		return strings.Contains(text, base) || len(folder) > 1 && strings.Contains(text, folder+"/") || hasWord(text, stem)
	}
	return slices.ContainsFunc(requests.Requests, func(r *timeline.Request) bool {
		return named(r.Words) || slices.ContainsFunc(r.Moved, func(nudge timeline.Quote) bool { return named(nudge.Text) })
	})
}

// hasWord says that a name is a word of a text, in any case.
func hasWord(text, name string) bool {
	parts := func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return slices.ContainsFunc(strings.FieldsFunc(text, parts), func(w string) bool { return strings.EqualFold(w, name) })
}
