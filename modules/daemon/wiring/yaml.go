package wiring

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// yamlFormat is the Settings.Format of files that are edited here.
const yamlFormat = "yaml"

// yamlDocument is a YAML settings file in which one list of words is edited by
// splices. The library tells where a node begins; where one ends is read in
// the text, for the plain forms people write. Any other form is refused: after
// each splice the file is parsed again and must differ in our word alone.
type yamlDocument struct {
	data []byte // without a byte order mark
	mark []byte // the byte order mark, if there is one
	eol  string
	root *yaml.Node // the mapping at the top
}

// addYAMLWord returns the file with our word in the list.
func addYAMLWord(data []byte, t Target) ([]byte, error) {
	if data == nil {
		return []byte(t.key() + ":\n  - " + t.Settings.Entry + "\n"), nil
	}
	d, err := parseYAML(data, t)
	if err != nil {
		return nil, err
	}
	before, err := d.words(t.key())
	if err != nil || slices.Contains(before, t.Settings.Entry) {
		return data, err
	}
	edited, err := d.insertWord(t.key(), t.Settings.Entry)
	if err != nil {
		return nil, err
	}
	return d.checked(edited, t.key(), append(before, t.Settings.Entry))
}

// removeYAMLWord returns the file without our word, and without the list where
// the install made it. nil says that nothing is left and the file goes.
func removeYAMLWord(data []byte, t Target, created []string) ([]byte, error) {
	d, err := parseYAML(data, t)
	if err != nil {
		return nil, err
	}
	words, err := d.words(t.key())
	at := slices.Index(words, t.Settings.Entry)
	if err != nil || at < 0 {
		return data, err
	}
	if len(words) == 1 && slices.Contains(created, t.key()) {
		return d.removeKey(t)
	}
	edited, err := d.removeWord(t.key(), at)
	if err != nil {
		return nil, err
	}
	return d.checked(edited, t.key(), slices.Delete(words, at, at+1))
}

func parseYAML(data []byte, t Target) (*yamlDocument, error) {
	d := &yamlDocument{data: data, eol: "\n"}
	if bytes.HasPrefix(data, bom) {
		if !t.Settings.BOM {
			return nil, fmt.Errorf("%w: it begins with a byte order mark, which the tool does not read", ErrRefused)
		}
		d.mark, d.data = bom, data[len(bom):]
	}
	if bytes.Contains(data, []byte("\r\n")) {
		d.eol = "\r\n"
	}
	// YAML knows more line ends than people do; columns would not be true.
	if bytes.ContainsAny(bytes.ReplaceAll(d.data, []byte("\r\n"), nil), "\r\u0085\u2028\u2029") {
		return nil, fmt.Errorf("%w: it has line ends of an unusual kind", ErrRefused)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(d.data, &root); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrRefused, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	switch {
	case root.Kind == 0 && !t.Settings.Empty:
		return nil, fmt.Errorf("%w: it holds no setting, and the tool refuses to start with such a file", ErrRefused)
	case len(root.Content) != 1 || root.Content[0].Kind != yaml.MappingNode:
		return nil, fmt.Errorf("%w: it does not hold settings by name", ErrRefused)
	}
	d.root = root.Content[0]
	return d, nil
}

// find returns the nodes of a key, nil when there is none; of duplicates the
// last one, which is the one that counts for the tools.
func (d *yamlDocument) find(key string) (name, value *yaml.Node) {
	for i := len(d.root.Content) - 2; i >= 0; i -= 2 {
		if d.root.Content[i].Value == key {
			return d.root.Content[i], d.root.Content[i+1]
		}
	}
	return nil, nil
}

// words is the list under a key: a single word counts as a list of one.
func (d *yamlDocument) words(key string) ([]string, error) {
	_, value := d.find(key)
	switch {
	case value == nil || isNull(value):
		return nil, nil
	case value.Kind == yaml.ScalarNode && value.Anchor == "":
		return []string{value.Value}, nil
	case value.Anchor != "": // what stands elsewhere would change with it
		return nil, unusual(key)
	case value.Kind != yaml.SequenceNode:
		return nil, fmt.Errorf("%w: %q in it is not a list", ErrRefused, key)
	}
	words := make([]string, len(value.Content))
	for i, element := range value.Content {
		if element.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("%w: %q in it is not a list of words", ErrRefused, key)
		}
		words[i] = element.Value
	}
	return words, nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// checked returns the edited bytes if they say what the old ones said, but for
// the words under key; no words at all stand for a list that is empty.
func (d *yamlDocument) checked(edited []byte, key string, words []string) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(edited, &root); err != nil || len(root.Content) != 1 {
		return nil, unusual(key)
	}
	after := &yamlDocument{data: edited, root: root.Content[0]}
	if got, err := after.words(key); err != nil || !slices.Equal(got, words) || !slices.Equal(after.others(key), d.others(key)) {
		return nil, unusual(key)
	}
	return append(slices.Clone(d.mark), edited...), nil
}

func unusual(key string) error {
	return fmt.Errorf("%w: %q in it is written in a way that cannot be changed safely", ErrRefused, key)
}

// others are all settings but one, each as a text that says its value whole.
func (d *yamlDocument) others(key string) []string {
	var list []string
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		if name := d.root.Content[i].Value; name != key {
			list = append(list, name+"="+flatten(d.root.Content[i+1]))
		}
	}
	return list
}

func flatten(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		return "*" + n.Value
	}
	parts := make([]string, len(n.Content))
	for i, child := range n.Content {
		parts[i] = flatten(child)
	}
	return fmt.Sprintf("%s %q [%s]", n.Tag, n.Value, strings.Join(parts, ","))
}

// offset is where a node begins. The library counts columns in characters.
func (d *yamlDocument) offset(n *yaml.Node) int {
	at := d.line(n.Line)
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(d.data[at:])
		at += size
	}
	return at
}

// line is where a line begins, counted from 1; the end of the file for one
// that is not there.
func (d *yamlDocument) line(number int) int {
	at := 0
	for range number - 1 {
		next := bytes.IndexByte(d.data[at:], '\n')
		if next < 0 {
			return len(d.data)
		}
		at += next + 1
	}
	return at
}

// end is where a word ends, -1 when it is written in a form that is not known
// here: over several lines, as a block, with an anchor or a tag.
func (d *yamlDocument) end(n *yaml.Node) int {
	at := d.offset(n)
	text := d.data[at:]
	if next := bytes.IndexByte(text, '\n'); next >= 0 {
		text = text[:next]
	}
	switch {
	case n.Style == 0 && bytes.HasPrefix(text, []byte(n.Value)):
		return at + len(n.Value)
	case n.Style == yaml.SingleQuotedStyle && bytes.HasPrefix(text, []byte(singleQuoted(n.Value))):
		return at + len(singleQuoted(n.Value))
	case n.Style == yaml.DoubleQuotedStyle && bytes.HasPrefix(text, []byte(`"`)):
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return at + i + 1
			}
		}
	}
	return -1
}

func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// yamlWords is our word where it stands in the list.
func yamlWords(data []byte, t Target) ([]string, error) {
	d, err := parseYAML(data, t)
	if err != nil {
		return nil, err
	}
	words, err := d.words(t.key())
	return slices.DeleteFunc(words, func(word string) bool { return word != t.Settings.Entry }), err
}

// yamlKeysToCreate names the list if addYAMLWord will have to make it.
func yamlKeysToCreate(data []byte, t Target) []string {
	if d, err := parseYAML(data, t); err == nil {
		if name, _ := d.find(t.key()); name != nil {
			return nil
		}
	}
	return []string{t.key()}
}
