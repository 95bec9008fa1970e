// Command quality scores handoffs on folders of real transcripts against what
// the sessions did next and against labels, and prints the tables.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/quality"
)

func main() {
	worst := flag.Int("worst", 0, "print our `N` worst handoffs too, with the answer key")
	missed := flag.Bool("missed", false, "print what each label missed")
	save := flag.String("save", "", "keep the handoffs at the labels in `FOLDER`")
	write := flag.String("write", "", "put the tables into `FILE`, between their markers")
	bare := flag.Bool("without-words", false, "run again without the word lists, and print both")
	labels := flag.String("labels", os.Getenv("CARRYOVER_LABELS"), "`FOLDERS` of labels, separated as in PATH (CARRYOVER_LABELS)")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: quality [flags] [FOLDER…]\nThe folders of transcripts are those of CARRYOVER_CORPUS where none is given.")
		flag.PrintDefaults()
	}
	flag.Parse()
	corpora := flag.Args()
	if len(corpora) == 0 {
		corpora = list(os.Getenv("CARRYOVER_CORPUS"))
	}
	if len(corpora) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	measured, err := quality.Measure(corpora, list(*labels), *bare)
	if err == nil {
		err = tell(measured, *worst, *missed, *save)
	}
	if err == nil && *write != "" {
		err = quality.WriteReport(*write, measured)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

// list splits a list of folders; empty entries are passed over.
func list(folders string) []string {
	var out []string
	for _, dir := range filepath.SplitList(folders) {
		if dir != "" {
			out = append(out, dir)
		}
	}
	return out
}

func tell(m *quality.Measured, worst int, missed bool, save string) error {
	if len(m.Checkpoints.Rows()) == 0 && len(m.Labels.Rows) == 0 {
		return errors.New("no transcript is long enough to be cut, and none has a label")
	}
	fmt.Print(m.Checkpoints.Markdown(), "\n", m.CheckpointsMarkdown(), "\n", m.LabelsMarkdown(), "\n", m.TruthMarkdown())
	median, longest := m.Checkpoints.Time()
	fmt.Printf("\nTime to distil: %v median, %v at most.\n", median, longest)
	for _, j := range m.Checkpoints.Worst(worst) {
		fmt.Printf("\n=== %s, %s\nscores %v\nnext files %v\nopen failures %v\n%s", j.Checkpoint.Name(), j.Checkpoint.Kind, j.Scores, j.Key.Touched, j.Key.Open, j.Text)
	}
	for _, r := range m.Labels.Worst(worst) {
		fmt.Printf("\n=== label %s, %.3f\n%s\n%s", r.Label.ID, r.Score.Score, strings.Join(r.Score.Missed, "\n"), r.Text)
	}
	for _, f := range m.Labels.Figures() {
		for _, fold := range f.Folds {
			if missed && f.Name == "score" {
				fmt.Printf("score of %s: %.3f (%d)\n", fold.Repository, fold.Value, fold.N)
			}
		}
	}
	for _, wrong := range m.Truth.Wrong() {
		if missed {
			fmt.Println(wrong)
		}
	}
	for _, r := range m.Labels.Rows {
		if missed {
			fmt.Printf("\n%s %.3f\n  %s\n", r.Label.ID, r.Score.Score, strings.Join(r.Score.Missed, "\n  "))
		}
		if save != "" {
			if err := os.WriteFile(filepath.Join(save, r.Label.ID+".md"), []byte(r.Text), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
