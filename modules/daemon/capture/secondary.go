package capture

import (
	"context"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// hasHistory says whether a session is known from a fuller source than its transcript:
// the transcript then has nothing to add. What hooks and git say of a session
// is not its history.
func (in *Ingester) hasHistory(ctx context.Context, key ledger.SessionKey) (bool, error) {
	for event, err := range in.Store.Events(ctx, key) {
		if err != nil {
			return false, err
		}
		if !event.Withdrawn && event.Kind != transcript.Session && event.Kind != transcript.Git {
			return true, nil
		}
	}
	return false, nil
}

// isSuperseded says that a file needs no reading, for its session is in a database, or
// in a transcript of the tool's own, that tells more.
func (in *Ingester) isSuperseded(ctx context.Context, tool, path string, known ledger.Source, bulk *bulkReading) (bool, error) {
	if in.Secondary == nil || known.Main != "" {
		return false, nil
	}
	session, stands := in.Secondary(tool, path)
	if !stands {
		return false, nil
	}
	if err := bulk.flush(ctx); err != nil {
		return false, err
	}
	return in.hasHistory(ctx, ledger.SessionKey{Tool: tool, ID: session})
}

// retire takes back what the transcripts of a session said, now that a
// database has it.
func (in *Ingester) retire(ctx context.Context, tool, session string) error {
	if in.Secondaries == nil {
		return nil
	}
	for _, path := range in.Secondaries(tool, session) {
		if err := in.retireFile(ctx, tool, path); err != nil {
			return err
		}
	}
	return nil
}

// retireFor is retire for a transcript of the tool's own that has something new.
func (in *Ingester) retireFor(ctx context.Context, source ledger.Source, events int, bulk *bulkReading) error {
	if events == 0 || source.Main == "" || source.Subagent || in.Secondary == nil || in.Secondaries == nil {
		return nil
	}
	if _, secondary := in.Secondary(source.Tool, source.Path); secondary {
		return nil
	}
	for _, path := range in.Secondaries(source.Tool, source.Main) {
		if err := bulk.flush(ctx); err != nil {
			return err
		}
		if err := in.retireFile(ctx, source.Tool, path); err != nil {
			return err
		}
	}
	return nil
}

func (in *Ingester) retireFile(ctx context.Context, tool, path string) error {
	seen := in.seenOf(path)
	seen.Lock()
	defer seen.Unlock()
	known, ok, err := in.Store.Source(ctx, tool, path)
	if err != nil || !ok || known.Main == "" {
		return err
	}
	// As a file that was emptied: what it said stays, and is taken back.
	known.Position, known.Main, known.Rewrites = transcript.Position{}, "", true
	_, err = in.Store.Append(ctx, ledger.Batch{Source: known, Replace: true})
	return err
}
