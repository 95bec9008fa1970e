// Package ingest turns what agents leave behind into events in the ledger:
// transcripts, databases, payloads of hooks, and the state of a repository.
package ingest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Sessions gets what becomes known of sessions.
type Sessions interface {
	// Stored is notified of events that were just stored.
	Stored(ctx context.Context, source ledger.Source, events []transcript.Located)
	// Recorded is notified of an event of our own, such as one of git.
	Recorded(key ledger.SessionKey, event transcript.Located)
}

// Options are what ingesting needs.
type Options struct {
	Table    *toolspecs.Table
	Store    ledger.Store // nil where only single files are read
	Sessions Sessions
	Logger   *zap.Logger
	Now      func() time.Time
	// Fresh is how old an edit may be of which the code around it is looked at:
	// a history of years is imported without parsing it.
	Fresh time.Duration
	// KeepOriginals says that the raw records of what is read are kept, too.
	KeepOriginals bool
	// Changed is notified of the events of transcripts and payloads once Sessions
	// was; nil where nobody waits for them.
	Changed func(events []transcript.Located)
	// Recheck has a source read again after capture.VisibleAfter, for not all of it
	// may have been seen; nil where it is read again anyway.
	Recheck func(tool, path string)
}

// Service ingests sources, each to its end.
type Service struct {
	*sources
	*gitRecorder
	*originals

	table    *toolspecs.Table
	store    ledger.Store
	sessions Sessions
	logger   *zap.Logger
	now      func() time.Time
	fresh    time.Duration
	changed  func(events []transcript.Located)
	recheck  func(tool, path string)
	ingester *capture.Ingester
	full     atomic.Bool // there was no room to write the last time
}

// NoSpace says that there was no room to store what was read last.
func (s *Service) NoSpace() bool { return s.full.Load() }

// New makes the service. It opens nothing.
func New(o Options) *Service {
	s := &Service{
		sources: &sources{
			table: o.Table, store: o.Store, roots: sync.OnceValue(func() []capture.SourceRoot { return capture.SourceRoots(o.Table) }),
		},
		gitRecorder: &gitRecorder{store: o.Store, sessions: o.Sessions},
		originals:   &originals{store: o.Store, table: o.Table, logger: o.Logger, on: o.KeepOriginals},

		table: o.Table, store: o.Store, sessions: o.Sessions, logger: o.Logger, now: o.Now, fresh: o.Fresh, changed: o.Changed, recheck: o.Recheck,
	}
	s.ingester = &capture.Ingester{
		Store: o.Store, Readers: s.readerOf, ReaderAt: s.protocolReader, Sidecar: s.sidecar, Secondary: s.secondary, Secondaries: s.secondaries,
		Annotate: s.annotate, Stored: s.stored,
	}
	return s
}

func (s *Service) stored(ctx context.Context, source ledger.Source, events []transcript.Located) {
	s.note(source, events)
	s.sessions.Stored(ctx, source, events)
	if s.changed != nil {
		s.changed(events)
	}
}

func (s *Service) readerOf(tool string) (transcript.Reader, error) {
	spec, err := s.table.Lookup(tool)
	if err != nil {
		return nil, err
	}
	return readers.For(spec)
}

// protocolReader is the reader of a file that `carryover acp` wrote of a tool's
// session, nil for any other file.
func (s *sources) protocolReader(tool, path string) transcript.Reader {
	spec, err := s.table.Lookup(tool)
	if err != nil {
		return nil
	}
	user, _ := os.UserHomeDir()
	for _, source := range spec.Transcripts {
		if !source.Protocol {
			continue
		}
		for _, root := range toolspecs.ExpandAll(source.Roots, runtime.GOOS, os.Getenv, user) {
			if filepath.Dir(path) == filepath.Clean(root) {
				return readers.Protocol(s.table, tool)
			}
		}
	}
	return nil
}

