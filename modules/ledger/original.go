package ledger

import (
	"context"
	"iter"
	"time"
)

// Originals keeps the raw records of transcripts, compressed and without secrets, so
// that a session can be given back to a tool that has deleted it.
type Originals interface {
	// OriginalEnd is how many bytes of a source are kept, from its start; -1 when
	// nothing of it is to be kept.
	OriginalEnd(ctx context.Context, tool, path string) (int64, error)
	// KeepOriginals adds what follows in sources, or begins them anew, in one
	// transaction. What was forgotten is left out; a piece that does not follow changes
	// nothing.
	KeepOriginals(ctx context.Context, pieces []OriginalPiece) error
	// Original yields what is kept of a source, in order.
	Original(ctx context.Context, tool, path string) iter.Seq2[[]byte, error]
	// Originals lists what is kept of a session, its main source first, or of all
	// sessions (the zero key).
	Originals(ctx context.Context, session SessionKey) ([]Original, error)
	// TrimOriginals deletes what is kept of the sources that were written longest ago
	// until no more than so many compressed bytes are left, and says of how many.
	TrimOriginals(ctx context.Context, limit int64) (int, error)
}

// OriginalPiece is a run of whole records of a source.
type OriginalPiece struct {
	Tool, Path string
	Session    string // of a database: whose document it is; the source is made when it is not there
	Offset     int64  // where it begins in the source
	Text       []byte
	Replace    bool // the source was rewritten: what was kept of it goes
}

// RowsOf stands between the path of a database and the session of a document of it.
const RowsOf = "#"

// Original is a source of which raw records are kept.
type Original struct {
	Session  SessionKey
	Path     string
	Subagent bool
	Length   int64     // bytes of the transcript
	Packed   int64     // bytes in the ledger
	Last     time.Time // last known time of an event in it
}
