package main

import (
	"cmp"
	"os"
	"regexp"
	"runtime"
)

// marks stand before the lines of a report. All of a set are equally wide.
type marks struct {
	done, failed, warning, idle string
	indent                      string // of the lines below
}

var (
	asciiMarks = marks{done: "ok", failed: "x ", warning: "! ", idle: "- ", indent: "   "}
	utf8Marks  = marks{done: "✓", failed: "✗", warning: "⚠", idle: "·", indent: "  "}
)

var utf8Locale = regexp.MustCompile(`(?i)utf-?8`)

// utf8Terminal says whether more than ASCII can be shown, by the rules of the
// locale. A Windows console says so by being the newer one.
func utf8Terminal() bool {
	if runtime.GOOS == "windows" {
		return os.Getenv("WT_SESSION") != ""
	}
	return utf8Locale.MatchString(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")))
}

// terminalMarks are those that this terminal can show.
func terminalMarks() marks {
	if utf8Terminal() {
		return utf8Marks
	}
	return asciiMarks
}
