package render

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
)

func fileLines(f distiller.Facts) []line {
	var out []line
	for _, file := range f.Files {
		out = append(out, entry(doneTo(file)+": ", describeFile(file), file.Source))
	}
	out = joined(out, true)
	// The lines of named files are worth more than the last files: they tell
	// what no list of recent files can. They are written below them.
	for i, named := range namedLines(f) {
		at := min(len(out), namedAfter[i])
		out = slices.Insert(out, at, line{text: named, source: f.Named[0].Source, below: true})
	}
	return out
}

// shownSymbols is how many symbols of a file are shown: where to look, not all
// that was written.
const shownSymbols = 3

// doneTo is what was done to a file, and when: said once for those that follow each other.
func doneTo(file distiller.File) string {
	verb := map[string]string{"edit": "edited", "write": "written", "read": "read", "delete": "deleted", "move": "moved here"}[file.Change]
	return fallback(verb, "seen") + " " + ago(file.Turn)
}

func describeFile(file distiller.File) string {
	text := shortScratch(clean(file.Path))
	var about []string
	if n := len(file.Symbols); n > 0 {
		about = append(about, clean(strings.Join(file.Symbols[:min(n, shownSymbols)], ", ")))
		if n > shownSymbols {
			about[0] += ", …"
		}
	}
	if file.Change != "read" && file.Change != "delete" && file.Tests != "" && file.Tests != "unknown" {
		about = append(about, "tests "+file.Tests)
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, "; ") + ")"
	}
	return text
}

// shortScratch leaves out the middle of the path of a temporary file, which is
// long and of no use to anybody but the session.
func shortScratch(p string) string {
	parts := strings.Split(p, "/")
	if n := len(parts); n > maxScratchParts && (strings.HasPrefix(p, "/tmp/") || strings.HasPrefix(p, "/private/tmp/") || strings.HasPrefix(p, "/var/folders/")) {
		return "/" + parts[1] + "/…/" + strings.Join(parts[n-2:], "/")
	}
	return p
}

const maxScratchParts = 5

func ago(turns int) string {
	switch turns {
	case 0:
		return "this turn"
	case 1:
		return "last turn"
	}
	return fmt.Sprintf("%d turns ago", turns)
}

// namedAfter is how many files come before a line of named files in worth.
var namedAfter = [...]int{2, 4, 6, 7}

// namedLines are the lines of files that were named and not opened, and of those that were read
// before and named since, those of one folder together: `src/cart/{a.go, b.go}`. As many as fit,
// best first; once the agent is done, fewer: nobody knows then which of them the next request is
// about.
func namedLines(f distiller.Facts) []string {
	var lines []string
	var unread, read []distiller.Named
	for _, n := range f.Named {
		if n.Read {
			read = append(read, n)
		} else {
			unread = append(unread, n)
		}
	}
	heads := []string{"- named, not opened yet: ", readHead, "- also named: ", "- and: "}
	if f.Turn != nil && f.Turn.Who == "done" {
		heads = heads[:2]
	}
	for _, head := range heads {
		named := unread
		if head == readHead {
			named = read
		}
		if len(named) == 0 {
			continue
		}
		text, taken := namedLine(head, named, maxWidth)
		if taken == len(named) || len(lines) > 0 { // it may be the last line, which counts what did not fit
			text, taken = namedLine(head, named, maxWidth-moreRoom)
		}
		if taken == 0 {
			break
		}
		if lines = append(lines, text); head == readHead {
			continue
		}
		unread = named[taken:]
	}
	return lines
}

// readHead begins the line of files that were read and named since.
const readHead = "- read before, named since: "

// namedLine fills one line and says how many of the files it took.
func namedLine(head string, named []distiller.Named, width int) (string, int) {
	var all folders
	text, taken := "", 0
	for i, n := range named {
		p := strings.Trim(code(n.Path, 120), "`")
		if p == "" {
			taken = i + 1
			continue
		}
		all.add(p)
		longer := head + all.String()
		if utf8.RuneCountInString(longer) > width {
			break
		}
		text, taken = longer, i+1
	}
	return text, taken
}

// moreRoom is what a count of what did not fit may take, in runes.
const moreRoom = 36

// folders are paths by folder, in the order the folders came.
type folders struct {
	order []string
	names map[string][]string
}

func (f *folders) add(p string) {
	if f.names == nil {
		f.names = map[string][]string{}
	}
	dir, base := path.Split(p)
	if !slices.Contains(f.order, dir) {
		f.order = append(f.order, dir)
	}
	f.names[dir] = append(f.names[dir], base)
}

func (f *folders) String() string {
	var parts []string
	for _, dir := range f.order {
		if list := f.names[dir]; len(list) == 1 || dir == "" {
			for _, base := range list {
				parts = append(parts, "`"+dir+base+"`")
			}
		} else {
			parts = append(parts, "`"+dir+"{"+strings.Join(list, ", ")+"}`")
		}
	}
	return strings.Join(parts, " · ")
}
