package dashboard

import (
	"cmp"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/words"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// shownThreads is how many threads of work a page lists.
const shownThreads = 40

// threadsPage lists threads of work; All says that those that are closed are there too.
type threadsPage struct {
	All      bool
	Whole    bool   // they are there; else they come after the page
	WholeURL string // this page with them
	Threads  []threadRow
	Counts   map[string]int
}

// threadRow is a thread with the commands that go on with it, the likeliest first.
type threadRow struct {
	view.Thread
	Name   string // of the project
	Switch []string
}

// threadPages are the pages of threads of work.
type threadPages struct{ *Page }

// threads is the page of all threads of work; the first page loads what is open of it.
func (p threadPages) threads(r *http.Request) (screen, error) {
	all := r.URL.Query().Get("all") != ""
	sessions, err := p.Ledger.Sessions(r.Context(), ledger.SessionFilter{})
	if err != nil {
		return screen{}, err
	}
	v, events := screen{template: "threads", title: "Threads of work", at: "now"}, eventsOf(sessions)
	if !quick(r, events-int(p.threaded.Load())) {
		v.data = threadsPage{All: all, WholeURL: whole(r)}
		return v, nil
	}
	work, err := p.Service.OpenWork(r.Context(), view.OpenWorkRequest{All: all, Limit: shownThreads})
	if err != nil {
		return screen{}, err
	}
	p.threaded.Store(int64(events))
	data := threadsPage{All: all, Whole: true, WholeURL: whole(r), Counts: work.Counts}
	for _, t := range work.Items {
		row := threadRow{Thread: t, Name: words.BaseOf(cmp.Or(t.Project, t.Directory))}
		if t.State == "open" || t.State == "waiting" {
			row.Switch = []string{"carryover open " + t.Session + " --exec"}
		}
		data.Threads = append(data.Threads, row)
	}
	v.data = data
	return v, nil
}

// UncommittedFiles is how many files of the thread are not committed.
func (t threadRow) UncommittedFiles() int {
	if t.Uncommitted == nil {
		return 0
	}
	return *t.Uncommitted
}
