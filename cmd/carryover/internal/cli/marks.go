package cli

import (
	"cmp"
	"os"
	"regexp"
	"runtime"
)

// Marks stand before the lines of a report. All of a set are equally wide.
type Marks struct {
	Done, Failed, Warning, Idle string
	Indent                      string // of the lines below
}

var (
	asciiMarks = Marks{Done: "ok", Failed: "x ", Warning: "! ", Idle: "- ", Indent: "   "}
	utf8Marks  = Marks{Done: "✓", Failed: "✗", Warning: "⚠", Idle: "·", Indent: "  "}
)

var utf8Locale = regexp.MustCompile(`(?i)utf-?8`)

// UTF8Terminal says whether more than ASCII can be shown, by the rules of the
// locale. A Windows console says so by being the newer one.
func UTF8Terminal() bool {
	if runtime.GOOS == "windows" {
		return os.Getenv("WT_SESSION") != ""
	}
	return utf8Locale.MatchString(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")))
}

// TerminalMarks are those that this terminal can show.
func TerminalMarks() Marks {
	if UTF8Terminal() {
		return utf8Marks
	}
	return asciiMarks
}
