package quality

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Label is what somebody who read a session says a handoff at one place in it
// must tell. It names the place by the line before which the file is cut.
type Label struct {
	ID         string `json:"-"` // its file's name
	File       string `json:"file"`
	Tool       string `json:"tool"`
	Checkpoint int    `json:"cut_before_line"`

	Task           aim    `json:"task"`
	Goal           *aim   `json:"goal"`
	Decisions      []fact `json:"decisions"`
	OpenFailures   []fact `json:"open_failures"`
	SolvedFailures []fact `json:"solved_failures"`
	OpenQuestions  []fact `json:"open_questions"`
	Next           aim    `json:"next_action"`
	Constraints    []fact `json:"constraints"`
	References     []fact `json:"references"`
	Verify         []fact `json:"verify"`
	Done           []fact `json:"progress_done"`
	Open           []fact `json:"progress_open"`
	FalseDecisions []fact `json:"false_decisions"`
	Files          struct {
		Needed     []string `json:"needed"`
		Named      []string `json:"named_not_opened"`
		NotWritten []string `json:"not_written"`
	} `json:"files"`

	// Only newer labels have what follows; Outcome is nil in others.
	Outcome      []fact `json:"outcome"`
	NotDecisions []fact `json:"not_decisions"`
	Stale        []fact `json:"stale"`
	Works        []fact `json:"works"`
	NotPassed    []fact `json:"not_passed"`
}

// aim is one thing that may be said in several ways: the words of one of them
// stand together.
type aim struct {
	Any   [][]string `json:"must_any"`
	Wrong []string   `json:"wrong"` // what must not stand there instead
}

// fact is one entry of a list: known by all words of All, or of one of Any; Words
// are those of something that must not be listed.
type fact struct {
	Say   string     `json:"say"`
	All   []string   `json:"must_all"`
	Any   [][]string `json:"must_any"`
	Words []string   `json:"words"`
}

func (f fact) ways() [][]string {
	if len(f.Any) > 0 {
		return f.Any
	}
	return [][]string{f.All}
}

// ReadLabels reads the labels of folders, each *.json in them, in the order of
// their names.
func ReadLabels(folders []string) ([]*Label, error) {
	var out []*Label
	for _, dir := range folders {
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		if err != nil {
			return nil, err
		}
		slices.Sort(files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, fmt.Errorf("read label: %w", err)
			}
			l := &Label{ID: strings.TrimSuffix(filepath.Base(file), ".json")}
			if err := json.Unmarshal(text, l); err != nil {
				return nil, fmt.Errorf("read label %s: %w", file, err)
			}
			out = append(out, l)
		}
	}
	return out, nil
}

// find is where a label's transcript stands in a corpus, "" for nowhere.
func (l *Label) find(root string) string {
	file := filepath.Join(root, filepath.FromSlash(l.File))
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// repository is where a session comes from: the part OWNER+NAME of its path,
// else the folder it is in.
func repository(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	for _, p := range parts {
		if strings.Contains(p, "+") {
			return strings.Replace(p, "+", "/", 1)
		}
	}
	return parts[max(0, len(parts)-2)]
}
