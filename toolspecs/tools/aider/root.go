package aider

import (
	"path"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Aider names a file from the root of its repository, and where the person adds one or it is gone, by its
// whole path (aider/commands.py and base_coder.py of 0.86; histories of 0.45 to 0.86). A history that was moved
// lies elsewhere by now: where the root was shows in two names of one file.
type names struct {
	Root  string   `json:"root,omitempty"`  // with slashes, "" while unknown
	Named []string `json:"named,omitempty"` // from the root, newest last
	Typed []string `json:"typed,omitempty"` // behind the newest command of the person
}

// maxNamed bounds how many names are remembered.
const maxNamed = 32

// tellingName is how long a name without a folder is at least that two files seldom share, in bytes.
const tellingName = 12

// rel is a file's name from the root, where that is known.
func (n *names) rel(file string) string {
	whole := slashed(file)
	if !isWhole(whole) {
		if !strings.Contains(whole, " ") && whole != "" {
			n.Named = transcript.Remember(n.Named, strings.TrimPrefix(path.Clean(whole), "./"), maxNamed)
		}
		return file
	}
	if n.Root == "" {
		n.Root = n.rootOf(whole)
	}
	if rest, inside := strings.CutPrefix(whole, n.Root+"/"); inside && n.Root != "" {
		return rest
	}
	return file
}

// rootOf is the root by the whole path of a file, "" where no other name of it is known.
func (n *names) rootOf(whole string) string {
	for _, name := range n.Typed {
		if root, found := strings.CutSuffix(whole, "/"+slashed(name)); found {
			return root
		}
	}
	for _, name := range n.Named {
		if root, found := strings.CutSuffix(whole, "/"+name); found && (strings.Contains(name, "/") || len(name) >= tellingName) {
			return root
		}
	}
	return ""
}

// isWhole says that a path begins at the top of a file system.
func isWhole(file string) bool {
	return path.IsAbs(file) || len(file) > 2 && file[1] == ':' && file[2] == '/'
}
