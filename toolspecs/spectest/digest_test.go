package spectest_test

import (
	"crypto/sha256"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A change that must leave every event as it is compares what this logs before
// and after it: a digest of all events and counts, per tool.
func TestCorpus_Digest(t *testing.T) {
	forEachTool(t, func(t *testing.T, spec *toolspecs.Spec, reader transcript.Reader) {
		sum, files, events := sha256.New(), 0, 0
		for _, file := range digested(t, spec.Tool) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			read, coverage, _, err := spectest.ReadAll(reader, transcript.Source{Tool: spec.Tool, Path: file}, data, transcript.Position{})
			if err != nil {
				continue // not a form that this tool has as a file
			}
			_, _ = sum.Write(spectest.Lines(read))
			_, _ = sum.Write([]byte(counts(coverage)))
			files, events = files+1, events+len(read)
		}
		t.Logf("%d files, %d events, digest %x", files, events, sum.Sum(nil)[:12])
	})
}

func digested(t *testing.T, tool string) []string {
	folders := map[string]string{"claude-code": "claude", "gemini-cli": "gemini"}
	folder := folders[tool]
	if folder == "" {
		folder = tool
	}
	var files []string
	for _, root := range spectest.Corpora(t) {
		_ = filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			isText := strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".md")
			if err == nil && !entry.IsDir() && isText {
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}

func counts(c transcript.Coverage) string {
	data, err := json.Marshal(c)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
