package daemon

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

func TestDelays(t *testing.T) {
	for _, test := range []struct {
		name   string
		script func(after func(wait time.Duration))
		want   []time.Duration // after the beginning
	}{
		{"after some quiet", func(after func(time.Duration)) {
			after(quiet)
			time.Sleep(10 * time.Second)
			after(quiet)
		}, []time.Duration{40 * time.Second}},
		{"at once is not put off", func(after func(time.Duration)) {
			after(0)
			after(quiet)
		}, []time.Duration{0}},
		{"at once wins", func(after func(time.Duration)) {
			after(quiet)
			after(0)
		}, []time.Duration{0}},
		{"what is heard a moment after is not left for some quiet, however much it is", func(after func(time.Duration)) {
			after(0)
			for range 10 {
				time.Sleep(300 * time.Millisecond)
				after(quiet)
			}
		}, []time.Duration{0, 1300 * time.Millisecond, 33 * time.Second}},
		{"a turn that ends a moment after does not wait for it", func(after func(time.Duration)) {
			after(0)
			time.Sleep(300 * time.Millisecond)
			after(quiet)
			time.Sleep(300 * time.Millisecond)
			after(0)
		}, []time.Duration{0, 600 * time.Millisecond}},
		{"what is heard later is new", func(after func(time.Duration)) {
			after(0)
			time.Sleep(2 * time.Second)
			after(quiet)
		}, []time.Duration{0, 32 * time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, began := &delays{}, time.Now()
				var ran []time.Duration
				test.script(func(wait time.Duration) {
					d.after(ledger.SessionKey{Tool: "opencode", ID: "ses_1"}, wait, func() { ran = append(ran, time.Since(began)) })
				})
				time.Sleep(time.Hour)
				if !slices.Equal(ran, test.want) || len(d.keys()) > 0 {
					t.Errorf("ran after %v, want %v; %d left", ran, test.want, len(d.keys()))
				}
			})
		})
	}
}
