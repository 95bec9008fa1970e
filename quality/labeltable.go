package quality

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/quality/internal/truncate"
)

// LabelTable collects the scores of labels by the repository that the session
// comes from. A repository is a fold: what holds in one only is not known to
// hold in the next.
type LabelTable struct {
	Rows []LabelRow
}

// LabelRow is one scored label.
type LabelRow struct {
	Label      *Label
	Set        string // the corpus its session is in
	Repository string
	Text       string // the handoff
	Score      LabelScore
}

// labelled is a label with the events that stand before its cut.
type labelled struct {
	label *Label
	set   string
	*Session
}

// labelledSessions reads the sessions of labels up to their cuts, of those whose
// transcript is in the corpora.
func labelledSessions(corpora []string, labels []*Label, yield func(labelled) error) error {
	temp, err := os.MkdirTemp("", "carryover-labels-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	services := daemon.WithoutLedger(home.Dir(temp), func(error) {})
	for _, l := range labels {
		for _, root := range corpora {
			file := l.find(root)
			if file == "" {
				continue
			}
			short, err := truncate.Write(file, l.Checkpoint, temp)
			if err != nil {
				return err
			}
			events, tool, err := services.FileEvents(short, l.Tool)
			if err != nil {
				return fmt.Errorf("read %s before line %d: %w", file, l.Checkpoint, err)
			}
			if err := yield(labelled{l, setName(root), &Session{Name: l.File, Tool: tool, Events: events}}); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// add scores the handoff at a label.
func (t *LabelTable) add(c labelled, opts extract.Options) {
	text := handoff(c.Events, opts)
	t.Rows = append(t.Rows, LabelRow{Label: c.label, Set: c.set, Repository: repository(c.label.File), Text: text, Score: ScoreLabel(text, c.label)})
}

// figureOf is one figure over rows: its value, which of the score is a mean and
// of the others a share, and how many labels it rests on.
func figureOf(rows []LabelRow, name string) (value float64, sum Tally, ok bool) {
	var scores []float64
	for _, r := range rows {
		scores = append(scores, r.Score.Score)
		sum.add(r.Score.Tallies[name])
	}
	if name == "score" {
		return mean(scores), Tally{Of: len(rows)}, len(rows) > 0
	}
	return sum.Share(), sum, sum.Of > 0
}

// figure is one figure over all rows, those of each set, and each repository.
func (t *LabelTable) figure(name string) Figure {
	f := Figure{Name: name, Cost: labelCosts[name], Sets: map[string]float64{}}
	value, sum, ok := figureOf(t.Rows, name)
	if !ok {
		return f
	}
	f.All, f.N = value, sum.Of
	for set, rows := range grouped(t.Rows, func(r LabelRow) string { return r.Set }) {
		if v, _, ok := figureOf(rows, name); ok {
			f.Sets[set] = v
		}
	}
	for repo, rows := range grouped(t.Rows, func(r LabelRow) string { return r.Repository }) {
		if v, sum, ok := figureOf(rows, name); ok {
			f.Folds = append(f.Folds, Fold{repo, v, sum.Of})
		}
	}
	slices.SortFunc(f.Folds, func(a, b Fold) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.Repository, b.Repository))
	})
	return f
}

// Figures are all figures of the labels that apply.
func (t *LabelTable) Figures() []Figure {
	var out []Figure
	for _, name := range LabelFigures {
		if f := t.figure(name); f.N > 0 {
			out = append(out, f)
		}
	}
	return out
}

// Worst are the n rows with the lowest scores, worst first.
func (t *LabelTable) Worst(n int) []LabelRow {
	rows := slices.SortedStableFunc(slices.Values(t.Rows), func(a, b LabelRow) int { return cmp.Compare(a.Score.Score, b.Score.Score) })
	return rows[:min(n, len(rows))]
}
