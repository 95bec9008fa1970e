//go:build cgo

package syntax

import (
	"context"
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// Engine is how symbols are found in this build.
const Engine = "tree-sitter"

var grammars = map[string]func() *sitter.Language{
	"go": golang.GetLanguage, "python": python.GetLanguage, "rust": rust.GetLanguage,
	"typescript": typescript.GetLanguage, "tsx": tsx.GetLanguage, "javascript": javascript.GetLanguage,
}

// defines are the nodes that define something by a name.
var defines = map[string]bool{
	"function_declaration": true, "method_declaration": true, "type_spec": true, // Go
	"function_definition": true, "class_definition": true, // Python
	"class_declaration": true, "abstract_class_declaration": true, "method_definition": true, "interface_declaration": true,
	"type_alias_declaration": true, "enum_declaration": true, "generator_function_declaration": true, // TypeScript, JavaScript
	"function_item": true, "struct_item": true, "enum_item": true, "trait_item": true, "impl_item": true, "mod_item": true, "macro_definition": true, // Rust
}

// mayDefine says that a text may define something: without a word that begins a
// definition none is found in it. In JavaScript a method has none.
func mayDefine(lang, text string) bool {
	if (lang == "typescript" || lang == "tsx" || lang == "javascript") && strings.Contains(text, "(") && strings.Contains(text, "{") {
		return true
	}
	return slices.ContainsFunc(definers[lang], func(word string) bool { return strings.Contains(text, word) })
}

// definers are the words that begin definitions.
var definers = map[string][]string{
	"go": {"func", "type"}, "python": {"def", "class"}, "rust": {"fn", "struct", "enum", "trait", "impl", "mod", "macro_rules"},
	"typescript": scriptDefiners, "tsx": scriptDefiners, "javascript": scriptDefiners,
}

var scriptDefiners = []string{"function", "class", "interface", "type", "enum", "=>"}

func parse(lang, text string, in span) found {
	if text == "" {
		return found{}
	}
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(grammars[lang]())
	source := []byte(text)
	tree, err := parser.ParseCtx(context.Background(), nil, source)
	if err != nil {
		return found{}
	}
	defer tree.Close()
	root := tree.RootNode()
	w := walker{source: source, in: in}
	w.walk(root, "")
	w.broken = root.HasError()
	return w.found
}

type walker struct {
	found
	source []byte
	in     span
}

func (w *walker) walk(n *sitter.Node, within string) {
	if int(n.EndByte()) <= w.in.start && w.in.start > 0 || int(n.StartByte()) > w.in.end {
		return
	}
	kind := n.Type()
	if strings.HasSuffix(kind, "comment") {
		if text := noteText(n.Content(w.source)); text != "" {
			w.notes = append(w.notes, note{text, int(n.StartByte())})
		}
		return
	}
	if name := w.nameOf(n, kind); name != "" {
		if within != "" {
			name = within + "." + name
		}
		w.symbols = append(w.symbols, symbol{name, int(n.StartByte()), int(n.EndByte())})
		switch kind {
		case "class_definition", "class_declaration", "abstract_class_declaration", "impl_item", "trait_item":
			within = name
		}
	}
	for i := range int(n.ChildCount()) {
		w.walk(n.Child(i), within)
	}
}

// nameOf is the name that a node defines, "" when it defines none.
func (w *walker) nameOf(n *sitter.Node, kind string) string {
	if kind == "variable_declarator" { // const handler = () => {…}
		if value := n.ChildByFieldName("value"); value == nil || !strings.Contains(value.Type(), "function") {
			return ""
		}
	} else if !defines[kind] {
		return ""
	}
	field := "name"
	if kind == "impl_item" {
		field = "type"
	}
	named := n.ChildByFieldName(field)
	if named == nil {
		return ""
	}
	name := named.Content(w.source)
	if receiver := n.ChildByFieldName("receiver"); receiver != nil && kind == "method_declaration" {
		if of := receiverType(receiver.Content(w.source)); of != "" {
			name = of + "." + name
		}
	}
	return name
}

// receiverType is the T of "(s *T[K])".
func receiverType(receiver string) string {
	inner := strings.Trim(receiver, "()")
	fields := strings.Fields(inner)
	if len(fields) == 0 {
		return ""
	}
	of := strings.TrimLeft(fields[len(fields)-1], "*")
	of, _, _ = strings.Cut(of, "[")
	return of
}
