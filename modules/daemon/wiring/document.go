package wiring

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/carryover-go/carryover/toolspecs"
)

// ErrRefused says that a settings file is not one the tool itself would load,
// so that there is nothing we could safely add to it.
var ErrRefused = errors.New("settings file not changed")

// document is a settings file that is edited by splices: the bytes that are
// not ours stay as they are, whatever their spacing, order or line ends.
type document struct {
	data []byte
	root hujson.Value
	eol  string
	unit string // one level of indentation; "" in a compact file
}

var bom = []byte("\xef\xbb\xbf")

// parse reads a settings file by the tool's own rules: what the tool refuses
// (comments, a byte order mark, an empty file…) is refused here too.
func parse(data []byte, rules toolspecs.Settings) (*document, error) {
	if bytes.HasPrefix(data, bom) && !rules.BOM {
		return nil, fmt.Errorf("%w: it begins with a byte order mark, and the agent cannot read that", ErrRefused)
	}
	d := &document{data: data, eol: "\n", unit: "  "}
	if bytes.Contains(data, []byte("\r\n")) {
		d.eol = "\r\n"
	}
	return d, d.reparse(rules.Comments)
}

func (d *document) reparse(comments bool) error {
	// Blank the mark instead of cutting it, so that offsets stay true.
	text := d.data
	if bytes.HasPrefix(text, bom) {
		text = append([]byte("   "), text[len(bom):]...)
	}
	root, err := hujson.Parse(bytes.Clone(text))
	if err != nil {
		return fmt.Errorf("%w: %s", ErrRefused, strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if !comments && !root.IsStandard() {
		return fmt.Errorf("%w: it has comments or trailing commas, and the agent cannot read that", ErrRefused)
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return fmt.Errorf("%w: it does not hold a JSON object", ErrRefused)
	}
	d.root = root
	if len(object.Members) > 0 {
		d.unit = indentBefore(object.Members[0].Name.BeforeExtra)
	}
	return nil
}

// indentBefore is the indentation of a line that begins with a member, "" when
// the member follows on the same line.
func indentBefore(extra hujson.Extra) string {
	at := bytes.LastIndexByte(extra, '\n')
	if at < 0 {
		return ""
	}
	return string(extra[at+1:])
}

// member finds a name in an object; of duplicates the last one, which is the
// one that counts for a JSON reader.
func member(v *hujson.Value, name string) (*hujson.ObjectMember, bool) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, false
	}
	for i := len(object.Members) - 1; i >= 0; i-- {
		if literal, ok := object.Members[i].Name.Value.(hujson.Literal); ok && literal.String() == name {
			return &object.Members[i], true
		}
	}
	return nil, false
}

// splice replaces data[from:to] by text.
func (d *document) splice(from, to int, text string) {
	d.data = append(append(bytes.Clone(d.data[:from]), text...), d.data[to:]...)
}

// child is one element or member of a composite, with its place.
type child struct{ from, to int }

func children(v *hujson.Value) []child {
	var list []child
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			list = append(list, child{c.Members[i].Name.StartOffset, c.Members[i].Value.EndOffset})
		}
	case *hujson.Array:
		for i := range c.Elements {
			list = append(list, child{c.Elements[i].StartOffset, c.Elements[i].EndOffset})
		}
	}
	return list
}

// add appends text as the last child of a composite, in the layout the
// composite has. depth is that of the new child.
func (d *document) add(v *hujson.Value, depth int, text string) {
	list := children(v)
	lead := d.newline(depth)
	if len(list) == 0 {
		closing := ""
		if !bytes.ContainsAny(d.data[v.StartOffset+1:v.EndOffset-1], "\n") {
			closing = d.newline(depth - 1)
		}
		d.splice(v.StartOffset+1, v.StartOffset+1, lead+text+closing)
		return
	}
	if between := d.data[v.StartOffset+1 : list[0].from]; !bytes.ContainsAny(between, "\n") {
		lead = ""
		if d.unit != "" || bytes.Contains(d.data[list[0].from:v.EndOffset], []byte(", ")) {
			lead = " "
		}
	}
	last := list[len(list)-1]
	d.splice(last.to, last.to, ","+lead+text)
}

// removeChild removes a child together with the comma that belongs to it: the one
// before it, which add put there, or the one after it for a first child.
func (d *document) removeChild(v *hujson.Value, index int) {
	list := children(v)
	switch {
	case len(list) == 1:
		from, to := v.StartOffset+1, list[0].to
		if rest := bytes.TrimLeft(d.data[to:v.EndOffset], " \t\r\n"); rest[0] == ',' { // a trailing comma, where the tool takes one
			to = v.EndOffset - len(rest) + 1
		}
		if rest := d.data[to : v.EndOffset-1]; len(bytes.TrimSpace(rest)) == 0 && bytes.Equal(rest, []byte(d.eol+d.closingIndent(v))) {
			to = v.EndOffset - 1
		}
		d.splice(from, to, "")
	case index > 0:
		d.splice(list[index-1].to, list[index].to, "")
	default:
		d.splice(list[0].from, list[1].from, "")
	}
}

// closingIndent is the white space in front of a composite's closing bracket.
func (d *document) closingIndent(v *hujson.Value) string {
	line := d.data[:v.EndOffset-1]
	at := bytes.LastIndexByte(line, '\n')
	return string(line[at+1:])
}

func (d *document) newline(depth int) string {
	if d.unit == "" {
		return ""
	}
	return d.eol + strings.Repeat(d.unit, depth)
}
