package verdict

import (
	"cmp"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// found are the signs in an output, by strength.
type found struct {
	broken, sound, part, shape, location string
}

func read(lines []string, check Check) found {
	var f found
	for _, text := range lines {
		line := lineOf(label.ReplaceAllString(text, ""))
		switch {
		case f.broken == "" && anyIn(broken, line) && !Clean(line.text):
			f.broken = line.text
		case anyIn(sound, line), check != Test && compiled.in(line):
			f.sound = cmp.Or(f.sound, line.text)
		case anyIn(soundPart, line):
			f.part = cmp.Or(f.part, line.text)
		case f.shape == "" && shaped(line):
			f.shape = line.text
		}
		if f.location == "" && shapedAs(line, shapes[:2]) {
			f.location = line.text
		}
	}
	return f
}

// label is what runners of several tasks put before each line: "[lint:go] ",
// "web-1  | ", "web:build: ".
var label = lazyregexp.New(`^(?:\[[\w./@-]*[:/.-][\w:./@-]*\] |[\w.-]+ +\| |[\w@/-]+:[a-z][\w:-]*: )`)

// Clean says that a line speaks of errors to say that there are none, or none that are left.
func Clean(line string) bool {
	if m := corrected.FindStringSubmatch(line); m != nil {
		return m[1] == m[2]
	}
	return none.MatchString(line) && !some.MatchString(line)
}

var (
	none = lazyregexp.New(`(?i)\b(?:0|no) (?:failed|failures?|errors?|issues?)\b`)
	some = lazyregexp.New(`(?i)\b[1-9]\d* (?:failed|failures?|errors?|issues?)\b|\bfailed[:,. ]+[1-9]`)

	corrected = lazyregexp.New(`\b(\d+) offenses? detected, (\d+) offenses? corrected`) // of RuboCop
)

func shaped(line textLine) bool { return shapedAs(line, shapes) }

func shapedAs(line textLine, shapes []lineForm) bool {
	for i, shape := range shapes {
		if !shape.in(line) || Clean(line.text) {
			continue
		}
		if i == 0 {
			m := shape.pattern.FindStringSubmatch(line.text)
			if m == nil || m[1] == "" || milder.MatchString(m[1]) {
				continue
			}
		}
		return true
	}
	return false
}
