package timeline

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Which files a call changes.

// makes says that a call writes whole files, where there may have been none.
func makes(e *Event) bool {
	return e.ToolCall.Info.Meaning == transcript.Write || e.ToolCall.Info.Command != "" && slices.ContainsFunc(e.ToolCall.Commands, func(c shell.Command) bool { return len(c.Writes) > 0 })
}

// ChangedBy are the files of the project that a call changed.
func ChangedBy(e *Event) []string {
	var out []string
	EachChanged(e, func(p, raw string, shell bool) {
		if p != "" && paths.Inside(p) && (!shell || !paths.Unclear(raw) && !paths.Scratch(raw)) {
			out = append(out, p)
		}
	})
	return out
}

// EachChanged yields the paths that a call changes, in the project and as it gave them; shell
// says that a command names the path.
func EachChanged(e *Event, yield func(p, raw string, shell bool)) {
	if Edits(e.ToolCall.Info.Meaning) {
		for _, raw := range e.ToolCall.Info.Paths {
			yield(e.Paths.Rel(raw, e.ToolCall.Info.Cwd), raw, false)
		}
	}
	for _, change := range e.ToolCall.Changes {
		if change.Kind != paths.Read {
			yield(e.Paths.Rel(change.Path, e.FolderOf(change.Dir)), change.Path, true)
		}
	}
}

// FolderOf is where a command of the event's call ran that went to a folder before, "" for none.
func (e *Event) FolderOf(dir string) string { return e.Paths.Folder(dir, e.ToolCall.Info.Cwd) }

// writesElsewhere notes what a call writes outside the project: a new project beside it, notes,
// settings; of commands not what is only tried. False for nothing.
func (r *Request) writesElsewhere(e *Event) bool {
	wrote := false
	EachChanged(e, func(p, raw string, shell bool) {
		tried := shell && (paths.Unclear(raw) || paths.Scratch(p))
		if p == "" || paths.Inside(p) || tried {
			return
		}
		if wrote = true; !slices.Contains(r.elsewhere, p) && len(r.elsewhere) < MaxChanged {
			r.elsewhere = append(r.elsewhere, p)
		}
	})
	return wrote
}

// moved takes the old names of files out of those changed: with its new name each is one change.
func (r *Request) moved(e *Event, changed []string) []string {
	for _, change := range e.ToolCall.Changes {
		if change.From != "" {
			from := e.Paths.Rel(change.From, e.FolderOf(change.Dir))
			of := func(p string) bool { return p == from }
			r.Changed, changed = slices.DeleteFunc(slices.Clone(r.Changed), of), slices.DeleteFunc(changed, of)
		}
	}
	return changed
}

// unmade takes the files out of those changed that the request made before and that are removed
// now: nothing is left of them.
func (r *Request) unmade(e *Event, changed []string) []string {
	removed := e.ToolCall.Info.Meaning == transcript.Delete
	var gone []string
	for _, p := range changed {
		if removed && slices.Contains(r.made, p) {
			gone = append(gone, p)
		}
	}
	var here []string // written by the same text
	for _, change := range e.ToolCall.Changes {
		switch p := e.Paths.Rel(change.Path, e.FolderOf(change.Dir)); {
		case change.Kind == paths.Write:
			here = append(here, p)
		case change.Kind == paths.Delete && (slices.Contains(r.made, p) || slices.Contains(here, p)):
			gone = append(gone, p)
		}
	}
	of := func(p string) bool { return slices.Contains(gone, p) }
	r.Changed, r.made = slices.DeleteFunc(slices.Clone(r.Changed), of), slices.DeleteFunc(slices.Clone(r.made), of)
	return slices.DeleteFunc(slices.Clone(changed), of)
}
