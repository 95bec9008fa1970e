package daemon

import (
	"context"
	"runtime/debug"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/modules/daemon/query"
)

// scan reads every transcript below the places that root holds ("" for all).
// Unchanged ones are not opened.
func (d *Daemon) scan(ctx context.Context, root string) {
	for _, source := range d.ingest.Roots() {
		if root != "" && source.Root != root {
			continue
		}
		files, err := source.Files(ctx)
		if err != nil && ctx.Err() == nil {
			d.Logger.Warn("transcripts not listed", zap.String("path", source.Root), zap.Error(err))
		}
		for _, path := range files {
			if ctx.Err() != nil {
				return
			}
			d.fileChanged(ctx, source.Tool, path)
		}
	}
	if root == "" {
		d.scanProjects(ctx)
	}
}

// scanProjects reads the transcripts that tools keep in projects, and has them
// watched: no hook tells of them.
func (d *Daemon) scanProjects(ctx context.Context) {
	for _, source := range d.ingest.InProjects(ctx) {
		d.watcher.Watch(source.Tool, source.Path())
		d.ingest.TakeFile(ctx, source.Tool, source.Path())
	}
}

// fileChanged reads a file, if it is a transcript. The log of a database is the
// database.
func (d *Daemon) fileChanged(ctx context.Context, tool, path string) {
	if tool == spoolRoot {
		if ctx.Err() == nil && !d.schedule.readsHistory() { // it is drained at the end of that
			d.drainSpool(ctx)
		}
		return
	}
	path = sqlitesource.Main(path)
	for _, source := range d.ingest.Roots() {
		if source.Tool == tool && source.Holds(path) {
			d.ingest.TakeFile(ctx, tool, path)
			return
		}
	}
	if d.watcher.Watches(path) { // one that lies in a project
		d.ingest.TakeFile(ctx, tool, path)
	}
}

// spoolRoot stands for a tool where the spool is watched: a hook that did not wait
// for the daemon leaves its envelope there, also while the daemon runs.
const spoolRoot = "carryover spool"

// drainSpool handles what hooks left for the daemon. What they tell of transcripts
// is read with these; what remains is what was given out.
func (d *Daemon) drainSpool(ctx context.Context) {
	d.spool.Lock()
	defer d.spool.Unlock()
	spooled, err := capture.ReadSpool(d.Home)
	if err != nil {
		d.Logger.Warn("spool not read", zap.Error(err))
		return
	}
	for _, envelope := range spooled.Envelopes {
		hook := capture.FromEnvelope(d.Table, envelope)
		d.countHook(hook, -1)
		if err := d.ingest.TakeHook(ctx, hook); err != nil {
			d.Logger.Warn("spooled hook not handled", zap.String("tool", envelope.Tool), zap.Error(err))
		}
		if err := d.restore.RecordSpooled(ctx, envelope); err != nil {
			d.Logger.Warn("spooled restore not recorded", zap.String("tool", envelope.Tool), zap.Error(err))
		}
	}
	if ctx.Err() == nil {
		spooled.Remove()
	}
	if n := len(spooled.Envelopes); n > 0 || spooled.Lost > 0 {
		d.Logger.Info("spool drained", zap.Int("hooks", n), zap.Int64("lost", spooled.Lost), zap.Int("broken", spooled.Broken))
	}
}

// logMissing names the folders of transcripts that are gone. A folder that goes away
// later is named by the watcher.
func (d *Daemon) logMissing(ctx context.Context) {
	for _, spec := range d.Table.All() {
		missing, err := query.MissingFolders(ctx, d.Table, d.Store, spec.Tool)
		if err != nil {
			d.Logger.Warn("folders of transcripts not compared", zap.String("tool", spec.Tool), zap.Error(err))
			return
		}
		for _, folder := range missing {
			d.Logger.Warn("a folder of transcripts is gone", zap.String("tool", spec.Tool), zap.String("path", folder.Path),
				zap.Int("transcripts", folder.Transcripts), zap.String("now", folder.Now))
		}
	}
}

// readHistory takes what was written while there was no daemon, then publishes
// the sessions of it that are still of use.
func (d *Daemon) readHistory(ctx context.Context) {
	d.schedule.beginHistory()
	select { // what is written between reading and watching would be missed
	case <-d.watcher.Watching:
	case <-ctx.Done():
	}
	d.scan(ctx, "")
	d.logMissing(ctx)
	d.salvage(ctx)
	d.drainSpool(ctx)
	if err := d.DrainAgents(ctx); err != nil {
		d.Logger.Warn("saves of agents not kept", zap.Error(err))
	}
	d.schedule.endHistory(ctx)
	d.drainSpool(ctx) // what came meanwhile
	close(d.history)
	sqlitesource.RemoveAbandoned()
	// Reading years of history needs more than watching ever will.
	debug.FreeOSMemory()
}
