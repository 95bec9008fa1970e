package dashboard

import (
	"html/template"
	"path"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/words"
	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// functions are what templates call.
func functions(now func() time.Time) template.FuncMap {
	return template.FuncMap{
		"ago":         func(at time.Time) string { return words.Age(now().Sub(at)) },
		"stamp":       func(at time.Time) string { return at.UTC().Format(time.RFC3339) },
		"clock":       func(at time.Time) string { return at.UTC().Format("2 Jan 15:04:05Z") },
		"time":        words.Parsed,
		"number":      func(n int) string { return humanize.Comma(int64(n)) },
		"number64":    humanize.Comma,
		"tokens":      func(n int64) string { return humanize.SIWithDigits(float64(n), 0, "") },
		"brief":       render.ShortID,
		"base":        path.Base,
		"session":     words.SessionURL,
		"line":        words.LineURL,
		"spans":       words.Spans,
		"plain":       display.Plain,
		"split":       strings.Fields,
		"shorten":     display.Shorten,
		"counted":     words.Counted,
		"commandline": func(argv []string) []string { return []string{words.CommandLine(argv)} },
		"add":         func(a, b int) int { return a + b },
		"turn":        words.Turn,
		"checks":      func(of healthView, csrf string, linked bool) checks { return checks{of, csrf, linked} },
		"day":         func(at time.Time) string { return at.Format("2 Jan") },
	}
}
