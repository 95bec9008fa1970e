package daemon

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The daemon's timers.
const (
	// quiet is how long a session must write nothing before its handoff is
	// published without a hook having said that the turn ended.
	quiet = 30 * time.Second
	// A fold is made this long after a session was seen at work, so that a
	// compaction finds it in memory; and again after something dropped it, for at
	// most a twentieth of the time.
	prefetchAfter = time.Second
	prefetchShare = 20
	// retentionEvery is how often old sessions are looked for.
	retentionEvery = 24 * time.Hour
)

// scheduler has handoffs and reports published and folds made in the background:
// at once or after some quiet. Every timer of a session is here.
type scheduler struct {
	schedulerOptions
	refusals refusals

	publishing delays

	mu             sync.Mutex
	installed      time.Time
	pendingReports map[ledger.SessionKey]string // reports to be written with the next handoff: the trigger of a snapshot, or ""
	prefetches     map[ledger.SessionKey]prefetch
	history        map[ledger.SessionKey]bool // sessions to publish once history is read; nil when it is
}

// schedulerOptions are what a scheduler needs.
type schedulerOptions struct {
	life      func() context.Context // the daemon's: what is begun here ends with it
	home      home.Dir
	choices   config.Choices
	table     *toolspecs.Table
	store     ledger.Store
	sessions  *session.Service
	publisher *publish.Service
	gauges    *contextusage.Gauges
	logger    *zap.Logger
	now       func() time.Time

	noteChange  func(key ledger.SessionKey)                      // something happened in a session
	contextFull func(ctx context.Context, key ledger.SessionKey) // its context is nearly full
	published   func(ctx context.Context, key ledger.SessionKey) // its handoff was published
}

func newScheduler(o schedulerOptions) *scheduler {
	return &scheduler{
		schedulerOptions: o, pendingReports: map[ledger.SessionKey]string{}, prefetches: map[ledger.SessionKey]prefetch{},
	}
}

// batchSummary is what new events say of their session.
type batchSummary struct {
	turnEnded  bool
	turn       time.Time // when
	compacted  bool
	compacting time.Time // when a compaction began that has not come yet
	trigger    string    // of the compaction
}

// summarise goes through events by session.
func summarise(events []transcript.Located) map[ledger.SessionKey]*batchSummary {
	all := map[ledger.SessionKey]*batchSummary{}
	for _, event := range events {
		key := ledger.SessionKey{Tool: event.Tool, ID: event.Session}
		b := all[key]
		if b == nil {
			b = &batchSummary{}
			all[key] = b
		}
		switch {
		case event.Kind == transcript.Turn:
			b.turnEnded, b.turn = true, event.Time
		case event.Kind == transcript.Compacting && !event.Subagent:
			b.compacting, b.trigger = event.Time, session.TriggerOf(event.Event)
		case session.IsCompaction(event.Event):
			b.compacted, b.compacting, b.trigger = true, time.Time{}, session.TriggerOf(event.Event)
		}
	}
	return all
}

// changed plans the publishing of the sessions that have new events: at once
// when a turn or a compaction calls for it, else after some quiet. While history is
// read nothing is published: most of it is old, and folding it would hold the
// reading up.
func (s *scheduler) changed(events []transcript.Located) {
	ctx := s.life()
	crossed, err := s.gauges.Add(events)
	if err != nil {
		s.logger.Warn("window of a model not kept", zap.Error(err))
	}
	for key, batch := range summarise(events) {
		s.noteChange(key)
		if crossed[key].Snapshot {
			s.reportLater(key, fmt.Sprintf("%d %% full", s.choices.ContextUsage.Snapshot))
			s.contextFull(ctx, key)
		}
		if batch.compacted && !s.sessions.Compactions.Arrived(key) {
			s.reportLater(key, cmp.Or(batch.trigger, "auto"))
		}
		s.sessions.Compactions.TurnEnded(key, batch.turn)
		if batch.turnEnded && s.readsOnly(key.Tool) {
			s.gauges.Read(key)
		}
		if s.postponed(key) {
			continue
		}
		if !batch.compacting.IsZero() {
			s.sessions.Compactions.Announce(key, batch.trigger, batch.compacting)
			s.reportLater(key, cmp.Or(batch.trigger, "auto"))
		}
		s.prefetch(ctx, key)
		wait := quiet
		if batch.turnEnded || batch.compacted || !batch.compacting.IsZero() || crossed[key] != (contextusage.Crossed{}) {
			wait = 0
		}
		s.publishAfter(ctx, key, wait)
	}
}

// readsOnly says whether a tool has no hook of ours and hears of things from
// files alone.
func (s *scheduler) readsOnly(tool string) bool {
	spec, err := s.table.Lookup(tool)
	return err == nil && !spec.WiresHooks()
}

// beginHistory postpones all publishing until endHistory.
func (s *scheduler) beginHistory() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history = map[ledger.SessionKey]bool{}
}

// readsHistory says whether history is still being read.
func (s *scheduler) readsHistory() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.history != nil
}

// endHistory publishes the sessions that were postponed, and those that a daemon
// before this one did not get to publish.
func (s *scheduler) endHistory(ctx context.Context) {
	s.mu.Lock()
	read := s.history
	s.history = nil
	s.mu.Unlock()
	s.addUnpublished(ctx, read)
	for key := range read {
		if ctx.Err() == nil {
			s.publishing.runs(key)
			s.publishPending(ctx, key)
		}
	}
}

