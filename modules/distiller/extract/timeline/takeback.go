package timeline

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// takeBack takes the commits that a reset has undone from the requests they were made for:
// those behind the one it led to, else as many as it was told.
func takeBack(requests []*Request, e *Event, argv []string) {
	if !Passed(e) {
		return
	}
	to, left := "", shell.BackBy(argv)
	if m := output.HeadNowAt.FindStringSubmatch(prose.Excerpt(e.Result.Text)); m != nil && made(requests, m[1]) {
		to, left = m[1], maxTakenBack
	}
	for _, r := range slices.Backward(requests) {
		for len(r.Commits) > 0 && left > 0 {
			last := r.Commits[len(r.Commits)-1]
			if output.SameCommit(last, to) {
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

// TakenBack says that all commits made for the request were taken back.
func (r *Request) TakenBack() bool { return r.takenBack > 0 && len(r.Commits) == 0 }

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
		return slices.ContainsFunc(r.Commits, func(known string) bool { return output.SameCommit(known, id) })
	})
}
