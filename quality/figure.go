package quality

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Figure is one measure over everything, over each set and over each
// repository. Nothing in the distiller is trained, so leaving a repository out
// changes no rule; that a rule was made by looking at one repository shows where
// the others fall below the whole.
type Figure struct {
	Name  string
	Cost  bool // less is better
	N     int  // what it rests on: labels, or cuts
	All   float64
	Sets  map[string]float64
	Folds []Fold
}

// Fold is a figure in one source repository.
type Fold struct {
	Repository string
	Value      float64
	N          int
}

// Mean is the mean over the repositories, each counting once.
func (f Figure) Mean() float64 {
	var values []float64
	for _, fold := range f.Folds {
		values = append(values, fold.Value)
	}
	return mean(values)
}

// Worst is the repository in which the figure is worst; of equal ones the one
// with most behind it.
func (f Figure) Worst() Fold {
	return slices.MinFunc(f.Folds, func(a, b Fold) int {
		sign := 1
		if f.Cost {
			sign = -1
		}
		return cmp.Or(sign*cmp.Compare(a.Value, b.Value), -cmp.Compare(a.N, b.N), cmp.Compare(a.Repository, b.Repository))
	})
}

// Against counts the repositories in which this figure is better than another
// run's, and those in which it is worse.
func (f Figure) Against(other Figure) (helps, hurts int) {
	for _, mine := range f.Folds {
		i := slices.IndexFunc(other.Folds, func(o Fold) bool { return o.Repository == mine.Repository })
		if i < 0 {
			continue
		}
		d := mine.Value - other.Folds[i].Value
		if f.Cost {
			d = -d
		}
		helps += int(is(d > slack))
		hurts += int(is(d < -slack))
	}
	return helps, hurts
}

func grouped[T any](list []T, by func(T) string) map[string][]T {
	out := map[string][]T{}
	for _, v := range list {
		out[by(v)] = append(out[by(v)], v)
	}
	return out
}

// comparedColumns are the columns of the cuts that have a figure of their own.
var comparedColumns = Columns[:len(Columns)-2]

// Figures are our means over the cuts at a share of the calls, in every
// repository.
func (t *Table) Figures() []Figure {
	var out []Figure
	for _, name := range comparedColumns {
		f := Figure{Name: name, Cost: lowerIsBetter[name], Sets: map[string]float64{}}
		checkpoints := slices.DeleteFunc(slices.Clone(t.ours), func(j Judged) bool {
			_, has := j.Scores[name]
			return !has || j.Checkpoint.Kind == "compaction"
		})
		if len(checkpoints) == 0 {
			continue
		}
		of := func(list []Judged) float64 {
			var values []float64
			for _, j := range list {
				values = append(values, j.Scores[name])
			}
			return mean(values)
		}
		f.All, f.N = of(checkpoints), len(checkpoints)
		for set, list := range grouped(checkpoints, func(j Judged) string { return j.Checkpoint.Session.Set }) {
			f.Sets[set] = of(list)
		}
		for repo, list := range grouped(checkpoints, func(j Judged) string { return repository(j.Checkpoint.Session.Name) }) {
			f.Folds = append(f.Folds, Fold{repo, of(list), len(list)})
		}
		out = append(out, f)
	}
	return out
}

// figureTable is a table of figures, beside those of a run without the word
// lists where there is one.
func figureTable(sets []string, figures, bare []Figure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| figure | n | %s | all | mean of repositories | worst repository |", strings.Join(sets, " | "))
	end := "--:|--:|---|"
	if bare != nil {
		b.WriteString(" without words | words help, hurt |")
		end += "--:|--:|"
	}
	b.WriteString("\n|---|--:|" + strings.Repeat("--:|", len(sets)) + end + "\n")
	for _, f := range figures {
		fmt.Fprintf(&b, "| %s | %d |", f.Name, f.N)
		for _, set := range sets {
			if v, ok := f.Sets[set]; ok {
				fmt.Fprintf(&b, " %.3f |", v)
			} else {
				b.WriteString(" |")
			}
		}
		worst := f.Worst()
		fmt.Fprintf(&b, " %.3f | %.3f | %.3f, %s (%d) |", f.All, f.Mean(), worst.Value, worst.Repository, worst.N)
		if bare != nil {
			b.WriteString(besides(f, bare))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func besides(f Figure, bare []Figure) string {
	for _, o := range bare {
		if o.Name == f.Name {
			helps, hurts := f.Against(o)
			return fmt.Sprintf(" %.3f | %d, %d |", o.All, helps, hurts)
		}
	}
	return " | |"
}

// LabelsMarkdown is the table of the figures of the labels, "" without any.
func (m *Measured) LabelsMarkdown() string {
	if len(m.Labels.Rows) == 0 {
		return ""
	}
	var bare []Figure
	if m.BareLabels != nil {
		bare = m.BareLabels.Figures()
	}
	return figureTable(m.Sets, m.Labels.Figures(), bare)
}

// TruthMarkdown is the table of what is wrong at the ends of turns.
func (m *Measured) TruthMarkdown() string {
	var bare []Figure
	if m.BareTruth != nil {
		bare = m.BareTruth.Figures()
	}
	return figureTable(m.Sets, m.Truth.Figures(), bare)
}

// CheckpointsMarkdown is the table of our figures at the shares, by set and repository.
func (m *Measured) CheckpointsMarkdown() string {
	var bare []Figure
	if m.Bare != nil {
		bare = m.Bare.Figures()
	}
	return figureTable(m.Sets, m.Checkpoints.Figures(), bare)
}