// postponed notes a session while history is being read.
func (s *scheduler) postponed(key ledger.SessionKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.history != nil {
		s.history[key] = true
	}
	return s.history != nil
}

// addUnpublished adds the sessions that a daemon before this one did not get
// to publish, or that `carryover import` read while there was none: of each
// worktree the newest, if its handoff is still of use and not the one that is
// there.
func (s *scheduler) addUnpublished(ctx context.Context, pending map[ledger.SessionKey]bool) {
	list, err := s.store.Sessions(ctx, ledger.SessionFilter{Since: s.now().Add(-s.choices.StaleAfter)})
	if err != nil && ctx.Err() == nil {
		s.logger.Warn("unpublished sessions not looked for", zap.Error(err))
	}
	seen := map[string]bool{}
	for _, one := range list {
		if one.Worktree == "" || seen[one.Worktree] {
			continue
		}
		last, ok := publish.LastFallback(s.home, one.Worktree)
		if ok && last.Session != one.ID {
			worth, err := s.sessions.WorthOf(ctx, one)
			if err == nil && worth != session.OwnWork { // it hands on an older one
				continue
			}
		}
		seen[one.Worktree] = true
		if !ok || last.Session != one.ID || last.Events != one.Events {
			pending[one.SessionKey] = true
		}
	}
}

// publishAfter publishes a session once (see delays).
func (s *scheduler) publishAfter(ctx context.Context, key ledger.SessionKey, wait time.Duration) {
	s.publishing.after(key, wait, func() {
		if ctx.Err() == nil {
			s.publishPending(ctx, key)
		}
	})
}

// publishWaiting publishes the sessions that wait for some quiet.
func (s *scheduler) publishWaiting(ctx context.Context) {
	for _, key := range s.publishing.keys() {
		s.publishAfter(ctx, key, 0)
	}
}

// publishPending publishes the handoff of a session, and its report where one is
// pending.
func (s *scheduler) publishPending(ctx context.Context, key ledger.SessionKey) {
	s.mu.Lock()
	trigger, pending := s.pendingReports[key]
	delete(s.pendingReports, key)
	s.mu.Unlock()
	s.check(ctx, key, "session not folded", s.sessions.Reorder(ctx, key))
	s.publishNow(ctx, key)
	if pending {
		s.report(ctx, key, trigger)
	}
	s.published(ctx, key)
}

// reportLater has the session report written with the session's next handoff, with
// a snapshot when there is a trigger for one.
func (s *scheduler) reportLater(key ledger.SessionKey, trigger string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pendingReports[key] = cmp.Or(trigger, s.pendingReports[key])
}

// beforeCompaction publishes at once: the handoff first, it is what the session is
// given back, then the report with its snapshot.
func (s *scheduler) beforeCompaction(ctx context.Context, key ledger.SessionKey, trigger string) {
	s.publishNow(ctx, key)
	s.report(ctx, key, cmp.Or(trigger, "before a compaction"))
}

func (s *scheduler) publishNow(ctx context.Context, key ledger.SessionKey) {
	err := s.publisher.Publish(ctx, key, s.readInstalled())
	s.refusals.note(key, err)
	s.check(ctx, key, "handoff not published", err)
}

func (s *scheduler) report(ctx context.Context, key ledger.SessionKey, trigger string) {
	s.check(ctx, key, "session report not published", s.publisher.Report(ctx, key, s.readInstalled(), trigger))
}

// check logs what went wrong with a session.
func (s *scheduler) check(ctx context.Context, key ledger.SessionKey, what string, err error) {
	if err != nil && ctx.Err() == nil {
		s.logger.Warn(what, zap.String("tool", key.Tool), zap.String("session", key.ID), zap.Error(err))
	}
}

// readInstalled learns since when projects may be written into.
func (s *scheduler) readInstalled() time.Time {
	record, ok, err := wiring.ReadRecord(s.home)
	if err != nil {
		s.logger.Warn("install record not read", zap.Error(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ok {
		s.installed = record.Installed
	}
	return s.installed
}

// prefetch is a fold that will be made, or was.
type prefetch struct {
	timer *time.Timer
	cost  time.Duration // of making it the last time
}

// prefetch has the fold of a session made in the background when it is missing.
func (s *scheduler) prefetch(ctx context.Context, key ledger.SessionKey) {
	if s.sessions.Has(key) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.prefetches[key]
	if p.timer != nil {
		return
	}
	p.timer = time.AfterFunc(max(prefetchAfter, prefetchShare*p.cost), func() { s.fold(ctx, key) })
	s.prefetches[key] = p
}

func (s *scheduler) fold(ctx context.Context, key ledger.SessionKey) {
	if ctx.Err() != nil {
		return
	}
	began := time.Now()
	session, found, err := s.store.Session(ctx, key)
	if err == nil && found && !session.Subagent {
		_, err = s.sessions.Facts(ctx, session)
	}
	s.check(ctx, key, "session not folded", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prefetches[key] = prefetch{cost: time.Since(began)}
}

// stop ends all timers.
func (s *scheduler) stop() {
	s.publishing.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.prefetches {
		if p.timer != nil {
			p.timer.Stop()
		}
	}
}
