package quality

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/extract"
)

// Sessions yields every transcript in a folder that a reader knows, in the
// order of the paths; files nobody knows are passed over.
func Sessions(root string, yield func(*Session) error) error {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("look through %s: %w", root, err)
	}
	slices.Sort(files)
	temp, err := os.MkdirTemp("", "carryover-quality-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	services := daemon.WithoutLedger(home.Dir(temp), func(error) {})
	for _, file := range files {
		events, tool, err := services.FileEvents(file, "")
		if errors.Is(err, daemon.ErrForeign) || errors.Is(err, view.ErrNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
		name, _ := filepath.Rel(root, file)
		if err := yield(&Session{Name: name, Set: setName(root), Tool: tool, Events: events}); err != nil {
			return err
		}
	}
	return nil
}

// setName is how a report calls a folder of transcripts.
func setName(folder string) string { return filepath.Base(folder) }

// Measured is what a run over folders of transcripts and of labels gave; the
// Bare tables are of the same run without the word lists, nil where that was
// not asked for.
type Measured struct {
	Sets               []string
	Checkpoints, Bare  *Table
	Labels, BareLabels *LabelTable
	Truth, BareTruth   *TruthTable
}

// Measure scores every session in folders of transcripts, and every label in
// folders of labels whose session is there.
func Measure(corpora, labels []string, withoutWords bool) (*Measured, error) {
	m := &Measured{Checkpoints: &Table{}, Labels: &LabelTable{}, Truth: &TruthTable{}}
	bare := extract.Options{WithoutWords: true}
	if withoutWords {
		m.Bare, m.BareLabels, m.BareTruth = &Table{opts: bare}, &LabelTable{}, &TruthTable{opts: bare}
	}
	for _, folder := range corpora {
		m.Sets = append(m.Sets, setName(folder))
		err := Sessions(folder, func(s *Session) error {
			m.Checkpoints.Add(s)
			m.Truth.Add(s)
			if withoutWords {
				m.Bare.Add(s)
				m.BareTruth.Add(s)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	list, err := ReadLabels(labels)
	if err != nil {
		return nil, err
	}
	err = labelledSessions(corpora, list, func(c labelled) error {
		m.Labels.add(c, extract.Options{})
		if withoutWords {
			m.BareLabels.add(c, bare)
		}
		return nil
	})
	return m, err
}
