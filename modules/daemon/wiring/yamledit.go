package wiring

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// splice returns the text with data[from:to] replaced.
func (d *yamlDocument) splice(from, to int, text string) []byte {
	return slices.Concat(d.data[:from], []byte(text), d.data[to:])
}

// insertWord puts a word at the end of the list under key, in the form that
// the list has; the list is made where there is none.
func (d *yamlDocument) insertWord(key, word string) ([]byte, error) {
	name, value := d.find(key)
	switch {
	case value == nil:
		return d.insertKey(key, word)
	case isNull(value) && value.Value == "" && d.root.Style&yaml.FlowStyle == 0:
		return d.insertLine(d.line(name.Line+1), d.indentOf(name)+"  - "+word), nil
	case value.Kind == yaml.ScalarNode:
		end := d.end(value)
		if end < 0 || isNull(value) {
			return nil, unusual(key)
		}
		at := d.offset(value)
		return d.splice(at, end, "["+string(d.data[at:end])+", "+word+"]"), nil
	case value.Style&yaml.FlowStyle != 0:
		at := d.offset(value) + 1
		if len(value.Content) == 0 {
			return d.splice(at, at, word), nil
		}
		if at = d.end(value.Content[len(value.Content)-1]); at < 0 {
			return nil, unusual(key)
		}
		return d.splice(at, at, ", "+word), nil
	}
	last := value.Content[len(value.Content)-1]
	lead, ok := d.dash(last)
	if !ok {
		return nil, unusual(key)
	}
	return d.insertLine(d.line(last.Line+1), lead+word), nil
}

// insertKey makes the list: at the end of the file, or first within braces.
func (d *yamlDocument) insertKey(key, word string) ([]byte, error) {
	if d.root.Style&yaml.FlowStyle != 0 {
		at, follow := d.offset(d.root)+1, ""
		if len(d.root.Content) > 0 {
			follow = ", "
		}
		return d.splice(at, at, key+": ["+word+"]"+follow), nil
	}
	indent := strings.Repeat(" ", d.root.Column-1)
	return d.insertLine(len(d.data), indent+key+":"+d.eol+indent+"  - "+word), nil
}

// insertLine puts a line at the beginning of another, or at the end of a file
// whose last line may lack its end: it lacks it then still.
func (d *yamlDocument) insertLine(at int, line string) []byte {
	if at == len(d.data) && !bytes.HasSuffix(d.data, []byte("\n")) {
		return d.splice(at, at, d.eol+line)
	}
	return d.splice(at, at, line+d.eol)
}

// indentOf is the white space in front of a key.
func (d *yamlDocument) indentOf(name *yaml.Node) string { return strings.Repeat(" ", name.Column-1) }

// dash is what stands on an element's line before it: white space, the dash and
// a space. ok is false when there is more.
func (d *yamlDocument) dash(element *yaml.Node) (lead string, ok bool) {
	lead = string(d.data[d.line(element.Line):d.offset(element)])
	trimmed := strings.TrimSpace(lead)
	return lead, trimmed == "-"
}

// removeWord takes the word at an index out of the list under key.
func (d *yamlDocument) removeWord(key string, index int) ([]byte, error) {
	_, value := d.find(key)
	if value.Kind == yaml.ScalarNode { // somebody else made it the only word
		from, to := d.offset(value), d.end(value)
		if to < 0 {
			return nil, unusual(key)
		}
		return d.splice(from, to, "[]"), nil
	}
	element := value.Content[index]
	if value.Style&yaml.FlowStyle == 0 {
		if _, ok := d.dash(element); !ok {
			return nil, unusual(key)
		}
		return d.removeLines(element.Line, element.Line), nil
	}
	from, to := d.offset(element), d.end(element)
	if to < 0 {
		return nil, unusual(key)
	}
	switch {
	case index > 0: // with the comma before it, which the install put there
		if from = d.end(value.Content[index-1]); from < 0 {
			return nil, unusual(key)
		}
	case len(value.Content) > 1:
		to = d.offset(value.Content[1])
	}
	return d.splice(from, to, ""), nil
}

// removeLines removes whole lines. What ended the last line of the file goes with
// them, as it came with them.
func (d *yamlDocument) removeLines(first, last int) []byte {
	from, to := d.line(first), d.line(last+1)
	if to == len(d.data) && !bytes.HasSuffix(d.data, []byte("\n")) {
		return bytes.TrimSuffix(bytes.TrimSuffix(d.data[:from], []byte("\n")), []byte("\r"))
	}
	return d.splice(from, to, "")
}

// removeKey removes the list that the install made. A file that is left without
// any setting goes too, or keeps an empty mapping after its comments, where
// the tool refuses to start otherwise.
func (d *yamlDocument) removeKey(t Target) ([]byte, error) {
	name, value := d.find(t.key())
	if d.root.Style&yaml.FlowStyle != 0 {
		return d.removeFlowKey(t.key(), name, value)
	}
	last := value.Line
	if value.Kind == yaml.SequenceNode && len(value.Content) > 0 {
		last = value.Content[len(value.Content)-1].Line
	}
	edited := d.removeLines(name.Line, last)
	if len(d.root.Content) > 2 {
		return d.checked(edited, t.key(), nil)
	}
	if len(bytes.TrimSpace(edited)) == 0 {
		return nil, nil
	}
	if !t.Settings.Empty {
		if !bytes.HasSuffix(edited, []byte("\n")) {
			edited = append(edited, d.eol...)
		}
		edited = append(edited, "{}"+d.eol...)
	}
	return append(slices.Clone(d.mark), edited...), nil
}

// removeFlowKey removes `key: [word]` and the comma after it.
func (d *yamlDocument) removeFlowKey(key string, name, value *yaml.Node) ([]byte, error) {
	to := d.offset(value)
	for to < len(d.data) && d.data[to] != ']' { // our word has no bracket
		to++
	}
	to = min(to+1, len(d.data))
	if rest := bytes.TrimLeft(d.data[to:], " "); bytes.HasPrefix(rest, []byte(",")) {
		rest = bytes.TrimPrefix(rest[1:], []byte(" "))
		to = len(d.data) - len(rest)
	}
	return d.checked(d.splice(d.offset(name), to, ""), key, nil)
}
