// Package markup reads the Markdown of agents into a tree of plain texts. It makes no
// HTML: templates draw the tree, so that every text goes through their escaping, and
// what is not in the tree (raw HTML, pictures, links to anything but the web) cannot
// reach a page.
package markup

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Kinds of nodes.
const (
	Text      = "text"
	Break     = "break" // a line ends here
	Strong    = "strong"
	Emphasis  = "emphasis"
	Struck    = "struck"
	Code      = "code"  // in a line
	Block     = "block" // of code
	Link      = "link"
	Paragraph = "paragraph"
	Heading   = "heading"
	Quote     = "quote"
	List      = "list"
	Numbered  = "numbered"
	Item      = "item"
	Rule      = "rule"
	Table     = "table"
	Head      = "head" // of a table: its first row
	Row       = "row"
	Cell      = "cell"
)

// Node is a piece of a text.
type Node struct {
	Kind  string
	Text  string // of Text, Code and Block
	URL   string // of Link: http or https
	Nodes []Node
}

// maxDepth bounds how deep pieces stand in one another; what is deeper is left out.
const maxDepth = 24

var parser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()

// Parse reads a text.
func Parse(markdown string) []Node {
	source := []byte(markdown)
	return nodesIn(parser.Parse(text.NewReader(source)), source, 0)
}

// nodesIn are the pieces in a node.
func nodesIn(of ast.Node, source []byte, depth int) []Node {
	if depth > maxDepth {
		return nil
	}
	var nodes []Node
	for child := of.FirstChild(); child != nil; child = child.NextSibling() {
		nodes = append(nodes, nodesOf(child, source, depth)...)
	}
	return nodes
}

// kinds are those of nodes that hold other ones and nothing else that is shown.
var kinds = map[ast.NodeKind]string{
	ast.KindParagraph: Paragraph, ast.KindHeading: Heading, ast.KindBlockquote: Quote, ast.KindListItem: Item, ast.KindThematicBreak: Rule,
	tables.KindTable: Table, tables.KindTableHeader: Head, tables.KindTableRow: Row, tables.KindTableCell: Cell, tables.KindStrikethrough: Struck,
}

// nodesOf is a node as it is shown: one, or those in it where it has no look of its
// own, as a picture has not.
func nodesOf(of ast.Node, source []byte, depth int) []Node {
	inside := func() []Node { return nodesIn(of, source, depth+1) }
	if kind, known := kinds[of.Kind()]; known {
		return []Node{{Kind: kind, Nodes: inside()}}
	}
	switch n := of.(type) {
	case *ast.Text:
		return textOf(n, source)
	case *ast.String:
		return []Node{{Kind: Text, Text: string(n.Value)}}
	case *ast.CodeSpan:
		return []Node{{Kind: Code, Text: flat(inside())}}
	case *ast.Emphasis:
		if n.Level > 1 {
			return []Node{{Kind: Strong, Nodes: inside()}}
		}
		return []Node{{Kind: Emphasis, Nodes: inside()}}
	case *ast.List:
		if n.IsOrdered() {
			return []Node{{Kind: Numbered, Nodes: inside()}}
		}
		return []Node{{Kind: List, Nodes: inside()}}
	case *ast.Link:
		return linkOf(string(n.Destination), inside())
	case *ast.AutoLink:
		return linkOf(string(n.URL(source)), []Node{{Kind: Text, Text: string(n.Label(source))}})
	case *ast.RawHTML:
		return []Node{{Kind: Text, Text: string(n.Segments.Value(source))}}
	case *ast.HTMLBlock:
		whole := string(n.Lines().Value(source))
		if n.HasClosure() {
			whole += string(n.ClosureLine.Value(source))
		}
		return []Node{{Kind: Paragraph, Nodes: []Node{{Kind: Text, Text: strings.TrimRight(whole, "\n")}}}}
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return []Node{{Kind: Block, Text: strings.TrimRight(string(of.Lines().Value(source)), "\n")}}
	}
	return inside() // a picture is its description, the text of a tight item stands by itself
}

// textOf is a run of text, and the end of its line where that is shown.
func textOf(n *ast.Text, source []byte) []Node {
	nodes := []Node{{Kind: Text, Text: string(n.Value(source))}}
	switch {
	case n.HardLineBreak():
		nodes = append(nodes, Node{Kind: Break})
	case n.SoftLineBreak():
		nodes = append(nodes, Node{Kind: Text, Text: "\n"})
	}
	return nodes
}

// linkOf is a link to the web; of any other one the text stays.
func linkOf(to string, nodes []Node) []Node {
	at, err := url.Parse(to)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nodes
	}
	return []Node{{Kind: Link, URL: at.String(), Nodes: nodes}}
}

// flat is the text in some pieces.
func flat(nodes []Node) string {
	var all strings.Builder
	for _, node := range nodes {
		all.WriteString(node.Text)
		all.WriteString(flat(node.Nodes))
	}
	return all.String()
}

// Split is where a text can be parted so that both parts read as they do together: at
// the last empty line before a place that is in no fence of code, else at the place.
func Split(markdown string, at int) int {
	if at >= len(markdown) {
		return len(markdown)
	}
	best, offset, fenced := 0, 0, false
	for line := range strings.Lines(markdown[:at]) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		} else if trimmed == "" && !fenced {
			best = offset
		}
		offset += len(line)
	}
	if best == 0 {
		return at
	}
	return best
}
