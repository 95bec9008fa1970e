package session

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Part is a folder of a worktree that is worked on by itself, as one application of
// a monorepo. It is written with slashes and relative to the worktree; "" is the
// whole of it.
type Part string

// PartOf is the part that a folder of a worktree lies in: the deepest one that the
// project's own patterns name, without patterns the folder itself.
func PartOf(worktree, dir string, patterns []string) Part {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	folder, _ := folderIn(worktree, dir)
	return named(folder, patterns)
}

// Apart says whether two parts have nothing in common: neither is the whole, and
// neither holds the other.
func (p Part) Apart(other Part) bool {
	shared := common(p, other)
	return shared != p && shared != other
}

// WorkedPart is the part that a session changed files in: the first folder that the
// files and where it ran share. Where the project names its parts, a session that ran
// in none is of the part of its files, if that is one.
func WorkedPart(session ledger.Session, facts distiller.Facts, patterns []string) Part {
	part := PartOf(session.Worktree, session.Cwd, patterns)
	begun := part != "" || len(patterns) == 0
	for _, file := range facts.Files {
		folder, inside := folderIn(session.Worktree, filepath.Dir(absolute(session.Worktree, file.Path)))
		if !inside || file.Change == string(transcript.Read) || file.Source.Session != session.ID {
			continue
		}
		switch changed := named(folder, patterns); {
		case !begun:
			part, begun = changed, true
		case len(patterns) > 0 && changed != part:
			return ""
		default:
			part = common(part, changed)
		}
	}
	return part
}

func named(folder Part, patterns []string) Part {
	if len(patterns) == 0 {
		return folder
	}
	for at := folder; at != ""; at = at.parent() {
		for _, pattern := range patterns {
			pattern = strings.Trim(filepath.ToSlash(filepath.Clean(pattern)), "/")
			if ok, err := doublestar.Match(pattern, string(at)); err == nil && ok {
				return at
			}
		}
	}
	return ""
}

func absolute(worktree, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(worktree, file)
}

// folderIn is a folder as a part of the worktree; ok is false outside of it.
func folderIn(worktree, dir string) (folder Part, ok bool) {
	rel, err := filepath.Rel(worktree, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	if rel == "." {
		return "", true
	}
	return Part(filepath.ToSlash(rel)), true
}

// parent is the folder that holds another, "" for the first.
func (p Part) parent() Part { return p[:max(strings.LastIndexByte(string(p), '/'), 0)] }

// common is the deepest folder that holds two others.
func common(a, b Part) Part {
	for a != b && a != "" {
		if strings.HasPrefix(string(b), string(a)+"/") {
			return a
		}
		a = a.parent()
	}
	return a
}
