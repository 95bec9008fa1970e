package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// recogniseDatabase says which tool keeps its history in a database. One that
// cannot be opened is nobody's.
func (s *Service) recogniseDatabase(path string) (tool string, ok bool, err error) {
	ctx := context.Background()
	db, err := sqlitesource.Open(ctx, path)
	if err != nil {
		return "", false, fmt.Errorf("recognise %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tables, err := db.Tables(ctx)
	if err != nil {
		return "", false, fmt.Errorf("recognise %s: %w", path, err)
	}
	tool, ok = s.table.RecogniseTables(tables, func(query string) bool { return db.Answers(ctx, query) })
	return tool, ok, nil
}

// takeDatabases reads what is new in the databases in which a tool keeps all of
// its sessions.
func (s *Service) takeDatabases(ctx context.Context, tool string) error {
	for _, root := range s.Roots() {
		if root.Tool != tool || !root.Flat() || !sqlitesource.Is(root.Path()) {
			continue
		}
		if _, err := s.Take(ctx, tool, root.Path()); err != nil {
			return err
		}
	}
	return nil
}

// rows yields the events of the session in a database that was at work last:
// a handoff is of one.
func (r *fileReading) rows(reader transcript.RowReader, yield func(transcript.Located) bool) (err error) {
	ctx := context.Background()
	db, err := sqlitesource.Open(ctx, r.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	cwd := r.service.sidecar(r.tool, r.path)
	session, err := newest(ctx, db, reader, cwd)
	if err != nil {
		return err
	}
	decoder, err := db.Decode(ctx, reader, transcript.Position{}, time.Now(), cwd)
	if err != nil {
		return err
	}
	var events []transcript.Located
	err = r.drain(decoder, func(event transcript.Located) bool {
		if event.Session == session {
			events = append(events, event)
		}
		return true
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(events, func(a, b transcript.Located) int {
		return cmp.Or(cmp.Compare(a.Ref.Offset, b.Ref.Offset), cmp.Compare(a.Ref.Block, b.Ref.Block))
	})
	for _, event := range events {
		if !yield(event) {
			return nil
		}
	}
	return nil
}

// newest is the session whose last event is the newest.
func newest(ctx context.Context, db *sqlitesource.Database, reader transcript.RowReader, cwd string) (session string, err error) {
	decoder, err := db.Decode(ctx, reader, transcript.Position{}, time.Now(), cwd)
	if err != nil {
		return "", err
	}
	var latest time.Time
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return session, nil
		}
		if err != nil {
			return "", err
		}
		for _, event := range batch.Events {
			if event.Time.After(latest) {
				session, latest = event.Session, event.Time
			}
		}
	}
}
