package daemon

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// How often raw records are kept, and how often what is kept is measured.
const (
	keepEvery = 20 * time.Second
	trimEvery = time.Hour
)

// keepOriginals keeps the raw records of what is read, now and then, and once more at
// the end: a tool may delete its files at its next start.
func (d *Daemon) keepOriginals(ctx context.Context) {
	if !d.Choices.KeepTranscripts {
		return
	}
	select { // all that is read now would be read twice at once
	case <-d.history:
	case <-ctx.Done():
		return
	}
	if err := d.ingest.NoteOriginals(ctx); err != nil && ctx.Err() == nil {
		d.Logger.Warn("transcripts not kept", zap.Error(err))
	}
	keep, trim := time.NewTicker(keepEvery), time.NewTicker(trimEvery)
	defer keep.Stop()
	defer trim.Stop()
	d.keepOnce(ctx)
	d.trimOriginals(ctx)
	for {
		select {
		case <-keep.C:
			d.keepOnce(ctx)
		case <-trim.C:
			d.trimOriginals(ctx)
		case <-ctx.Done():
			d.keepOnce(context.WithoutCancel(ctx))
			return
		}
	}
}

func (d *Daemon) keepOnce(ctx context.Context) {
	if err := d.ingest.KeepOriginals(ctx); err != nil && ctx.Err() == nil {
		d.Logger.Warn("transcripts not kept", zap.Error(err))
	}
}

// trimOriginals deletes the oldest copies of transcripts over the limit.
func (d *Daemon) trimOriginals(ctx context.Context) {
	if d.Choices.TranscriptsMB == 0 {
		return
	}
	gone, err := d.Store.TrimOriginals(ctx, int64(d.Choices.TranscriptsMB)<<20)
	if err != nil && ctx.Err() == nil {
		d.Logger.Warn("copies of transcripts not bounded", zap.Error(err))
	}
	if gone > 0 {
		d.Logger.Info("oldest copies of transcripts deleted: over transcripts.max_mb", zap.Int("transcripts", gone))
	}
}
