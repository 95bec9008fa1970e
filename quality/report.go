package quality

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// The marks between which the report holds the table.
const (
	tableStart = "<!--TABLE:START-->\n"
	tableEnd   = "<!--TABLE:END-->"
)

// WriteReport puts the table between the marks of a Markdown file; what people
// wrote around it stays.
func WriteReport(path string, t *Table) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read report: %w", err)
	}
	head, _, tail, err := cutReport(path, string(text))
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(head+tableStart+t.Markdown()+tableEnd+tail), 0o644)
}

func cutReport(path, text string) (head, table, tail string, err error) {
	head, rest, ok := strings.Cut(text, tableStart)
	table, tail, ended := strings.Cut(rest, tableEnd)
	if !ok || !ended {
		return "", "", "", fmt.Errorf("%s has no place for the table between %q and %q", path, strings.TrimSpace(tableStart), tableEnd)
	}
	return head, table, tail, nil
}

// lowerIsBetter are the columns in which a rise is a loss.
var lowerIsBetter = map[string]bool{"solved-open": true, "nudge": true, "stale": true}

// slack is how far a figure may move before it counts as dropped: one file of
// one cut in a row of many.
const slack = 0.005

// Drops compares our rows with those of a report, which is the floor: every
// figure that got worse, in a sentence each.
func Drops(path string, t *Table) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	_, table, _, err := cutReport(path, string(text))
	if err != nil {
		return nil, err
	}
	floors := map[string]map[string]float64{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != len(Columns)+4 {
			continue
		}
		row := map[string]float64{}
		for i, c := range Columns {
			if v, err := strconv.ParseFloat(strings.TrimSpace(cells[i+4]), 64); err == nil {
				row[c] = v
			}
		}
		floors[rowName(cells[0], cells[1], cells[3])] = row
	}
	var out []string
	for _, r := range t.Rows() {
		if r.Method != Methods[0].Name {
			continue
		}
		name := rowName(r.Tool, r.Cuts, r.Method)
		for _, c := range Columns {
			floor, known := floors[name][c]
			now, has := r.Mean[c]
			if !known || !has || c == "lines" || c == "chars" {
				continue
			}
			if d := now - floor; d < -slack && !lowerIsBetter[c] || d > slack && lowerIsBetter[c] {
				out = append(out, fmt.Sprintf("%s: %s was %.3f and is %.3f", name, c, floor, now))
			}
		}
	}
	return out, nil
}

func rowName(tool, cuts, method string) string {
	return strings.TrimSpace(tool) + ", " + strings.TrimSpace(cuts) + ", " + strings.TrimSpace(method)
}
