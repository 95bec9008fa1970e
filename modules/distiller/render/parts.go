package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

// leastParts is for how many lines it is worth while to show a long request in parts.
const leastParts = 3

// maxPartLines is how many lines a part of a request takes at most.
const maxPartLines = 4

// withParts shows a long request in parts, where it is not done and other lines leave room: each
// begins a line, and the longer ones share what is left. Where all of them have room, the first line
// of the request in short is enough.
func withParts(task section, kept int, f distiller.Facts, left room, more func(int) string) (section, int) {
	if f.Task == nil || len(f.Task.Parts) == 0 || kept < len(task.lines) || f.Turn != nil && f.Turn.Who == "done" {
		return task, kept
	}
	first := slices.IndexFunc(task.lines, func(l line) bool { return l.quoted })
	if first < 0 {
		return task, kept
	}
	behind := first + 1
	for behind < len(task.lines) && task.lines[behind].quoted {
		behind++
	}
	parts := packed(f.Task.Parts)
	for len(parts) > 1 && strings.Contains(task.lines[first].text, parts[0]) {
		parts = parts[1:] // it stands above
	}
	saved := room{behind - first - 1, bytesOf(task.lines[first+1 : behind])}
	begin := slices.Clone(task.lines[:first+1])
	begin[first].text = width.Truncate(begin[first].text+" …", maxWidth)
	out := fitting(parts, room{left.lines + saved.lines, left.bytes + saved.bytes}, f.Task.Source, more)
	if shown(out) < len(parts) {
		begin = task.lines[:behind]
		out = fitting(parts, left, f.Task.Source, more)
	}
	if len(out) == 0 {
		return task, kept
	}
	task.lines = slices.Concat(begin, out, task.lines[behind:])
	return task, len(task.lines)
}

// fitting are the parts in as many lines as have room, none where that is too few.
func fitting(parts []string, r room, source distiller.Source, more func(int) string) []line {
	for lines := r.lines; lines >= leastParts; lines-- {
		if out := partLines(parts, lines, source, more); bytesOf(out) <= r.bytes {
			return out
		}
	}
	return nil
}

// shown is how many parts begin on the lines.
func shown(lines []line) int {
	n := 0
	for _, l := range lines {
		if !l.torn {
			n++
		}
	}
	return n
}

func bytesOf(lines []line) int {
	n := 0
	for _, l := range lines {
		n += len(l.text) + 1
	}
	return n
}

// partLines are parts in so many lines.
func partLines(all []string, lines int, source distiller.Source, more func(int) string) []line {
	parts := all[:min(len(all), lines)]
	room := make([]int, len(parts))
	for spare := lines; spare > 0; {
		given := false
		for i, part := range parts {
			if spare > 0 && room[i] < maxPartLines && room[i]*(maxWidth-partIndent) < utf8.RuneCountInString(part) {
				room[i]++
				spare--
				given = true
			}
		}
		if !given {
			break
		}
	}
	var out []line
	for i, part := range parts {
		for n, text := range width.Wrap(part, maxWidth-partIndent, room[i]) {
			if n == 0 {
				text = "- " + text
			} else {
				text = "  " + text
			}
			out = append(out, line{text: text, source: source, torn: n > 0})
		}
	}
	if missing := len(all) - len(parts); missing > 0 && len(out) > 0 {
		last := len(out) - 1
		out[last].text = withMore(out[last].text, more(missing))
	}
	return out
}

// packed are parts with those that say little on one line.
func packed(parts []string) []string {
	var out []string
	short := false // the last one is
	for _, part := range parts {
		part = clean(part)
		runes, last := utf8.RuneCountInString(part), len(out)-1
		if short && runes <= shortPart && utf8.RuneCountInString(out[last])+len(" · ")+runes <= maxWidth-partIndent {
			out[last] += " · " + part
			continue
		}
		out, short = append(out, part), runes <= shortPart
	}
	return out
}

// shortPart is how long a part is at most that shares its line, in runes.
const shortPart = 80

// partIndent is what stands before the text of a part.
const partIndent = 2
