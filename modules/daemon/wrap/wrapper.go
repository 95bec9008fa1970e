// Package wrap runs an agent in a terminal and gives it continuity: it finds
// the commands the agent prints, keeps what it saves, types what it asks for,
// and saves for it when it ends.
package wrap

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/terminal"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Restart says when a program that ended is started again.
type Restart string

// The policies of --restart.
const (
	Never   Restart = "never"
	OnCrash Restart = "on-crash" // it ended with an error, or by a signal
	OnLimit Restart = "on-limit" // its context is full
)

// Wrapper is one agent with its runs.
type Wrapper struct {
	Name      string // of the agent
	Directory string // where it works
	Restart   Restart
	Full      []string // in lower case, what agents show when a context is full (toolspecs.Table.FullTexts)
	// Nowhere says that the directory belongs to no project: the program runs
	// and nothing is kept or reported.
	Nowhere bool
	// Unattended says that no person sits before the program: nobody could answer what the
	// header of the first text asks.
	Unattended bool
	Options    terminal.Options
	Spool      continuity.Spool
	Daemon     view.Agents
	// Offline answers a message while no daemon does; nil when nobody can.
	Offline func(ctx context.Context, message view.AgentMessage) (view.AgentAnswer, error)
	// Warn tells the person what went wrong, once the program has left the
	// terminal.
	Warn func(err error)

	queue      chan func()
	seeing     sync.Mutex // of what the screen is read with
	recognizer *continuity.Recognizer
	open       string      // the save that waits for its end
	closing    *time.Timer // ends it
	started    time.Time
	saved      atomic.Bool // the run has saved something itself
	limit      atomic.Bool // the run's context is full
	signalled  atomic.Bool // a signal asked the wrapper to end
	mu         sync.Mutex
	run        *run // the one at work
	errs       []error
}

// run is one run of the program.
type run struct {
	session *terminal.Session
	typist  *injector
	started time.Time
}

// Run runs the program, again where the policy says so, and returns how the
// last run ended. An error says that the program could not be started.
func (w *Wrapper) Run(ctx context.Context) (terminal.Exit, error) {
	ctx, stop := context.WithCancel(ctx)
	w.queue = make(chan func(), 256)
	var working sync.WaitGroup
	working.Go(w.work)
	var listening sync.WaitGroup
	listening.Go(func() { w.listen(ctx) })
	watchCtx, stopWatching := context.WithCancel(ctx)
	box, err := openOutbox(w.Directory)
	if err == nil {
		listening.Go(func() { box.watch(watchCtx, w.take) })
	}
	defer func() {
		stopWatching()
		stop()
		listening.Wait()
		close(w.queue)
		working.Wait()
		for _, trouble := range w.errs {
			w.Warn(trouble)
		}
	}()
	var exit terminal.Exit
	var again restarts
	for {
		started := time.Now()
		if exit, err = w.once(ctx, again.count > 0, box); err != nil {
			return exit, err
		}
		if !w.again(exit) || !again.wait(ctx, time.Since(started)) {
			return exit, nil
		}
	}
}

// again says whether the program is to be started once more.
func (w *Wrapper) again(exit terminal.Exit) bool {
	switch {
	case w.signalled.Load():
		return false
	case w.Restart == OnLimit:
		return w.limit.Load()
	}
	return w.Restart == OnCrash && exit.Crashed()
}

// restarts slows a program down that goes on crashing as soon as it starts.
type restarts struct {
	count int
	short int // runs in a row that were short
}

const (
	shortRun   = time.Second
	shortRuns  = 10 // so many are nothing special yet
	firstDelay = 100 * time.Millisecond
	maxDelay   = 30 * time.Second
)

func (r *restarts) wait(ctx context.Context, lasted time.Duration) bool {
	r.count++
	if r.short++; lasted >= shortRun {
		r.short = 0
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(r.delay()):
		return true
	}
}

// delay doubles from the tenth short run on.
func (r *restarts) delay() time.Duration {
	return min(firstDelay<<min(max(0, r.short-shortRuns), 20), maxDelay)
}

// once is one run: begin with what is known, end with a save.
func (w *Wrapper) once(ctx context.Context, restarted bool, box *outbox) (terminal.Exit, error) {
	w.recognizer, w.started = continuity.NewRecognizer(), time.Now()
	w.limit.Store(false)
	w.saved.Store(false)
	options := w.Options
	options.Changed = w.see
	w.mu.Lock()
	session, err := terminal.Start(options)
	if err != nil {
		w.mu.Unlock()
		return terminal.Exit{}, err
	}
	w.run = &run{session: session, typist: newInjector(session, usual), started: w.started}
	current := w.run
	w.mu.Unlock()
	if session.Interactive() {
		w.queue <- func() {
			w.answer(ctx, current, view.AgentMessage{Type: view.MessageLoad, Restarted: restarted || w.Unattended})
		}
	}
	exit := session.Wait(func(os.Signal) { w.signalled.Store(true) })
	for _, err := range current.typist.close() {
		w.addError(err)
	}
	if box != nil {
		box.sweep(w.take)
	}
	w.finish(ctx, current, exit)
	return exit, nil
}

