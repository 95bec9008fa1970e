package redact

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger/redact/secretcorpus"
)

// The quick look decides as the thorough one does, wherever in a record a secret stands.
func TestRecord_IsJSON(t *testing.T) {
	for _, sample := range secretcorpus.All(3) {
		for name, record := range map[string]any{
			"alone": map[string]any{"text": sample.Text}, "in a sentence": map[string]any{"text": "run this:\n" + sample.Text + "\nand go on"},
			"below": map[string]any{"message": map[string]any{"content": []any{map[string]any{"type": "text", "text": "\t" + sample.Text}}}},
		} {
			line, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := Record(string(line)), JSON(string(line)); got != want {
				t.Errorf("%s %s: %s, want %s", sample.Kind, name, got, want)
			}
		}
	}
	for _, line := range []string{
		`{"password":"Tr0ub4dor-and-3"}`, `{"env":"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEZ\n"}`, `{"a":"token: \u0067lpat-Zx81mQ02LpW7vB45nKjH"}`,
		"no JSON at all: password: hT9xq2LpW7", `{"broken": "glpat-Zx81mQ02LpW7vB45nKjH`, "", `"\`, `{"a":"\u00`,
	} {
		if got, want := Record(line), JSON(line); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// On real transcripts too, where folders of them are at hand.
func TestRecord_IsJSONOnTranscripts(t *testing.T) {
	roots := filepath.SplitList(os.Getenv("CARRYOVER_CORPUS"))
	if len(roots) == 0 {
		t.Skip("CARRYOVER_CORPUS names no folder of transcripts")
	}
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
				return err
			}
			file, err := os.Open(path)
			if err != nil {
				return err
			}
			defer func() { _ = file.Close() }()
			lines := bufio.NewReaderSize(file, 1<<20)
			for n := 1; ; n++ {
				line, err := lines.ReadString('\n')
				if Record(line) != JSON(line) {
					t.Errorf("%s:%d differs", path, n)
				}
				if err != nil {
					return nil
				}
			}
		})
	}
}

func FuzzRecord(f *testing.F) {
	f.Add(`{"a":"password: \"hT9xq2LpW7\""}`)
	f.Fuzz(func(_ *testing.T, line string) { Record(line) })
}
