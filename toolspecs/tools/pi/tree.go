package pi

import (
	"slices"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// maxPath bounds the entries that are remembered of the path.
const maxPath = 3000

// tree is the path from the root to the entry that came last, as fingerprints
// of the entries' ids.
type tree struct {
	Path    []uint32 `json:"path,omitempty"`
	Prompts []int    `json:"prompts,omitempty"` // which of them are the user's prompts, in order
}

// add puts an entry at the end of the path. Where it hangs at an older entry,
// the path goes on from there, and the prompts that stood behind it are taken
// back. An entry whose parent is not known hangs at the last one.
func (t *tree) add(id string, parent *string, prompt bool) (taken int) {
	if at := t.find(parent); at < len(t.Path)-1 {
		keep, _ := slices.BinarySearch(t.Prompts, at+1)
		taken = len(t.Prompts) - keep
		t.Path, t.Prompts = t.Path[:at+1], t.Prompts[:keep]
	}
	if prompt {
		t.Prompts = append(t.Prompts, len(t.Path))
	}
	t.Path = append(t.Path, transcript.Fingerprint(id))
	if len(t.Path) > maxPath {
		t.forget(maxPath / 2)
	}
	return taken
}

// find is the place of a parent in the path: -1 for the root.
func (t *tree) find(parent *string) int {
	if parent == nil {
		return -1
	}
	mark := transcript.Fingerprint(*parent)
	for at := len(t.Path) - 1; at >= 0; at-- {
		if t.Path[at] == mark {
			return at
		}
	}
	return len(t.Path) - 1
}

// forget drops the oldest entries.
func (t *tree) forget(count int) {
	t.Path = slices.Delete(t.Path, 0, count)
	keep, _ := slices.BinarySearch(t.Prompts, count)
	t.Prompts = slices.Delete(t.Prompts, 0, keep)
	for i := range t.Prompts {
		t.Prompts[i] -= count
	}
}
