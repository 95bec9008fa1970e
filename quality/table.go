package quality

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/distiller/extract"
)

// Row is the mean of one method's scores over the cuts of one kind.
type Row struct {
	Tool, Checkpoints, Method string
	N                         int
	Mean                      Scores
}

// Table collects scores.
type Table struct {
	rows []*Row
	sums map[*Row]map[string][]float64
	ours []Judged
	took []time.Duration
	opts extract.Options
}

// Judged is one of our handoffs with its scores.
type Judged struct {
	Checkpoint *Checkpoint
	Key        *Key
	Text       string
	Scores     Scores
}

// Add scores every method at every cut of a session.
func (t *Table) Add(s *Session) {
	for _, c := range Checkpoints(s) {
		k := KeyOf(c)
		if !k.Worth() {
			continue
		}
		lost := Lost(c.Summary, k)
		for i, m := range t.methods() {
			start := time.Now()
			text := m.Text(c, k)
			if i == 0 {
				t.took = append(t.took, time.Since(start))
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			scores := Score(text, k, lost)
			kind := "shares"
			if c.Kind == "compaction" {
				kind = c.Kind
			}
			t.add(s.Tool, kind, m.Name, scores)
			t.add("all", kind, m.Name, scores)
			if i == 0 {
				t.ours = append(t.ours, Judged{Checkpoint: c, Key: k, Text: text, Scores: scores})
			}
		}
	}
}

// methods are all, or ours alone where something is left out of it.
func (t *Table) methods() []Method {
	if t.opts.WithoutWords {
		return methods(t.opts)[:1]
	}
	return Methods
}

func (t *Table) add(tool, checkpoints, method string, s Scores) {
	i := slices.IndexFunc(t.rows, func(r *Row) bool { return r.Tool == tool && r.Checkpoints == checkpoints && r.Method == method })
	if i < 0 {
		i = len(t.rows)
		t.rows = append(t.rows, &Row{Tool: tool, Checkpoints: checkpoints, Method: method})
		if t.sums == nil {
			t.sums = map[*Row]map[string][]float64{}
		}
		t.sums[t.rows[i]] = map[string][]float64{}
	}
	row := t.rows[i]
	row.N++
	for name, v := range s {
		t.sums[row][name] = append(t.sums[row][name], v)
	}
}

// Rows are the means, all tools together first.
func (t *Table) Rows() []Row {
	var out []Row
	for _, r := range t.rows {
		row := *r
		row.Mean = Scores{}
		for name, vs := range t.sums[r] {
			row.Mean[name] = mean(vs)
		}
		out = append(out, row)
	}
	order := func(r Row) int {
		if r.Tool == "all" {
			return 0
		}
		return 1
	}
	method := func(r Row) int {
		return slices.IndexFunc(Methods, func(m Method) bool { return m.Name == r.Method })
	}
	slices.SortStableFunc(out, func(a, b Row) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.Tool, b.Tool), cmp.Compare(b.Checkpoints, a.Checkpoints), cmp.Compare(method(a), method(b)))
	})
	return out
}

func mean(vs []float64) float64 {
	sum := 0.0
	for _, v := range vs {
		sum += v
	}
	return sum / float64(len(vs))
}

// Time is how long our handoffs took: the median and the longest.
func (t *Table) Time() (median, longest time.Duration) {
	if len(t.took) == 0 {
		return 0, 0
	}
	took := slices.Sorted(slices.Values(t.took))
	return took[len(took)/2], took[len(took)-1]
}

// Worst are our n handoffs that name the fewest of the next files, worst first.
func (t *Table) Worst(n int) []Judged {
	ours := slices.SortedStableFunc(slices.Values(t.ours), func(a, b Judged) int { return cmp.Compare(a.Scores["files"], b.Scores["files"]) })
	return ours[:min(n, len(ours))]
}

// Markdown is the table of the means.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| tool | cuts | n | method | " + strings.Join(Columns, " | ") + " |\n")
	b.WriteString("|---|---|--:|---|" + strings.Repeat("--:|", len(Columns)) + "\n")
	for _, r := range t.Rows() {
		b.WriteString(r.Markdown() + "\n")
	}
	return b.String()
}

// Markdown is a row of the table. A figure that does not apply is left empty.
func (r Row) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s | %d | %s |", r.Tool, r.Checkpoints, r.N, r.Method)
	for _, c := range Columns {
		v, ok := r.Mean[c]
		switch {
		case !ok:
			b.WriteString(" |")
		case c == "lines" || c == "chars":
			fmt.Fprintf(&b, " %.0f |", v)
		default:
			fmt.Fprintf(&b, " %.3f |", v)
		}
	}
	return b.String()
}
