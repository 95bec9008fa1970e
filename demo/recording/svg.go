package main

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sizes of the picture, in its units.
const (
	cellWidth, cellHeight = 8.4, 18
	margin                = 14
	fontSize              = 14
	blink                 = 0.09 // seconds for the shortest picture: letters that come sooner share one
)

// cell is one character of a screen with how it looks.
type cell struct {
	letter rune
	look   string // class of the style sheet; "" for none
}

// screen is a terminal that knows lines, colours and nothing else: what is recorded
// moves the cursor in no other way.
type screen struct {
	lines  [][]cell
	column int
	look   string
}

// write shows a text.
func (s *screen) write(text string) {
	for len(text) > 0 {
		if rest, found := strings.CutPrefix(text, "\x1b["); found {
			end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
			if end < 0 {
				return
			}
			if rest[end] == 'm' {
				s.style(rest[:end])
			}
			text = rest[end+1:]
			continue
		}
		letter, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		s.put(letter)
	}
}

func (s *screen) put(letter rune) {
	if len(s.lines) == 0 {
		s.lines = append(s.lines, nil)
	}
	switch letter {
	case '\r':
		s.column = 0
		return
	case '\n':
		s.lines = append(s.lines, nil)
		return
	}
	if s.column == columns {
		s.lines, s.column = append(s.lines, nil), 0
	}
	last := &s.lines[len(s.lines)-1]
	for len(*last) <= s.column {
		*last = append(*last, cell{letter: ' '})
	}
	(*last)[s.column] = cell{letter, s.look}
	s.column++
}

// looks are the codes that the recorded commands use.
var looks = map[int]string{1: "b", 2: "d", 31: "r", 32: "g", 33: "y", 34: "u", 36: "c", 90: "d", 91: "r", 92: "g", 93: "y", 94: "u", 96: "c"}

func (s *screen) style(codes string) {
	for _, text := range strings.Split(codes, ";") {
		code, _ := strconv.Atoi(text) // none is 0
		switch {
		case code == 0, code == 22, code == 39:
			s.look = ""
		case looks[code] != "":
			s.look = looks[code]
		}
	}
}

// shown are the last lines, as many as the terminal has, each drawn.
func (s *screen) shown() []string {
	from := max(0, len(s.lines)-rows)
	var lines []string
	for _, line := range s.lines[from:] {
		lines = append(lines, drawLine(line))
	}
	return lines
}

// drawLine is a line as pieces of equal look.
func drawLine(line []cell) string {
	var out strings.Builder
	for from := 0; from < len(line); {
		to := from
		var text strings.Builder
		for ; to < len(line) && line[to].look == line[from].look; to++ {
			text.WriteRune(line[to].letter)
		}
		if strings.TrimSpace(text.String()) != "" {
			class := ""
			if line[from].look != "" {
				class = ` class="` + line[from].look + `"`
			}
			fmt.Fprintf(&out, `<tspan x="%.1f"%s>%s</tspan>`, float64(from)*cellWidth, class, html.EscapeString(strings.TrimRight(text.String(), " ")))
		}
		from = to
	}
	return out.String()
}

// picture is what the terminal shows from a time on.
type picture struct {
	at    float64
	lines []string
}

// pictures are those of a cast.
func pictures(c cast) (all []picture, length float64) {
	var s screen
	for _, event := range c.Events {
		s.write(event.Text)
		length = event.At
		lines := s.shown()
		if n := len(all); n > 0 && event.At-all[n-1].at < blink {
			all[n-1].lines = lines
			continue
		}
		if n := len(all); n == 0 || !slices.Equal(all[n-1].lines, lines) {
			all = append(all, picture{event.At, lines})
		}
	}
	return all, length
}

const style = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8d6d0;white-space:pre}
.b{font-weight:700;fill:#fff}.d{fill:#8f8d87}.r{fill:#f08a80}.g{fill:#7fc79a}.y{fill:#e0b15a}.u{fill:#7fa3e6}.c{fill:#86cdb6}
.f{visibility:hidden;animation:none}@media(prefers-reduced-motion:reduce){.f{animation:none!important}.last{visibility:visible}}
`

// draw makes a picture that moves, of style sheets alone: each line is drawn once and
// used wherever it stands.
func draw(c cast) string {
	all, length := pictures(c)
	names, defs := map[string]int{}, strings.Builder{}
	var frames, moves strings.Builder
	for i, one := range all {
		until := length
		if i+1 < len(all) {
			until = all[i+1].at
		}
		class := "f f" + strconv.Itoa(i)
		if i == len(all)-1 {
			class += " last"
		}
		fmt.Fprintf(&frames, `<g class="%s">`, class)
		for row, line := range one.lines {
			if line == "" {
				continue
			}
			name, known := names[line]
			if !known {
				name = len(names)
				names[line] = name
				fmt.Fprintf(&defs, `<text id="l%d">%s</text>`, name, line)
			}
			fmt.Fprintf(&frames, `<use href="#l%d" y="%d"/>`, name, row*cellHeight)
		}
		frames.WriteString("</g>\n")
		from, to := 100*one.at/length, 100*until/length
		fmt.Fprintf(&moves, "@keyframes k%d{0%%,%.3f%%{visibility:hidden}%.3f%%,%.3f%%{visibility:visible}%.3f%%,100%%{visibility:hidden}}.f%d{animation:k%d %.1fs step-end infinite}\n",
			i, max(0, from-0.001), from, max(from, to-0.001), to, i, i, length)
	}
	width, height := columns*cellWidth+2*margin, rows*cellHeight+2*margin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img" aria-label="%s">
<title>%s</title>
<style>%s%s</style>
<rect width="100%%" height="100%%" rx="8" fill="#17181a"/>
<defs>%s</defs>
<g transform="translate(%d %d)">
%s</g>
</svg>
`, width, height, width, height, recorded, recorded, style, moves.String(), defs.String(), margin, margin+fontSize, frames.String())
}

// recorded is what the picture is called.
const recorded = "A recorded session: carryover import, handoff, search, switch"