// finish saves at the end of a run: a block that was never closed as it
// stands, then all that is known.
func (w *Wrapper) finish(ctx context.Context, ended *run, exit terminal.Exit) {
	w.seeing.Lock()
	if w.closing != nil {
		w.closing.Stop()
	}
	if w.recognizer.Open() != "" {
		w.take(w.recognizer.Close())
	}
	w.seeing.Unlock()
	reason := ledger.TriggerRestart
	switch {
	case w.limit.Load():
		reason = ledger.TriggerLimit
	case exit.Crashed():
		reason = ledger.TriggerCrash
	}
	last := view.AgentMessage{CreateHandoff: true, Auto: true, Reason: reason}
	if !w.saved.Load() {
		last.Ledger = w.shown(ended, exit)
	}
	w.save(last)
	done := make(chan struct{})
	w.queue <- func() { w.drain(ctx); close(done) }
	<-done
}

// take carries a command out. A save is on the disk when it returns.
func (w *Wrapper) take(command continuity.Command) {
	w.mu.Lock()
	current := w.run
	w.mu.Unlock()
	switch command.Verb {
	case continuity.Save:
		w.saved.Store(true)
		w.save(view.AgentMessage{Content: command.Text})
	case continuity.Uncertain:
		w.save(view.AgentMessage{Ledger: &ledger.AgentLedger{UncertainItems: []string{command.Text}}})
	case continuity.Load:
		w.later(func() {
			w.answer(context.Background(), current, view.AgentMessage{Type: view.MessageLoad})
		})
	case continuity.Search:
		w.later(func() {
			w.answer(context.Background(), current, view.AgentMessage{Type: view.MessageSearch, Query: command.Text})
		})
	}
}

// later queues work; what finds no room any more is left: a program that asks
// hundreds of things at once reads no answer.
func (w *Wrapper) later(do func()) {
	select {
	case w.queue <- do:
	default:
	}
}

func (w *Wrapper) work() {
	for do := range w.queue {
		do()
	}
}

// addressed fills in who and where.
func (w *Wrapper) addressed(m view.AgentMessage) view.AgentMessage {
	m.AgentName, m.Directory = w.Name, w.Directory
	m.CLI, m.Started = filepath.Base(w.Options.Args[0]), w.started.UnixMilli()
	return m
}

func (w *Wrapper) save(m view.AgentMessage) {
	if w.Nowhere {
		return
	}
	m.Type = view.MessageSave
	if _, err := w.Spool.Put(w.addressed(m)); err != nil {
		w.addError(err)
		return
	}
	w.later(func() { w.drain(context.Background()) })
}

// patience bounds how long one answer is waited for.
const patience = 5 * time.Second

// drain hands over what lies in the spool. While nobody is there it stays.
func (w *Wrapper) drain(ctx context.Context) {
	away := false
	err := w.Spool.Drain(func(m view.AgentMessage) error {
		if away {
			return client.ErrNotRunning
		}
		answer, err := w.ask(ctx, m)
		away = errors.Is(err, client.ErrNotRunning)
		if err == nil {
			err = continuity.Refusal(answer)
		}
		return err
	})
	if err != nil && !away {
		w.addError(err)
	}
}

// ask sends a message to the daemon, or has it answered without one.
func (w *Wrapper) ask(ctx context.Context, m view.AgentMessage) (view.AgentAnswer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	answer, err := w.Daemon.AnswerMessage(ctx, m)
	if errors.Is(err, client.ErrNotRunning) && w.Offline != nil {
		return w.Offline(ctx, m)
	}
	return answer, err
}

// answer asks for text and types what comes.
func (w *Wrapper) answer(ctx context.Context, to *run, m view.AgentMessage) {
	if w.Nowhere {
		return
	}
	answer, err := w.ask(ctx, w.addressed(m))
	switch {
	case err != nil && !errors.Is(err, client.ErrNotRunning):
		w.addError(err)
	case answer.Type == view.Ack && answer.Context != "" && to != nil:
		to.typist.add(answer.Context, nil)
	}
}

func (w *Wrapper) addError(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errs = append(w.errs, err)
}
