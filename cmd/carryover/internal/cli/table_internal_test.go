package cli

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var exampleColumns = []Column{{Title: "SESSION"}, {Title: "PROJECT", Fill: true, Tail: true}, {Title: "EVENTS", Right: true, Extra: true}, {Title: "TASK", Fill: true}}

var exampleRows = [][]string{
	{"5a7c1d00", "~/work/clients/shop/backend", "1204", "Move the sessions out of the monolith before the release"},
	{"01a2", "~/x", "7", "日本語のタスク\x1b[31m"},
}

// A terminal gets titles and lines that fit; of paths the end is kept.
func TestTable_FitsTheScreen(t *testing.T) {
	for _, width := range []int{40, 60, 80, 120, 200} {
		lines := tableLines(Screen{Width: width}, exampleColumns, exampleRows)
		for _, line := range lines {
			if ansi.StringWidth(line) > width {
				t.Errorf("at %d columns a line has %d: %q", width, ansi.StringWidth(line), line)
			}
		}
		if !strings.HasPrefix(lines[0], "SESSION") || !strings.Contains(lines[1], "backend") || width == 40 == strings.Contains(lines[0], "EVENTS") || !strings.Contains(lines[2], "日本") {
			t.Errorf("at %d columns:\n%s", width, strings.Join(lines, "\n"))
		}
	}
}

// A program that reads a pipe gets every row, whole, and no titles.
func TestTable_ShortensNothingInAPipe(t *testing.T) {
	lines := tableLines(Screen{}, exampleColumns, exampleRows)
	if len(lines) != 2 || !strings.HasSuffix(lines[0], "1204  Move the sessions out of the monolith before the release") {
		t.Errorf("%q", lines)
	}
	if strings.ContainsRune(lines[1], 0x1b) || !strings.Contains(lines[1], `\u001b[31m`) {
		t.Errorf("a control sequence passes: %q", lines[1])
	}
}
