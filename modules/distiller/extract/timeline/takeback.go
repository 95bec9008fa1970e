package timeline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// HeadNowAt is git's report of where a reset has led.
var HeadNowAt = lazyregexp.New(`(?m)^HEAD is now at ([0-9a-f]{7,40})`)

// beforeHead is a revision so many commits before HEAD.
var beforeHead = lazyregexp.New(`^HEAD(?:~(\d*)|(\^+))$`)

// BackBy is how many commits a reset was told to take back, 0 for none.
func BackBy(argv []string) int {
	for _, w := range argv {
		if m := beforeHead.FindStringSubmatch(w); m != nil {
			n := max(1, len(m[2]))
			if m[1] != "" {
				n, _ = strconv.Atoi(m[1])
			}
			return n
		}
	}
	return 0
}

// takeBack takes the commits that a reset has undone from the requests they were made for:
// those behind the one it led to, else as many as it was told.
func takeBack(requests []*Request, e *Event, argv []string) {
	if !Passed(e) {
		return
	}
	to, left := "", BackBy(argv)
	if m := HeadNowAt.FindStringSubmatch(prose.Excerpt(e.Result.Text)); m != nil && made(requests, m[1]) {
		to, left = m[1], maxTakenBack
	}
	for _, r := range slices.Backward(requests) {
		for len(r.Commits) > 0 && left > 0 {
			last := r.Commits[len(r.Commits)-1]
			if SameCommit(last, to) {
				return
			}
			r.Commits = r.Commits[:len(r.Commits)-1]
			r.takenBack, r.takenByUser = r.takenBack+1, e.Origin == transcript.Typed || e.ToolCall.ByUser
			left--
		}
	}
}

// Undone says that the person took back what was done for the request, and nothing was changed
// since.
func (r *Request) Undone(lastEdit int) bool {
	return r.undoneAt > max(r.Seq, lastEdit) && r.takenBack > 0
}

// Amends says that a git commit replaces the newest one.
func Amends(argv []string) bool { return slices.Contains(argv, "--amend") }

// written gives the newest commit its new id, whatever request it was made for.
func written(requests []*Request, id string) {
	for _, r := range slices.Backward(requests) {
		if n := len(r.Commits); n > 0 {
			r.Commits = slices.Clone(r.Commits)
			r.Commits[n-1] = id
			return
		}
	}
}

// maxTakenBack bounds how many commits one reset takes back.
const maxTakenBack = 64

// made says that a commit was made for a request that is known.
func made(requests []*Request, id string) bool {
	return slices.ContainsFunc(requests, func(r *Request) bool {
		return slices.ContainsFunc(r.Commits, func(known string) bool { return SameCommit(known, id) })
	})
}

// SameCommit says that two ids, one of which may be shorter, are one commit's.
func SameCommit(a, b string) bool {
	return a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}
