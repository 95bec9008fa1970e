package cli

import (
	"os"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// Screen is what stdout can show.
type Screen struct {
	Width  int  // columns; 0 where nothing bounds a line: a file, a pipe, a dumb terminal
	Colour bool // NO_COLOR is not set
}

// ScreenOf looks at stdout.
func ScreenOf() Screen { return screenOf(os.Stdout) }

func screenOf(file *os.File) Screen {
	out := int(file.Fd())
	if !term.IsTerminal(out) || os.Getenv("TERM") == "dumb" {
		return Screen{}
	}
	width, _, err := term.GetSize(out)
	if err != nil {
		return Screen{}
	}
	return Screen{Width: width, Colour: os.Getenv("NO_COLOR") == ""}
}

// Column is one of a table.
type Column struct {
	Title string
	Fill  bool // its text is shortened until the table is as wide as the screen
	Tail  bool // of a shortened text the end is kept, as of a path
	Right bool // numbers
	Extra bool // left out where the screen has no room for it, the last one first
}

// gap stands between two columns, leastFill is the width below which the text of a
// column says nothing.
const (
	gap       = "  "
	leastFill = 12
)

// PrintTable prints rows in columns. On a terminal they have titles and no line is wider
// than it; elsewhere nothing is shortened, for programs that read them.
func (a *App) PrintTable(columns []Column, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	for _, line := range tableLines(ScreenOf(), columns, rows) {
		_, _ = a.RawOut.Write([]byte(line + "\n"))
	}
}

// tableLines lays a table out; the texts are made harmless here, as colours are not.
func tableLines(screen Screen, columns []Column, rows [][]string) []string {
	texts := make([][]string, 0, len(rows)+1)
	if screen.Width > 0 {
		titles := make([]string, len(columns))
		for i, column := range columns {
			titles[i] = column.Title
		}
		texts = append(texts, titles)
	}
	for _, row := range rows {
		clean := make([]string, len(columns))
		for i := range min(len(row), len(columns)) {
			clean[i] = shown(strings.Join(strings.Fields(row[i]), " "))
		}
		texts = append(texts, clean)
	}
	columns, texts = roomFor(screen.Width, columns, texts)
	widths := columnWidths(screen.Width, columns, texts)
	lines := make([]string, len(texts))
	for n, row := range texts {
		var line strings.Builder
		for i, text := range row {
			if i > 0 {
				line.WriteString(gap)
			}
			line.WriteString(columns[i].cell(text, widths[i]))
		}
		lines[n] = strings.TrimRight(line.String(), " ")
		if n == 0 && screen.Width > 0 && screen.Colour {
			lines[n] = lipgloss.NewStyle().Faint(true).Render(lines[n])
		}
	}
	return lines
}

// roomFor leaves out extra columns until the others fit the screen.
func roomFor(screen int, columns []Column, texts [][]string) ([]Column, [][]string) {
	for screen > 0 {
		total := -len(gap)
		for i, width := range columnWidths(0, columns, texts) {
			if columns[i].Fill {
				width = min(width, leastFill)
			}
			total += len(gap) + width
		}
		last := len(columns) - 1
		for last >= 0 && !columns[last].Extra {
			last--
		}
		if total <= screen || last < 0 {
			break
		}
		columns = slices.Delete(slices.Clone(columns), last, last+1)
		for n, row := range texts {
			texts[n] = slices.Delete(row, last, last+1)
		}
	}
	return columns, texts
}

// columnWidths are as wide as their widest text; what is too much for the screen is
// taken from the columns that fill it, the widest first.
func columnWidths(screen int, columns []Column, texts [][]string) []int {
	widths := make([]int, len(columns))
	total := len(gap) * (len(columns) - 1)
	for i := range columns {
		for _, row := range texts {
			widths[i] = max(widths[i], ansi.StringWidth(row[i]))
		}
		total += widths[i]
	}
	for ; screen > 0 && total > screen; total-- {
		widest := -1
		for i, column := range columns {
			if column.Fill && widths[i] > leastFill && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break // nothing is left to shorten: the terminal wraps
		}
		widths[widest]--
	}
	return widths
}

// cell is a text in the width of its column.
func (c Column) cell(text string, width int) string {
	missing := width - ansi.StringWidth(text)
	switch {
	case missing < 0 && c.Tail:
		text = ansi.TruncateLeft(text, 1-missing, "…")
	case missing < 0:
		text = ansi.Truncate(text, width, "…")
	}
	padding := strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
	if c.Right {
		return padding + text
	}
	return text + padding
}
