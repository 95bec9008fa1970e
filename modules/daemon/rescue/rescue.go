// Package rescue gives sessions that a tool has deleted back to it: their transcripts are
// written where they were, from what the ledger keeps of them.
package rescue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/capture/zstdsource"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// Store is what is read of the ledger.
type Store interface {
	Originals(ctx context.Context, session ledger.SessionKey) ([]ledger.Original, error)
	Original(ctx context.Context, tool, path string) iter.Seq2[[]byte, error]
}

// Request names a session.
type Request struct {
	Session ledger.Session
	// To is a folder to write into; "" writes each file to where it was. A document that
	// the tool imports is written into Documents then.
	To, Documents string
}

// Session writes a session's transcripts. One that is there already is refused, and
// nothing is written: view.CodeUnchanged. view.CodeNotFound when nothing is kept of it.
func Session(ctx context.Context, store Store, spec *toolspecs.Spec, request Request) (view.Rescued, error) {
	session := request.Session
	result := view.Rescued{Schema: 1, Tool: session.Tool, Session: session.ID, Directory: session.Cwd, Files: []view.RescuedFile{}}
	kept, err := store.Originals(ctx, session.SessionKey)
	if err != nil {
		return result, err
	}
	if len(kept) == 0 {
		return result, &view.Error{Code: view.CodeNotFound, Message: "no raw records of session " + session.ID + " are kept", Hint: "see `carryover config transcripts.keep`; `carryover show " + session.ID + "` prints what the ledger holds"}
	}
	paths := make([]string, len(kept))
	for i, original := range kept {
		if paths[i], err = target(original, request); err != nil {
			return result, err
		}
		if path := paths[i]; isThere(path) {
			return result, &view.Error{Code: view.CodeUnchanged, Message: path + " is there already: nothing was written", Hint: "name another folder with --to"}
		}
	}
	for i, original := range kept {
		n, err := write(ctx, store, original, paths[i])
		if err != nil {
			return result, err
		}
		result.Files = append(result.Files, view.RescuedFile{Path: paths[i], Bytes: n, Subagent: original.Subagent})
	}
	result.Commands = commands(spec, session, paths[0])
	return result, nil
}

// target is where a transcript is written to.
func target(original ledger.Original, request Request) (string, error) {
	path, document := original.Path, false
	if database, session, is := strings.Cut(original.Path, ledger.RowsOf); is && session == original.Session.ID {
		document = true
		path = filepath.Join(filepath.Dir(database), session+".json")
	}
	folder := request.To
	if document && folder == "" {
		folder = request.Documents
	}
	if folder == "" {
		if !filepath.IsAbs(path) {
			return "", view.Invalid(path + " is no place of this machine: name a folder with --to")
		}
		return path, nil
	}
	if original.Subagent { // the name says nothing without its folder
		if !filepath.IsLocal(original.Session.ID) { // a transcript says what it likes
			return "", view.Invalid("session " + original.Session.ID + " cannot be the name of a folder")
		}
		return filepath.Join(folder, original.Session.ID, filepath.Base(path)), nil
	}
	return filepath.Join(folder, filepath.Base(path)), nil
}

func isThere(path string) bool {
	_, err := os.Lstat(zstdsource.Physical(path))
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// write makes a file that was not there, readable by the user alone.
func write(ctx context.Context, store Store, original ledger.Original, path string) (n int64, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return 0, fmt.Errorf("rescue: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, fmt.Errorf("rescue: %w", err)
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			_ = os.Remove(path) // half of a transcript is none
		}
	}()
	for text, err := range store.Original(ctx, original.Session.Tool, original.Path) {
		if err != nil {
			return n, err
		}
		written, err := file.Write(text)
		n += int64(written)
		if err != nil {
			return n, fmt.Errorf("rescue: %w", err)
		}
	}
	return n, nil
}

// commands are what a person runs to go on with the session, in its directory.
func commands(spec *toolspecs.Spec, session ledger.Session, path string) [][]string {
	list := [][]string{}
	if spec == nil || spec.Rescue == nil || len(spec.Detect.Binaries) == 0 {
		return list
	}
	fill := strings.NewReplacer("{session}", session.ID, "{file}", path)
	for _, args := range [][]string{spec.Rescue.Import, spec.Rescue.Resume} {
		if len(args) == 0 {
			continue
		}
		command := []string{spec.Detect.Binaries[0]}
		for _, arg := range args {
			command = append(command, fill.Replace(arg))
		}
		list = append(list, command)
	}
	return list
}
