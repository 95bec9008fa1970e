package ingest

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/toolspecs"
)

// secondary says whose session a transcript holds that is only read while the
// session's database is not.
func (s *sources) secondary(tool, path string) (session string, ok bool) {
	spec, err := s.table.Lookup(tool)
	if err != nil {
		return "", false
	}
	user, _ := os.UserHomeDir()
	for _, source := range spec.Transcripts {
		if !source.Superseded || source.Session == "" {
			continue
		}
		for _, root := range toolspecs.ExpandAll(source.Roots, runtime.GOOS, os.Getenv, user) {
			if session, ok := capture.SessionOf(root, source.Session, path); ok {
				return session, true
			}
		}
	}
	return "", false
}

// secondaries are the transcripts of a session that its database replaces.
func (s *sources) secondaries(tool, session string) []string {
	spec, err := s.table.Lookup(tool)
	if err != nil {
		return nil
	}
	var files []string
	for _, source := range spec.Transcripts {
		if source.Superseded {
			files = append(files, filesOf(source, session)...)
		}
	}
	return files
}

// filesOf are the transcripts of a session that lie at a source, by its name.
func filesOf(source toolspecs.Transcript, session string) []string {
	if source.Session == "" || session == "" || !filepath.IsLocal(session) || strings.ContainsAny(session, `*?[\`) {
		return nil
	}
	user, _ := os.UserHomeDir()
	below := filepath.FromSlash(strings.ReplaceAll(source.Session, "{session}", session))
	var files []string
	for _, root := range toolspecs.ExpandAll(source.Roots, runtime.GOOS, os.Getenv, user) {
		if found, err := filepath.Glob(filepath.Join(root, below)); err == nil {
			files = append(files, found...)
		}
	}
	return files
}
