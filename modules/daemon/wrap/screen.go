package wrap

import (
	"time"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/terminal"
)

// see reads the screen. It is called by the one who draws it.
func (w *Wrapper) see(screen *terminal.Screen) {
	rows, scrolled := screen.Rows()
	lines := make([]continuity.Line, len(rows))
	for i, row := range rows {
		lines[i] = continuity.Line{Text: row.Text, GoesOn: row.Full}
	}
	w.seeing.Lock()
	defer w.seeing.Unlock()
	for _, command := range w.recognizer.See(lines) {
		w.take(command)
	}
	w.waitForEnd(screen)
	if scrolled > keptRows && !w.recognizer.Pending() {
		if screen.Plain() {
			w.recognizer.Forget(lines[:scrolled])
		}
		screen.Forget()
	}
	if !w.limit.Load() && w.limitShown(rows[min(scrolled, len(rows)):]) {
		w.mu.Lock()
		session := w.run.session
		w.mu.Unlock()
		w.reachedLimit(session)
	}
}

// endUnseen is how long a save that a full-screen program shows without its end
// must stay as it is, to be taken for whole.
const endUnseen = 2 * time.Second

// waitForEnd ends a save whose >>> the screen does not show. Programs that
// print line by line show all, so their blocks wait for it.
func (w *Wrapper) waitForEnd(screen *terminal.Screen) {
	open := w.recognizer.Open()
	if open == w.open || screen.Plain() {
		return
	}
	w.open = open
	if w.closing != nil {
		w.closing.Stop()
	}
	w.closing = time.AfterFunc(endUnseen, func() {
		w.seeing.Lock()
		defer w.seeing.Unlock()
		if open != "" && w.recognizer.Open() == open {
			w.open = ""
			w.take(w.recognizer.Close())
		}
	})
}

// keptRows is how many rows out of sight are looked at again.
const keptRows = 300
