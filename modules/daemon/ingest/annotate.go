package ingest

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/syntax"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// maxCodeFile bounds the files that are read to see where an edit lies, in
// bytes.
const maxCodeFile = 1 << 20

// annotate puts behind every edit what its text shows about the code. Only
// edits that a handoff may still tell are looked at: a history of years is
// imported without parsing it.
func (s *Service) annotate(events []transcript.Located) []transcript.Located {
	var out []transcript.Located
	cwd := ""
	for i, event := range events {
		if event.WorkDir != nil && event.WorkDir.Cwd != "" {
			cwd = event.WorkDir.Cwd
		}
		fresh := event.Edit != nil && !event.Time.IsZero() && s.now().Sub(event.Time) < s.fresh
		code, ok := transcript.Located{}, false
		if fresh {
			code, ok = syntax.Annotate(event, codeFile(event, cwd))
		}
		if ok && out == nil {
			out = append(make([]transcript.Located, 0, len(events)+8), events[:i]...)
		}
		if out != nil {
			out = append(out, event)
		}
		if ok {
			out = append(out, code)
		}
	}
	if out == nil {
		return events
	}
	return out
}

// codeFile is the text of an edited file as it is now, "" where it cannot be
// had: it lies outside of the folder the agent stands in, is no regular file,
// or is large.
func codeFile(event transcript.Located, cwd string) string {
	if event.Call != nil && event.Call.Cwd != "" {
		cwd = event.Call.Cwd
	}
	path := event.Edit.Path
	if filepath.IsAbs(path) {
		rel, err := filepath.Rel(cwd, path)
		if err != nil || cwd == "" || strings.HasPrefix(rel, "..") {
			return ""
		}
		path = rel
	}
	if !filepath.IsLocal(path) || cwd == "" {
		return ""
	}
	root, err := os.OpenRoot(cwd)
	if err != nil {
		return ""
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCodeFile {
		return ""
	}
	text, err := root.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}
