package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/carryover-go/carryover/toolspecs"
)

// SourceRoot is one folder of one tool's transcripts, with the pattern of the files
// in it that are read.
type SourceRoot struct {
	Tool string
	Root string
	Glob string
}

// SourceRoots lists where the tools of a table keep what we read, in this user's
// home. It looks at no disk.
func SourceRoots(table *toolspecs.Table) []SourceRoot {
	user, _ := os.UserHomeDir()
	var roots []SourceRoot
	for _, spec := range table.All() {
		for _, t := range spec.Transcripts {
			if t.Role != "main" && t.Role != "subagent" { // the tool's own copies and overflow
				continue
			}
			if !slices.Contains(readable, t.Format) {
				continue
			}
			for _, root := range toolspecs.ExpandAll(t.Roots, runtime.GOOS, os.Getenv, user) {
				roots = append(roots, SourceRoot{Tool: spec.Tool, Root: filepath.Clean(root), Glob: t.Glob})
			}
		}
	}
	return roots
}

// readable are the formats of files that readers are handed: as they are,
// uncompressed, or by their rows.
var readable = []string{"jsonl", "jsonl.zst", "json", "markdown", "sqlite"}

// InProjects lists the transcripts that tools keep in the projects themselves,
// for the given worktrees: those that are there.
func InProjects(table *toolspecs.Table, worktrees []string) []SourceRoot {
	var roots []SourceRoot
	for _, spec := range table.All() {
		for _, t := range spec.Transcripts {
			if t.In != "project" || t.Role != "main" || !slices.Contains(readable, t.Format) {
				continue
			}
			for _, worktree := range worktrees {
				if _, err := os.Lstat(filepath.Join(worktree, t.Glob)); err == nil {
					roots = append(roots, SourceRoot{Tool: spec.Tool, Root: worktree, Glob: t.Glob})
				}
			}
		}
	}
	return roots
}

// Path is the one file of a place in a project.
func (p SourceRoot) Path() string { return filepath.Join(p.Root, p.Glob) }

// Sidecar is the folder that a file beside a transcript names as its project,
// "" where the tool keeps no such file.
func Sidecar(spec *toolspecs.Spec, transcriptPath string) string {
	for _, t := range spec.Transcripts {
		if t.Sidecar == nil {
			continue
		}
		data, err := os.ReadFile(sidecarFile(t.Sidecar.File, transcriptPath))
		if t.Sidecar.Where != "" {
			data = lineOf(data, t.Sidecar.Where, transcriptPath)
		}
		folder := ""
		if err != nil || json.Unmarshal(memberAt(data, t.Sidecar.Member), &folder) != nil {
			continue
		}
		if root, err := url.Parse(folder); err == nil && root.Scheme == "file" {
			folder = filepath.FromSlash(root.Path)
		}
		if filepath.IsAbs(folder) {
			return folder
		}
	}
	return ""
}

// lineOf is the last of some lines whose member names a folder on a path, nil where
// none does.
func lineOf(data []byte, member, path string) []byte {
	var own []byte
	for line := range bytes.Lines(data) {
		name := ""
		if json.Unmarshal(memberAt(line, member), &name) == nil && name != "" && strings.Contains(filepath.ToSlash(path), "/"+name+"/") {
			own = line
		}
	}
	return own
}

// memberAt is a member of an object, or by a dotted path one of its members'; nil
// where there is none.
func memberAt(data []byte, path string) []byte {
	for name := range strings.SplitSeq(path, ".") {
		var members map[string]json.RawMessage
		if json.Unmarshal(data, &members) != nil {
			return nil
		}
		data = members[name]
	}
	return data
}

// sidecarFile is the file a spec names by its place relative to a transcript.
func sidecarFile(pattern, transcriptPath string) string {
	stem, _, _ := strings.Cut(filepath.Base(transcriptPath), ".")
	file := strings.ReplaceAll(filepath.FromSlash(pattern), "{session}", stem)
	path := filepath.Join(filepath.Dir(transcriptPath), file)
	if !strings.Contains(pattern, "*") {
		return path
	}
	if found, err := filepath.Glob(path); err == nil && len(found) > 0 {
		return found[0]
	}
	return path
}

// SessionOf is the session that a path below a root names, by a pattern that
// has it as {session}.
func SessionOf(root, pattern, path string) (session string, ok bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	parts, names := strings.Split(filepath.ToSlash(rel), "/"), strings.Split(pattern, "/")
	if len(parts) != len(names) {
		return "", false
	}
	for i, name := range names {
		before, after, named := strings.Cut(name, "{session}")
		switch {
		case named && strings.HasPrefix(parts[i], before) && strings.HasSuffix(parts[i], after) && len(parts[i]) > len(before)+len(after):
			session = parts[i][len(before) : len(parts[i])-len(after)]
		case named || name != "*" && name != parts[i]:
			return "", false
		}
	}
	return session, session != ""
}

// Flat says that the transcripts lie in the root itself: what a tool keeps in
// folders beside them is not looked at.
func (p SourceRoot) Flat() bool { return !strings.ContainsAny(p.Glob, "/{*") }

// Holds says whether a file is one of this place's transcripts.
func (p SourceRoot) Holds(path string) bool {
	rel, err := filepath.Rel(p.Root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	matched, err := doublestar.Match(p.Glob, filepath.ToSlash(rel))
	return err == nil && matched
}

// ToolAt is the one tool that keeps the file in a place of its own.
func ToolAt(roots []SourceRoot, path string) (tool string, ok bool) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	for _, root := range roots {
		switch {
		case root.Tool == tool || !root.Holds(path):
		case ok:
			return "", false // a fork may share its parent's folder
		default:
			tool, ok = root.Tool, true
		}
	}
	return tool, ok
}

// Files lists the transcripts of a place, the one written last first: it is the
// one somebody may be waiting for. A place that is not there has none.
func (p SourceRoot) Files(ctx context.Context) ([]string, error) {
	type found struct {
		path string
		at   time.Time
	}
	var list []found
	err := walk(p.Root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && path == p.Root:
			return fs.SkipAll
		case err != nil:
			return nil // it went away, or is not ours to read
		case entry.IsDir() && path != p.Root && p.Flat():
			return fs.SkipDir
		case entry.Type().IsRegular() && p.Holds(path):
			if info, err := entry.Info(); err == nil {
				list = append(list, found{path, info.ModTime()})
			}
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b found) int { return b.at.Compare(a.at) })
	files := make([]string, len(list))
	for i, f := range list {
		files[i] = f.path
	}
	return files, err
}

// walk is filepath.WalkDir of a root that may be a symbolic link to the folder: a
// person who keeps the transcripts on another disk puts one there. What is visited is
// named as the tool itself names it, below the root.
func walk(root string, visit fs.WalkDirFunc) error {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		real = root
	}
	return filepath.WalkDir(real, func(path string, entry fs.DirEntry, err error) error {
		return visit(root+strings.TrimPrefix(path, real), entry, err)
	})
}
