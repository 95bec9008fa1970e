package gitrepo

import (
	"bufio"
	"bytes"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// pointsBack says whether the repository that a worktree names knows of it. Any
// folder can hold a .git that names the repository of another project, and
// would get that one's handoff. A folder .git is the worktree's own (inPlace);
// of a linked worktree git keeps the way back in the file gitdir, of a submodule
// in core.worktree.
func (w Worktree) pointsBack(inPlace bool) bool {
	entry := filepath.Join(w.Root, ".git")
	if w.Common != w.GitDir {
		back := readLine(filepath.Join(w.GitDir, "gitdir"))
		return back != "" && samePath(absolute(w.GitDir, back), entry) &&
			samePath(filepath.Join(w.Common, "worktrees", filepath.Base(w.GitDir)), w.GitDir)
	}
	if inPlace {
		return true
	}
	top := w.topOf()
	return top != "" && samePath(absolute(w.GitDir, top), w.Root)
}

// maxConfig bounds a repository's configuration, in bytes.
const maxConfig = 1 << 20

// topOf is core.worktree of the repository's own configuration. Includes are
// not followed.
func (w Worktree) topOf() string {
	data, err := regularfile.Read(filepath.Join(w.GitDir, "config"), maxConfig)
	if err != nil {
		return ""
	}
	section, top := "", ""
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(line)
			continue
		}
		name, value, found := strings.Cut(line, "=")
		if found && section == "[core]" && strings.EqualFold(strings.TrimSpace(name), "worktree") {
			top = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return top
}

func samePath(a, b string) bool {
	if a == b {
		return true
	}
	realA, errA := filepath.EvalSymlinks(a)
	realB, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && realA == realB
}
