package publish

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// ContextFiles are all files that a block of ours may be in.
func ContextFiles(table *toolspecs.Table) []string {
	names := []string{sharedFile}
	for _, spec := range table.All() {
		for _, version := range spec.Versions {
			names = append(names, version.Context.Reads...)
			names = append(names, version.Context.Create)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" || strings.Contains(name, "*") })
}

// Worktrees are the folders of a project that a handoff may have been written into.
func Worktrees(project ledger.Project) []string {
	var list []string
	for _, path := range append([]string{project.Path}, project.Paths...) {
		if path != "" && filepath.Base(path) != ".git" && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	return list
}

// Held lists what of Carryover is in a worktree: the folder, and the project's own
// files that a block or lines of ours are in. A worktree that is gone holds nothing.
func Held(worktree string, contextFiles []string) ([]string, error) {
	return clean(worktree, contextFiles, false)
}

// Clean removes what Held lists. A file of the project that has nothing else is
// removed; of all others only our lines are. What is refused is named in the error.
func Clean(worktree string, contextFiles []string) ([]string, error) {
	return clean(worktree, contextFiles, true)
}

func clean(worktree string, contextFiles []string, remove bool) (held []string, err error) {
	if _, err := os.Stat(worktree); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	project, err := Open(worktree)
	if err != nil {
		return nil, err
	}
	defer func() { _ = project.Close() }()
	var errs []error
	for _, name := range append(slices.Clone(contextFiles), ".gitignore") {
		without := withoutBlock
		if name == ".gitignore" {
			without = withoutIgnored
		}
		has, err := project.strip(name, without, remove)
		if has {
			held = append(held, name)
		}
		errs = append(errs, err)
	}
	has, err := project.removeFolder(remove)
	if has {
		held = append(held, Dir+"/")
	}
	return held, errors.Join(append(errs, err)...)
}

// strip removes our lines from a file of the project.
func (p *Project) strip(name string, without func([]byte) []byte, remove bool) (has bool, err error) {
	old, err := p.read(name)
	if err != nil {
		if refused(err) { // nothing of ours was written there either
			err = nil
		}
		return false, err
	}
	rest := without(old)
	switch {
	case len(rest) == len(old):
		return false, nil
	case !remove:
		return true, nil
	case len(bytes.TrimSpace(rest)) == 0:
		return true, p.remove(name)
	}
	_, err = p.replace(name, rest, 0o644)
	return true, err
}

// withoutBlock is a text without our block and the empty line above it, which came
// with it.
func withoutBlock(text []byte) []byte {
	from, to := bytes.Index(text, []byte(blockStart)), bytes.Index(text, []byte(blockEnd))
	if from < 0 || to < from {
		return text
	}
	eol := lineEnd(text)
	rest := bytes.TrimPrefix(text[to+len(blockEnd):], []byte(eol))
	head := text[:from]
	if bytes.HasSuffix(head, []byte(eol+eol)) {
		head = head[:len(head)-len(eol)]
	} else {
		rest = bytes.TrimPrefix(rest, []byte(eol))
	}
	return slices.Concat(head, rest)
}

// withoutIgnored is a .gitignore without the lines that Ignore added.
func withoutIgnored(text []byte) []byte {
	eol := lineEnd(text)
	return bytes.Replace(text, []byte(ignoredMark+eol+Dir+"/"+eol), nil, 1)
}

// removeFolder removes what Carryover wrote below Dir, and the folder where nothing
// else is in it. What a person wrote there stays, in ledger.md too.
func (p *Project) removeFolder(remove bool) (has bool, err error) {
	names, errs := p.ownFiles()
	if len(names) == 0 {
		return false, errors.Join(errs...)
	}
	if !remove {
		return true, errors.Join(errs...)
	}
	for _, name := range names {
		if name == ledgerFile && p.keepsNotes() {
			continue
		}
		errs = append(errs, p.files.Remove(name))
	}
	if names, err := p.files.Files(Dir); err == nil && len(names) == 1 { // nothing is left to hide
		errs = append(errs, p.files.Remove(innerIgnore))
	}
	return true, errors.Join(append(errs, p.files.RemoveEmpty(Dir))...)
}

// ownFiles are the files below Dir that Carryover wrote and that are there.
func (p *Project) ownFiles() (names []string, errs []error) {
	all, err := p.files.Files(Dir)
	if refused(err) {
		err = nil // it is not ours
	}
	for _, name := range all {
		mine := slices.Contains(texts, name) || slices.ContainsFunc(textFolders, func(folder string) bool { return strings.HasPrefix(name, folder+"/") })
		if mine {
			names = append(names, name)
		}
	}
	if len(all) == 1 && all[0] == innerIgnore {
		names = all
	}
	return names, []error{err}
}

// keepsNotes says whether a person wrote something around the report.
func (p *Project) keepsNotes() bool {
	text, err := p.read(ledgerFile)
	rest := replaceMarked(string(text), ledgerStart, ledgerEnd, "")
	return err != nil || strings.TrimSpace(replaceMarked(rest, render.SnapshotStart, render.SnapshotEnd, "")) != ""
}
