package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/version"
)

var _ api.Backend = (*Daemon)(nil)

// Hook answers a hook, and publishes the handoff when it says that a turn or
// the session ended, or that the context is about to be cut.
func (d *Daemon) Hook(ctx context.Context, claimed, event string, body []byte, marks []string) (api.Answer, error) {
	hook, err := capture.ParseHook(d.Table, claimed, event, body, capture.ParseMarks(marks), d.Now())
	if err != nil {
		return api.Answer{}, fmt.Errorf("read hook payload: %w", err)
	}
	if hook.Role == "" {
		d.countUnknown(claimed + " " + event)
		return api.Answer{Known: false}, nil
	}
	defer d.work.Go(func() { d.countFired(hook) }) // nobody waits for it
	text, err := d.restore.Answer(ctx, hook)
	if err == nil {
		text, err = hook.Hook.Answer(text)
	}
	key := hook.Key()
	switch hook.Role {
	case "pre_compact": // the compaction begins as soon as we answer
		d.schedule.beforeCompaction(ctx, key, hook.Trigger)
	case "session_end":
		d.schedule.reportLater(key, "")
		d.schedule.publishAfter(context.WithoutCancel(ctx), key, 0)
	case "turn_end", "interrupt": // nobody should wait for it
		d.schedule.publishAfter(context.WithoutCancel(ctx), key, 0)
	}
	return api.Answer{Text: text, Known: true}, err
}

// Health says that the daemon answers.
func (d *Daemon) Health(context.Context) api.Health {
	return api.Health{Status: "ok", Version: version.Version, PID: os.Getpid(), Uptime: int64(time.Since(d.started).Seconds())}
}

// Import reads history on disk while the daemon holds the ledger. Who asks for
// it goes on with it: what it brought is published at once, and what lies in a
// project that was not known before is watched from now on.
func (d *Daemon) Import(ctx context.Context, request api.ImportRequest, progress api.Progress) (any, error) {
	d.Zap.Info("import asked for", zap.String("tool", request.Tool), zap.String("root", request.Root))
	result, err := d.ImportHistory(ctx, request, progress)
	d.scanProjects(ctx)
	d.schedule.publishWaiting(context.WithoutCancel(ctx))
	return result, err
}

// Status is what the daemon knows of itself.
func (d *Daemon) Status(ctx context.Context) (any, error) {
	status, err := d.Pipeline.Status(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	status.UnknownHooks = maps.Clone(d.unknown)
	return status, err
}

// countFired remembers that a hook came.
func (d *Daemon) countFired(hook capture.Hook) {
	if hook.Role == "" {
		return
	}
	if err := d.hooks.Note(hook.Tool, hook.Event, hook.Time); err != nil {
		d.Zap.Warn("hook not counted", zap.Error(err))
	}
}

// maxUnknown bounds how many names of unknown hooks are kept.
const maxUnknown = 100

// countUnknown counts a hook whose tool or event no spec knows: drift shows in
// numbers, not in errors.
func (d *Daemon) countUnknown(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unknown == nil {
		d.unknown = map[string]int{}
	}
	if _, counted := d.unknown[name]; counted || len(d.unknown) < maxUnknown {
		d.unknown[name]++
	}
}

// Search finds events.
func (d *Daemon) Search(ctx context.Context, request api.SearchRequest) (any, error) {
	return coded(d.Find(ctx, request))
}

// Sessions lists sessions of a directory's project, or all.
func (d *Daemon) Sessions(ctx context.Context, directory string, page api.Page) (any, error) {
	return d.ListSessions(ctx, directory, page)
}

// Session is a session with its events.
func (d *Daemon) Session(ctx context.Context, id string) (any, error) {
	return coded(d.Show(ctx, id, 0))
}

// Changes says in which sessions something happens.
func (d *Daemon) Changes() (changes <-chan api.Change, stop func()) { return d.feed.listen() }

// Handoff is the newest handoff of a directory's project.
func (d *Daemon) Handoff(ctx context.Context, directory string) (any, error) {
	document, err := d.HandoffOf(ctx, directory, HandoffOptions{})
	if errors.Is(err, ErrNothing) {
		return nil, notFound{err}
	}
	return document, err
}

// Dismiss remembers that a handoff is wanted no longer.
func (d *Daemon) Dismiss(ctx context.Context, request api.DismissRequest) (any, error) {
	return coded(d.Pipeline.Dismiss(ctx, request.Directory, request.Session))
}

// Forget takes a text or sessions out of everything.
func (d *Daemon) Forget(ctx context.Context, request api.ForgetRequest, progress api.Progress) (any, error) {
	return coded(d.Pipeline.Forget(ctx, request, progress))
}

// Repair makes the index anew and reads every transcript again.
func (d *Daemon) Repair(ctx context.Context, progress api.Progress) (any, error) {
	return coded(d.Pipeline.Repair(ctx, progress))
}

// Projects lists all projects.
func (d *Daemon) Projects(ctx context.Context, page api.Page) (any, error) {
	return api.Part(page, func(p ProjectView) string { return p.Path }, func(after string, _ int) ([]ProjectView, error) {
		list, err := d.ListProjects(ctx)
		return slices.DeleteFunc(list, func(p ProjectView) bool { return p.Path <= after }), err
	})
}

// ChangeProject moves or merges a project.
func (d *Daemon) ChangeProject(ctx context.Context, request api.ProjectRequest) (any, error) {
	return coded(d.Pipeline.ChangeProject(ctx, request))
}

// coded gives an error the status it has in the API.
func coded[T any](result T, err error) (any, error) {
	switch {
	case errors.Is(err, ErrNothing):
		return nil, notFound{err}
	case errors.Is(err, ErrInvalid):
		return nil, badRequest{err}
	}
	return result, err
}

// badRequest gives an error the status it has in the API.
type badRequest struct{ error }

func (badRequest) Code() (status int, code, hint string) {
	return http.StatusBadRequest, "invalid", ""
}

// notFound gives an error the status it has in the API.
type notFound struct{ error }

func (notFound) Code() (status int, code, hint string) {
	return http.StatusNotFound, "not_found", "see `carryover status` for what is captured"
}
