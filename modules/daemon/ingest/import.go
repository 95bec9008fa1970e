package ingest

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/capture/filesource"
	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/modules/daemon/capture/zstdsource"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// file is one transcript to read.
type file struct{ tool, path string }

// ImportHistory reads what is on disk already: the source roots of all tools, or of
// one, or the transcripts below a folder, recognised by their content. It
// touches no project.
func (s *Service) ImportHistory(ctx context.Context, request view.ImportRequest, progress view.Progress) (view.ImportResult, error) {
	result := view.ImportResult{
		Schema: 1, Unknown: map[string]map[string]int64{}, Errors: []view.SourceError{}, Foreign: []string{}, Empty: []string{},
	}
	if err := s.ingester.Remember(ctx); err != nil {
		return result, err
	}
	files, foreign, err := s.find(ctx, request)
	if err != nil {
		return result, err
	}
	result.Foreign = append(result.Foreign, foreign...)
	into := importing{service: s, result: &result, sessions: map[string]bool{}}
	bulk := s.ingester.Bulk(func(tool, path string, taken capture.Taken, err error) {
		into.add(ctx, file{tool, path}, taken, err)
	})
	for i, f := range files {
		progress.Report(i, len(files), f.path)
		if err := bulk.Read(ctx, f.tool, f.path); err != nil {
			return result, err
		}
	}
	if err := bulk.Flush(ctx); err != nil {
		return result, err
	}
	if err := s.KeepOriginals(ctx); err != nil {
		return result, err
	}
	result.Sessions = len(into.sessions)
	if err := addUnprompted(ctx, &result, s.store, files); err != nil {
		return result, err
	}
	progress.Report(len(files), len(files), "")
	return result, nil
}

// importing is one import.
type importing struct {
	service  *Service
	result   *view.ImportResult
	sessions map[string]bool // tool and id
}

// add counts what became of a file.
func (i *importing) add(ctx context.Context, f file, taken capture.Taken, err error) {
	if taken.Unsure && i.service.recheck != nil {
		i.service.recheck(f.tool, f.path)
	}
	if err != nil {
		i.result.Errors = append(i.result.Errors, view.SourceError{Path: f.path, Message: err.Error()})
		return
	}
	addTaken(i.result, f, taken)
	for session := range taken.Sessions {
		i.sessions[f.tool+" "+session] = true
	}
	if taken.Main == "" { // a database, or a file that has not changed since this process read it
		if source, found, err := i.service.store.Source(ctx, f.tool, zstdsource.Logical(f.path)); err == nil && found {
			taken.Main = source.Main
		}
	}
	if taken.Main != "" {
		i.sessions[f.tool+" "+taken.Main] = true
	}
}

func addTaken(r *view.ImportResult, f file, taken capture.Taken) {
	r.Files++
	r.Events += taken.Events
	r.Bytes += taken.Bytes
	r.Records += taken.Coverage.Records
	r.Read += taken.Coverage.Read
	r.Skipped += taken.Coverage.Skipped
	r.Broken += taken.Coverage.Broken + taken.Coverage.TooLong
	for version, types := range taken.Coverage.Unknown {
		key := f.tool
		if version != "" {
			key += " " + version
		}
		for name, n := range types {
			if strings.HasPrefix(name, transcript.MemberPrefix) {
				continue
			}
			if r.Unknown[key] == nil {
				r.Unknown[key] = map[string]int64{}
			}
			r.Unknown[key][name] += n
		}
	}
	if taken.Coverage.Read == 0 && taken.Coverage.Skipped < taken.Coverage.Records { // what was skipped was known
		r.Empty = append(r.Empty, f.path)
	}
}

