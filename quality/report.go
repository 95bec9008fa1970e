package quality

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// The tables of the report stand between marks of their names.
const (
	checkpointsTable = "TABLE"
	labelsTable      = "LABELS"
	foldsTable       = "FOLDS"
	truthTable       = "TRUTH"
)

// WriteReport puts the tables between their marks in a Markdown file; what
// people wrote around them stays. Without labels the table of the labels stays
// as well.
func WriteReport(path string, m *Measured) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read report: %w", err)
	}
	text := string(raw)
	for _, t := range []struct{ name, table string }{{labelsTable, m.LabelsMarkdown()}, {foldsTable, m.CheckpointsMarkdown()}, {truthTable, m.TruthMarkdown()}, {checkpointsTable, m.Checkpoints.Markdown()}} {
		if t.table == "" {
			continue
		}
		head, _, tail, err := splitReport(path, text, t.name)
		if err != nil {
			return err
		}
		text = head + t.table + tail
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// splitReport finds a table; head ends and tail begins with its marks.
func splitReport(path, text, name string) (head, table, tail string, err error) {
	start, end := "<!--"+name+":START-->\n", "<!--"+name+":END-->"
	head, rest, ok := strings.Cut(text, start)
	table, tail, ended := strings.Cut(rest, end)
	if !ok || !ended {
		return "", "", "", fmt.Errorf("%s has no place for a table between %q and %q", path, strings.TrimSpace(start), end)
	}
	return head + start, table, end + tail, nil
}

// lowerIsBetter are the columns in which a rise is a loss.
var lowerIsBetter = map[string]bool{"solved-open": true, "nudge": true, "stale": true}

// slack is how far a figure may move before it counts as dropped: one file of
// one cut in a row of many.
const slack = 0.005

// Drops compares our figures with those of a report, which is the floor: every
// one that got worse, in a sentence each. A set of transcripts or labels that
// the report does not know is not compared.
func Drops(path string, m *Measured) ([]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	floors := map[string]map[string]string{}
	for _, name := range []string{checkpointsTable, labelsTable, foldsTable, truthTable} {
		_, table, _, err := splitReport(path, string(raw), name)
		if err != nil {
			return nil, err
		}
		readTable(table, name, floors)
	}
	out := rowDrops(floors, m.Checkpoints)
	out = append(out, figureDrops(floors, foldsTable, m.Sets, m.Checkpoints.Figures())...)
	out = append(out, figureDrops(floors, truthTable, m.Sets, m.Truth.Figures())...)
	return append(out, figureDrops(floors, labelsTable, m.Sets, m.Labels.Figures())...), nil
}

// readTable reads the rows of a table by name, their cells by column.
func readTable(table, name string, into map[string]map[string]string) {
	var columns []string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if columns == nil {
			columns = cells
			continue
		}
		row := map[string]string{}
		for i, c := range columns[:min(len(columns), len(cells))] {
			row[c] = cells[i]
		}
		key := name + ": " + row["figure"]
		if name == checkpointsTable {
			key = rowName(row["tool"], row["cuts"], row["method"])
		}
		into[key] = row
	}
}

// rowDrops compares our rows of the table by tool.
func rowDrops(floors map[string]map[string]string, t *Table) []string {
	var out []string
	for _, r := range t.Rows() {
		name := rowName(r.Tool, r.Checkpoints, r.Method)
		for _, c := range comparedColumns {
			now, has := r.Mean[c]
			if r.Method == ours && has {
				out = append(out, dropped(name+": "+c, floors[name][c], now, lowerIsBetter[c])...)
			}
		}
	}
	return out
}

// figureDrops compares figures over all and of each set with their rows.
func figureDrops(floors map[string]map[string]string, table string, sets []string, figures []Figure) []string {
	var out []string
	for _, f := range figures {
		row := floors[table+": "+f.Name]
		out = append(out, dropped(f.Name, row["all"], f.All, f.Cost)...)
		for _, set := range sets {
			if v, ok := f.Sets[set]; ok {
				out = append(out, dropped(f.Name+" of "+set, row[set], v, f.Cost)...)
			}
		}
		value, _, _ := strings.Cut(row["worst repository"], ",")
		out = append(out, dropped(f.Name+" of the worst repository", value, f.Worst().Value, f.Cost)...)
	}
	return out
}

// dropped says that a figure is worse than its floor, nothing where there is
// none.
func dropped(name, floor string, now float64, cost bool) []string {
	was, err := strconv.ParseFloat(floor, 64)
	if err != nil {
		return nil
	}
	if d := now - was; d < -slack && !cost || d > slack && cost {
		return []string{fmt.Sprintf("%s was %.3f and is %.3f", name, was, now)}
	}
	return nil
}

func rowName(tool, checkpoints, method string) string {
	return tool + ", " + checkpoints + ", " + method
}
