package markup_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/markup"
)

// shape is a tree in one line: kind(inside) and texts in quotes.
func shape(nodes []markup.Node) string {
	var parts []string
	for _, n := range nodes {
		switch {
		case n.Kind == markup.Text:
			parts = append(parts, strings.ReplaceAll(n.Text, "\n", "⏎"))
		case n.URL != "":
			parts = append(parts, n.Kind+"<"+n.URL+">("+shape(n.Nodes)+")")
		case n.Text != "":
			parts = append(parts, n.Kind+"["+strings.ReplaceAll(n.Text, "\n", "⏎")+"]")
		default:
			parts = append(parts, n.Kind+"("+shape(n.Nodes)+")")
		}
	}
	return strings.Join(parts, " ")
}

func TestParse_ReadsWhatAgentsWrite(t *testing.T) {
	for markdown, want := range map[string]string{
		"One **two** *three* `four`":          "paragraph(One  strong(two)   emphasis(three)   code[four])",
		"## Done\n\n1. one\n2. two":           "heading(Done) numbered(item(one) item(two))",
		"- a\n- b\n\n```go\nx := 1\n\ny\n```": "list(item(a) item(b)) block[x := 1⏎⏎y]",
		"> so it is\n\n---":                   "quote(paragraph(so it is)) rule()",
		"[docs](https://example.org/a?b=c)":   "paragraph(link<https://example.org/a?b=c>(docs))",
		"| a | b |\n|---|---|\n| 1 | 2 |":     "table(head(cell(a) cell(b)) row(cell(1) cell(2)))",
		"a  \nb\nc ~~d~~":                     "paragraph(a break() b ⏎ c  struck(d))",
	} {
		if got := shape(markup.Parse(markdown)); got != want {
			t.Errorf("%q is %s, want %s", markdown, got, want)
		}
	}
}

// Nothing that loads, runs or leads elsewhere than to the web is in the tree: raw HTML
// is its text, a picture its description.
func TestParse_OfHostileText(t *testing.T) {
	for markdown, want := range map[string]string{
		"<script>alert(1)</script>":                                       "paragraph(<script>alert(1)</script>)",
		"a <b onclick=x>b</b>":                                            "paragraph(a  <b onclick=x> b </b>)",
		"![a picture](https://example.org/track.png)":                     "paragraph(a picture)",
		"[click](javascript:alert(1)) [x](/checks) [y](data:text/html,z)": "paragraph(click   x   y)",
		"<javascript:alert(1)>":                                           "paragraph(javascript:alert(1))",
		"[z](https:evil)":                                                 "paragraph(z)",
	} {
		if got := shape(markup.Parse(markdown)); got != want {
			t.Errorf("%q is %s, want %s", markdown, got, want)
		}
	}
	deep := markup.Parse(strings.Repeat("> ", 5000) + "end")
	if depth := depthOf(deep); depth > 30 {
		t.Errorf("%d pieces stand in one another", depth)
	}
}

func depthOf(nodes []markup.Node) int {
	deepest := 0
	for _, n := range nodes {
		deepest = max(deepest, 1+depthOf(n.Nodes))
	}
	return deepest
}

func TestSplit_PartsBetweenParagraphs(t *testing.T) {
	head := "One.\n\n```\ncode\n\nmore\n```\n"
	text := head + "\nTwo is longer."
	for at, want := range map[int]string{8: "One.\n", 20: "One.\n", len(text) - 3: head, 3: "One", 1000: text} {
		if got := text[:markup.Split(text, at)]; got != want {
			t.Errorf("at %d: %q, want %q", at, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("# a\n\n- b [c](d) `e`\n\n|f|\n|-|\n")
	f.Fuzz(func(t *testing.T, text string) {
		if depth := depthOf(markup.Parse(text)); depth > 30 {
			t.Errorf("%d pieces stand in one another", depth)
		}
		if at := markup.Split(text, len(text)/2); at < 0 || at > len(text) {
			t.Errorf("parted at %d of %d", at, len(text))
		}
	})
}