// addUnprompted names the files of the import in which no prompt was found,
// now or before.
func addUnprompted(ctx context.Context, r *view.ImportResult, log ledger.Store, files []file) error {
	coverage, err := log.Coverage(ctx)
	if err != nil {
		return err
	}
	imported := make(map[file]bool, len(files))
	for _, f := range files {
		imported[file{f.tool, zstdsource.Logical(f.path)}] = true
	}
	for _, tool := range coverage {
		for _, path := range tool.NoPrompt {
			if imported[file{tool.Tool, path}] {
				r.NoPrompt = append(r.NoPrompt, path)
			}
		}
	}
	return nil
}

func (s *Service) find(ctx context.Context, request view.ImportRequest) (files []file, foreign []string, err error) {
	if request.Tool != "" {
		if _, err := s.table.Lookup(request.Tool); err != nil {
			return nil, nil, err
		}
	}
	if request.Root != "" {
		return s.findBelow(ctx, request)
	}
	for _, root := range s.Roots() {
		if request.Tool != "" && root.Tool != request.Tool {
			continue
		}
		paths, err := root.Files(ctx)
		if err != nil {
			return nil, nil, err
		}
		for _, path := range paths {
			files = append(files, file{root.Tool, path})
		}
	}
	for _, root := range s.InProjects(ctx) {
		if request.Tool == "" || root.Tool == request.Tool {
			files = append(files, file{root.Tool, root.Path()})
		}
	}
	return files, nil, nil
}

// findBelow looks at every file below a folder and recognises it by content.
func (s *Service) findBelow(ctx context.Context, request view.ImportRequest) (files []file, foreign []string, err error) {
	root, err := filepath.Abs(request.Root)
	if err != nil {
		return nil, nil, err
	}
	if _, err := os.Stat(root); err != nil {
		return nil, nil, fmt.Errorf("import: %w", err)
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		tool, ok := s.ingester.ToolOf(path)
		if !ok {
			tool, ok, err = s.Recognise(path)
		}
		switch {
		case err != nil:
			return nil
		case !ok:
			foreign = append(foreign, path)
		case request.Tool == "" || tool == request.Tool:
			files = append(files, file{tool, path})
		}
		return nil
	})
	return files, foreign, err
}

// recogniseHead is how much of a file is looked at to know whose it is.
const recogniseHead = 256 << 10

// maxShown is how much of a file is looked at to say why it is nobody's.
const maxShown = 4 << 10

// lookedFor says what was looked for in a file that is nobody's, behind a sign;
// "" for a database, of which the tables decide.
func lookedFor(table *toolspecs.Table, path string) string {
	f, err := filesource.OpenContent(path)
	if err != nil || sqlitesource.Is(path) {
		return ""
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, maxShown)
	n, _ := io.ReadFull(f, head)
	return ": " + table.Unrecognised(path, head[:n])
}

// Recognise says which tool wrote a transcript: the one in whose folder it
// lies, else by its name and beginning.
func (s *Service) Recognise(path string) (tool string, ok bool, err error) {
	if tool, ok := capture.ToolAt(s.Roots(), path); ok {
		return tool, true, nil
	}
	if sqlitesource.Is(path) {
		return s.recogniseDatabase(path)
	}
	f, err := filesource.OpenContent(path)
	if err != nil {
		return "", false, err
	}
	defer func() { _ = f.Close() }()
	head := headBuffers.Get().(*[recogniseHead]byte)
	defer headBuffers.Put(head)
	n, _ := io.ReadFull(f, head[:])
	tool, ok = s.table.Recognise(zstdsource.Logical(path), head[:n])
	return tool, ok, nil
}

// headBuffers are reused: an import recognises files by the thousand.
var headBuffers = sync.Pool{New: func() any { return new([recogniseHead]byte) }}

// UnknownOf flattens coverage for a report over one tool.
func UnknownOf(coverage transcript.Coverage) map[string]int64 {
	flat := map[string]int64{}
	for _, types := range coverage.Unknown {
		for name, n := range types {
			if !strings.HasPrefix(name, transcript.MemberPrefix) {
				flat[name] += n
			}
		}
	}
	return flat
}
