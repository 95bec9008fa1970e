package dialogue

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// headingForm is a heading in Markdown, or a numbered or bold line that is one:
// it holds no sentence.
var headingForm = lazyregexp.New(`^(?:#{1,6} +(\S.*)|(\d{1,2})\. +(?:\*\*)?[^.!?。]{2,70}?(?:\*\*)?:(?:\*\*)?|\*\*[^*]{2,70}\*\*:?)$`)

// FirstSection is the text below the first heading of a summary; where sections
// are numbered, below the first number, for reasoning may stand before it.
// Without headings it is the first paragraph below a preface that ends with a
// colon; a preface alone is no aim.
func FirstSection(summary string) string {
	lines := strings.Split(summary, "\n")
	start := -1
	for i, line := range lines {
		m := headingForm.FindStringSubmatch(strings.TrimRight(line, " \r"))
		if m == nil {
			continue
		}
		if m[2] == "1" {
			start = i
			break
		}
		if start < 0 {
			start = i
		}
	}
	if start < 0 {
		return afterPreface(summary)
	}
	for ; start < len(lines); start++ {
		if text := section(lines[start+1:]); text != "" {
			return text
		}
		if start = nextHeading(lines, start+1); start < 0 {
			return ""
		}
		start--
	}
	return ""
}

func afterPreface(summary string) string {
	preface, rest, found := strings.Cut(strings.TrimSpace(summary), "\n")
	if preface = strings.TrimSpace(preface); !found || !strings.HasSuffix(preface, ":") && !strings.HasSuffix(preface, "：") {
		return ""
	}
	paragraph, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
	return section(strings.Split(paragraph, "\n"))
}

func nextHeading(lines []string, from int) int {
	for i := from; i < len(lines); i++ {
		if headingForm.MatchString(strings.TrimRight(lines[i], " \r")) {
			return i
		}
	}
	return -1
}

// section joins the lines up to the next heading: points with "; ".
func section(lines []string) string {
	var out strings.Builder
	for _, line := range lines {
		if headingForm.MatchString(strings.TrimRight(line, " \r")) {
			break
		}
		text := strings.TrimSpace(line)
		point := strings.TrimLeft(text, "-*• ")
		if text = prose.Plain(point); text == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteString(map[bool]string{true: "; ", false: " "}[point != strings.TrimSpace(line)])
		}
		out.WriteString(strings.TrimRight(text, ";"))
		if out.Len() > 4*MaxWords {
			break
		}
	}
	return out.String()
}
