package files

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Which names are those of no file of the project, or not any more.

// notThere is how programs say that a file is not there, with its name.
var notThere = lazyregexp.New(`(?m)(?:^|[\s'"` + "`" + `])([\w@./~-]+\.\w+)['"` + "`" + `]?: No such file or directory`)

// missing forgets the files that a call found not to be there: until one is listed again they are
// no files, whatever a text says of them.
func (n *Named) missing(e *timeline.Event) {
	c := e.ToolCall
	for _, m := range notThere.FindAllStringSubmatch(prose.Excerpt(e.Result.Text), perText) {
		n.goes(e.Paths.Rel(m[1], c.Info.Cwd))
	}
	n.goes(notFound(e))
	for _, change := range c.Changes {
		if timeline.Passed(e) && change.Kind == paths.Delete && !paths.Unclear(change.Path) {
			n.goes(e.Paths.Rel(change.Path, e.FolderOf(change.Dir)))
		}
	}
}

// notFound is the file that a call was to read and that is not there, "" for none.
func notFound(e *timeline.Event) string {
	c := e.ToolCall
	if e.Kind != transcript.Result || c == nil || !timeline.Failed(e) || c.Info.Meaning != transcript.Read || len(c.Info.Paths) != 1 || !absent.MatchString(e.Result.Text) {
		return ""
	}
	return e.Paths.Rel(c.Info.Paths[0], c.Info.Cwd)
}

// absent is how a tool that reads says that there is no such file.
var absent = lazyregexp.New(`(?i)^.{0,40}(?:file (?:not found|does not exist)|no such file)`)

// goes forgets a file, or all that a folder held.
func (n *Named) goes(p string) {
	if p == "" {
		return
	}
	n.gone = bounded.Limit(append(slices.Clip(n.gone), p), maxGone)
	for known, f := range n.byPath {
		if known == p && f.shown && !f.given {
			n.removed = bounded.Limit(append(slices.Clip(n.removed), p), maxGone)
		}
		if known == p || strings.HasPrefix(known, p+"/") || known == path.Base(p) && !n.bases[known] {
			delete(n.byPath, known)
		}
	}
}

// maxGone bounds how many files and folders are known not to be there.
const maxGone = 60

// isGone says that a file is known not to be there, unless it was just seen to be. A bare name is that of
// the file that is gone where no listing shows another one.
func (n *Named) isGone(p string, m mention) bool {
	bare := !strings.Contains(p, "/") && !n.bases[p]
	at := slices.IndexFunc(n.gone, func(gone string) bool {
		return p == gone || strings.HasPrefix(p, gone+"/") || bare && path.Base(gone) == p
	})
	if at >= 0 && (m == inListing || m == inSearch) {
		n.gone = slices.Delete(slices.Clone(n.gone), at, at+1)
		return false
	}
	return at >= 0
}

// evident are the ways of being named by which a file is known to be there, or to be wanted: neither
// the words of an agent nor the text of another file show that.
var evident = map[mention]bool{byUser: true, inFailure: true, inSearch: true, inOutput: true, inGit: true, inListing: true}

// mayBeThere says that nothing speaks against a file being there that nobody has read.
func (n *Named) mayBeThere(f *namedFile) bool {
	switch {
	case slices.Contains(n.fetched, f.path):
		return false
	case f.shown, !strings.Contains(f.path, "/") && n.bases[f.path]:
		return true
	case n.notListed(f.path):
		return false
	}
	return !slices.Contains(n.remote, f.path)
}

// bases are names of files without their folders.
type bases map[string]bool

// maxBases bounds how many of them are remembered: those seen first.
const maxBases = 4000

func (b *bases) add(name string) {
	if *b == nil {
		*b = bases{}
	}
	if len(*b) < maxBases {
		(*b)[name] = true
	}
}

// maxRemote bounds how many files of other places are remembered.
const maxRemote = 80

// fetches notes the files that a call got from a forge.
func (n *Named) fetches(e *timeline.Event) {
	for _, cmd := range e.ToolCall.Commands {
		if list := paths.Fetched(cmd.Argv); len(list) > 0 && timeline.Passed(e) {
			n.fetched = bounded.Limit(slices.Concat(n.fetched, list), maxRemote)
		}
	}
}

// addresses notes the files that addresses of other hosts end in.
func (n *Named) addresses(text string) {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "://")
		if !ok {
			return
		}
		end := strings.IndexFunc(after, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`<>()[]{}|\\,;?#", r) })
		if rest = ""; end >= 0 {
			after, rest = after[:end], after[end:]
		}
		if strings.Contains(after, "/") {
			n.elsewhere(strings.TrimRight(after, ".:"))
		}
	}
}

// elsewhere notes a file of another place: its whole path, and its name.
func (n *Named) elsewhere(p string) {
	for _, name := range []string{p, path.Base(p)} {
		if isFile(name) && !slices.Contains(n.remote, name) {
			n.remote = bounded.Limit(append(slices.Clip(n.remote), name), maxRemote)
		}
	}
}

// showsPatterns says that a call printed files that hold patterns of names, as .gitignore, and nothing else.
func showsPatterns(c *timeline.OpenCall) bool {
	read := slices.Clone(c.Info.Paths)
	for _, change := range c.Changes {
		read = append(read, change.Path)
	}
	isNo := func(p string) bool {
		base := path.Base(p)
		return !strings.HasPrefix(base, ".") || !strings.HasSuffix(base, "ignore")
	}
	return len(read) > 0 && !slices.ContainsFunc(read, isNo)
}

// isKey says that a name stands in quotes before a colon: a key of JSON.
func isKey(text, name string, at int) bool {
	_, after, ok := strings.Cut(text[at:], name)
	return ok && at > 0 && text[at-1] == '"' && strings.HasPrefix(after, "\"") && strings.HasPrefix(strings.TrimLeft(after[1:], " \t"), ":")
}

// makesFiles says that a call may make files: it does more than look, and removes none.
func makesFiles(c *timeline.OpenCall) bool {
	return c != nil && !c.OnlyLooks() && !slices.ContainsFunc(c.Changes, func(change paths.Change) bool { return change.Kind == paths.Delete })
}

// built are the names a bundler gives.
var built = lazyregexp.New(`(?:^|/)(?:chunks|_next|coverage)/|[-.][A-Za-z0-9_-]{8,}\.(?:js|css|map)$`)

func bundled(p string) bool { return built.MatchString(p) }

// isExample says that a name stands for one in an example, or is a piece of one.
func isExample(p string) bool {
	return prose.HasPrefixAny(p, "path/to/", "]") || strings.Contains(p, ")")
}