// Take stores the events that are new in a source.
func (s *Service) Take(ctx context.Context, tool, path string) (capture.Taken, error) {
	taken, err := s.ingester.Read(ctx, tool, path)
	switch {
	case errors.Is(err, ledger.ErrNoSpace):
		s.full.Store(true)
	case err == nil && !taken.Unchanged, errors.Is(err, fs.ErrNotExist):
		s.full.Store(false) // what has nothing new needs no room
	}
	if taken.Unsure && s.recheck != nil {
		s.recheck(tool, path)
	}
	return taken, err
}

// TakeFile is Take for whoever cannot do anything about an error: it is logged.
func (s *Service) TakeFile(ctx context.Context, tool, path string) {
	was := s.NoSpace()
	_, err := s.Take(ctx, tool, path)
	if errors.Is(err, ledger.ErrNoSpace) {
		if s.recheck != nil {
			s.recheck(tool, path) // there may be room again; no event tells
		}
		if was {
			return // it was logged
		}
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		s.logger.Warn("transcript not read", zap.String("tool", tool), zap.String("path", path), zap.Error(err))
	}
}

// TakeHook reads the transcript a hook names. A tool tells its path before the
// file is there, so a missing one is no error.
func (s *Service) TakeHook(ctx context.Context, hook capture.Hook) error {
	if s.protocolReader(hook.Tool, hook.Transcript) != nil {
		if err := s.takeOwn(ctx, hook); err != nil {
			return err
		}
	}
	if hook.Payload != nil {
		return s.TakePayload(ctx, hook)
	}
	if hook.Transcript == "" {
		hook.Transcript = s.transcriptOf(hook)
	}
	if hook.Transcript == "" {
		return errors.Join(takeInProject(ctx, s, hook), s.takeDatabases(ctx, hook.Tool))
	}
	if !s.trusts(hook) {
		return nil
	}
	_, err := s.Take(ctx, hook.Tool, hook.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// takeInProject reads what a tool keeps in the project that a hook came from, which may
// be the first that is heard of it.
func takeInProject(ctx context.Context, s *Service, hook capture.Hook) error {
	if hook.Session != "" || !filepath.IsAbs(hook.Cwd) {
		return nil
	}
	folders := []string{hook.Cwd}
	if w, ok := gitrepo.Find(hook.Cwd); ok {
		folders = append(folders, w.Root)
	}
	for _, place := range untracked(capture.InProjects(s.table, folders)) {
		if place.Tool == hook.Tool {
			if _, err := s.Take(ctx, place.Tool, place.Path()); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeOwn reads what the tool itself keeps of a session that is carried on in an
// editor.
func (s *Service) takeOwn(ctx context.Context, hook capture.Hook) error {
	if own := s.transcriptOf(hook); own != "" && own != hook.Transcript {
		s.TakeFile(ctx, hook.Tool, own)
	}
	return s.takeDatabases(ctx, hook.Tool)
}

// trusts says whether a path named by a hook is one of the tool's transcripts:
// a payload is not trusted to make us read any file.
func (s *Service) trusts(hook capture.Hook) bool {
	if s.Holds(hook.Tool, hook.Transcript) {
		return true
	}
	// A tool whose folder was moved by a variable that we do not have.
	return filepath.IsAbs(hook.Transcript) && strings.Contains(filepath.Base(hook.Transcript), hook.Session) && hook.Session != ""
}

// transcriptOf finds the transcript of a session whose hook does not name it;
// "" when the tool's files are not called by the session.
func (s *Service) transcriptOf(hook capture.Hook) string {
	spec, err := s.table.Lookup(hook.Tool)
	if err != nil || hook.Session == "" {
		return ""
	}
	for _, source := range spec.Transcripts {
		if source.Role == "subagent" {
			continue
		}
		if files := filesOf(source, hook.Session); len(files) > 0 {
			return files[0]
		}
	}
	return ""
}

// Reread reads one source, for whoever wants no more than that it was.
func (s *Service) Reread(ctx context.Context, tool, path string) error {
	_, err := s.Take(ctx, tool, path)
	return err
}

// ForgetFiles lets every file be looked at again, whatever its stat.
func (s *Service) ForgetFiles() { s.ingester.Forget() }

// cleanText takes secrets and forgotten texts out of a text.
func cleanText(store ledger.Store, text string) string { return store.ScrubText(redact.Text(text)) }
