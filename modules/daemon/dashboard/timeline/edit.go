package timeline

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What is shown of one edit: lines, and how long the texts may be, in bytes.
const (
	editLines   = 200
	editLongest = 256 << 10
	editContext = 2
)

// Edit is what a call changed in a file.
type Edit struct {
	Path    string
	Added   int
	Removed int
	Lines   []EditLine
	More    int  // lines that are not shown
	TooLong bool // the texts are too long to be compared
}

// EditLine is a line of a difference. Kind is "add", "del", "same" or "gap", which stands
// for lines that are left out.
type EditLine struct{ Kind, Text string }

// EditOf compares the texts of an edit, line by line.
func EditOf(texts transcript.EditText) Edit {
	edit := Compare(texts.Before, texts.After, editContext)
	edit.Path = texts.Path
	return edit
}

// Compare compares two texts, line by line, with so many equal lines around each change.
func Compare(before, after string, context int) (edit Edit) {
	if len(before)+len(after) > editLongest {
		edit.TooLong = true
		return edit
	}
	before, after = ended(before), ended(after)
	unified, err := udiff.ToUnifiedDiff("", "", before, udiff.Strings(before, after), context)
	if err != nil { // the edits are those of the text
		edit.TooLong = true
		return edit
	}
	for i, hunk := range unified.Hunks {
		if i > 0 {
			edit.add(EditLine{Kind: "gap"})
		}
		for _, line := range hunk.Lines {
			edit.add(EditLine{Kind: kindOf(line.Kind), Text: display.Plain(strings.TrimSuffix(line.Content, "\n"))})
		}
	}
	return edit
}

func (e *Edit) add(line EditLine) {
	switch line.Kind {
	case "add":
		e.Added++
	case "del":
		e.Removed++
	}
	if len(e.Lines) == editLines {
		e.More++
		return
	}
	e.Lines = append(e.Lines, line)
}

func kindOf(op udiff.OpKind) string {
	switch op {
	case udiff.Insert:
		return "add"
	case udiff.Delete:
		return "del"
	default:
		return "same"
	}
}

// ended is a text whose last line ends, so that no line differs by that alone.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
