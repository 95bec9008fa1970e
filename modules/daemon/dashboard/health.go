package dashboard

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/doctor"
)

// healthFor is how long a check of everything is shown before it is rebuilt:
// it starts the agents' programs to ask for their versions.
const healthFor = 10 * time.Minute

// healthWithin bounds one check.
const healthWithin = 2 * time.Minute

// health is what `carryover doctor` said last. It is asked beside the page,
// which does not wait.
type health struct {
	examine func() doctor.Report

	mu      sync.Mutex
	report  *doctor.Report
	checked time.Time
	running chan struct{} // closed when the check that runs is over; nil when none does
}

// healthView is the part of a page that says what is wrong.
type healthView struct {
	Checked time.Time // zero while the first check runs
	Running bool
	Wrong   []doctor.Check // errors, then warnings
	Known   []doctor.Check // what is worth knowing, and no fault
	Fine    int            // checks that found nothing
}

// checks are that part with the token of its form.
type checks struct {
	Health healthView
	CSRF   string
	Linked bool // with a link to the page of health
}

// view is what is known now; a check that is too old is rebuilt meanwhile.
func (h *health) view(now time.Time) healthView {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.report == nil || now.Sub(h.checked) > healthFor {
		h.start(now)
	}
	v := healthView{Checked: h.checked, Running: h.running != nil}
	if h.report == nil {
		return v
	}
	var warnings []doctor.Check
	for _, check := range h.report.Checks {
		switch check.Result {
		case doctor.Error:
			v.Wrong = append(v.Wrong, check)
		case doctor.Warning:
			warnings = append(warnings, check)
		case doctor.Info:
			v.Known = append(v.Known, check)
		default:
			v.Fine++
		}
	}
	v.Wrong = append(v.Wrong, warnings...)
	return v
}

// again makes a check, also when the last one is not old.
func (h *health) again(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.start(now)
}

// start begins a check unless one runs; h.mu is held.
func (h *health) start(now time.Time) {
	if h.running != nil {
		return
	}
	over := make(chan struct{})
	h.running = over
	go func() {
		report := h.examine()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.report, h.checked, h.running = &report, now, nil
		close(over)
	}()
}

// examine is what `carryover doctor` does; it ends with the daemon.
func (p *Page) examine(ctx context.Context) doctor.Report {
	ctx, cancel := context.WithTimeout(ctx, healthWithin)
	defer cancel()
	return p.Examine(ctx)
}

// checkAgain has everything checked again.
func (p *Page) checkAgain(*http.Request) (next string, err error) {
	p.health.again(p.Now())
	return "/checks", nil
}
