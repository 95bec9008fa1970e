package codex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// nested is a tool call inside a script. Argument is what its literals say: a
// string, a list or an object; what is computed at run time is left out.
type nested struct {
	Name     string
	Argument any
}

// scanScript finds the tool calls in the JavaScript that code mode runs:
//
//	const r = await tools.exec_command({cmd: "go test ./..."}); text(r.output)
//
// It understands literals, templates, concatenation, and names bound to a
// literal before; it does not run anything.
func scanScript(source string) []nested {
	script := &script{tokens: tokens(source), names: map[string]any{}}
	var calls []nested
	for script.at < len(script.tokens) {
		if name, value, ok := script.binding(); ok {
			script.names[name] = value
			continue
		}
		if script.has(script.at, "tools") && script.has(script.at+1, ".") && script.has(script.at+3, "(") {
			call := nested{Name: script.tokens[script.at+2].text}
			script.at += 4
			call.Argument = script.value()
			calls = append(calls, call)
			continue
		}
		script.at++
	}
	return calls
}

type script struct {
	tokens []token
	at     int
	names  map[string]any
}

// has says that the token at a place is this word or mark.
func (s *script) has(at int, text string) bool {
	return at < len(s.tokens) && s.tokens[at].kind != literal && s.tokens[at].text == text
}

// binding reads `const name = literal`. The calls inside of what is bound are
// still found: the cursor then stays behind the equals sign.
func (s *script) binding() (name string, value any, ok bool) {
	if !s.has(s.at, "const") && !s.has(s.at, "let") && !s.has(s.at, "var") {
		return "", nil, false
	}
	if s.at+2 >= len(s.tokens) || s.tokens[s.at+1].kind != word || !s.has(s.at+2, "=") {
		return "", nil, false
	}
	name = s.tokens[s.at+1].text
	s.at += 3
	start := s.at
	value = s.value()
	if value == nil {
		s.at = start
	}
	return name, value, true
}

// value reads an expression as far as it is literal; nil when it is not.
func (s *script) value() any {
	value := s.operand()
	for s.has(s.at, "+") {
		s.at++
		left, isText := value.(string)
		right, alsoText := s.operand().(string)
		if !isText || !alsoText {
			value = nil
			continue
		}
		value = left + right
	}
	return value
}

func (s *script) operand() any {
	if s.at >= len(s.tokens) {
		return nil
	}
	token := s.tokens[s.at]
	switch {
	case token.kind == literal:
		s.at++
		return token.text
	case token.text == "{":
		s.at++
		return s.object()
	case token.text == "[":
		s.at++
		return s.joined(s.list())
	case token.kind == word:
		s.at++
		return s.word(token.text)
	}
	return nil
}

func (s *script) word(text string) any {
	if number, err := strconv.ParseFloat(text, 64); err == nil {
		return number
	}
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	return s.names[text]
}

func (s *script) object() any {
	members := map[string]any{}
	for s.at < len(s.tokens) && !s.has(s.at, "}") {
		key := s.tokens[s.at]
		switch {
		case key.kind == mark:
			s.at++
			continue
		case s.has(s.at+1, ":"):
			s.at += 2
			if value := s.value(); value != nil {
				members[key.text] = value
			}
		case s.has(s.at+1, ",") || s.has(s.at+1, "}"):
			if value := s.names[key.text]; value != nil {
				members[key.text] = value
			}
		}
		s.skip()
	}
	s.at++
	return members
}

func (s *script) list() []any {
	var items []any
	for s.at < len(s.tokens) && !s.has(s.at, "]") {
		start := s.at
		if value := s.value(); value != nil {
			items = append(items, value)
		}
		s.skip()
		if s.has(s.at, ",") || s.at == start {
			s.at++
		}
	}
	s.at++
	return items
}

// joined applies the `.join("\n")` that patches are often written with.
func (s *script) joined(items []any) any {
	if !s.has(s.at, ".") || !s.has(s.at+1, "join") || !s.has(s.at+2, "(") {
		return items
	}
	separator := ","
	if s.at+3 < len(s.tokens) && s.tokens[s.at+3].kind == literal {
		separator = s.tokens[s.at+3].text
	}
	for s.at < len(s.tokens) && !s.has(s.at, ")") {
		s.at++
	}
	s.at++
	words := make([]string, 0, len(items))
	for _, item := range items {
		text, _ := item.(string)
		words = append(words, text)
	}
	return strings.Join(words, separator)
}

// skip passes over the rest of a member up to the comma or bracket that ends
// it. A tool call inside of it ends the reading there.
func (s *script) skip() {
	depth := 0
	for ; s.at < len(s.tokens); s.at++ {
		if s.tokens[s.at].kind != mark {
			continue
		}
		switch s.tokens[s.at].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth == 0 {
				return
			}
			depth--
		case ",":
			if depth == 0 {
				return
			}
		}
	}
}

// kind of a token.
type kind int

const (
	mark kind = iota
	word
	literal
)

type token struct {
	kind kind
	text string
}

// tokens cuts a script into words, marks and string literals, without its
// comments.
func tokens(source string) []token {
	var found []token
	for at := 0; at < len(source); {
		switch char := source[at]; {
		case char == '\'' || char == '"' || char == '`':
			text, length := unquote(source[at:])
			found = append(found, token{literal, text})
			at += length
		case strings.HasPrefix(source[at:], "//"):
			at += lineLength(source[at:])
		case strings.HasPrefix(source[at:], "/*"):
			at += commentLength(source[at:])
		case isWord(char):
			end := at
			for end < len(source) && isWord(source[end]) {
				end++
			}
			found = append(found, token{word, source[at:end]})
			at = end
		case char == ' ' || char == '\t' || char == '\n' || char == '\r':
			at++
		default:
			found = append(found, token{mark, source[at : at+1]})
			at++
		}
	}
	return found
}

func isWord(char byte) bool {
	return char == '_' || char == '$' || char >= '0' && char <= '9' || char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= utf8.RuneSelf
}

func lineLength(source string) int {
	if end := strings.IndexByte(source, '\n'); end >= 0 {
		return end
	}
	return len(source)
}

func commentLength(source string) int {
	if end := strings.Index(source, "*/"); end >= 0 {
		return end + 2
	}
	return len(source)
}

// unquote reads the string literal that source begins with and says how long
// it is. What a template computes stays in it as it is written.
func unquote(source string) (text string, length int) {
	quote := source[0]
	var out strings.Builder
	for at := 1; at < len(source); {
		switch char := source[at]; char {
		case quote:
			return out.String(), at + 1
		case '\\':
			escaped, width := unescape(source[at:])
			out.WriteString(escaped)
			at += width
		default:
			out.WriteByte(char)
			at++
		}
	}
	return out.String(), len(source)
}

var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", 'v': "\v", '0': "\x00", '\n': ""}

// unescape reads the escape sequence that source begins with.
func unescape(source string) (text string, width int) {
	if len(source) < 2 {
		return "", len(source)
	}
	switch char := source[1]; char {
	case 'x':
		return codePoint(source, 2, 4)
	case 'u':
		if strings.HasPrefix(source[2:], "{") {
			if end := strings.IndexByte(source, '}'); end > 3 {
				text, _ := codePoint(source, 3, end)
				return text, end + 1
			}
		}
		return surrogates(source)
	default:
		if text, ok := escapes[char]; ok {
			return text, 2
		}
		_, size := utf8.DecodeRuneInString(source[1:])
		return source[1 : 1+size], 1 + size
	}
}

func codePoint(source string, from, to int) (string, int) {
	if to > len(source) {
		return "", len(source)
	}
	value, err := strconv.ParseUint(source[from:to], 16, 32)
	if err != nil {
		return source[1:2], 2
	}
	return string(rune(value)), to
}

// surrogates reads \uXXXX, or two of them that make one letter.
func surrogates(source string) (string, int) {
	if len(source) < 6 {
		return "", len(source)
	}
	if quoted, err := strconv.Unquote(`"` + source[:6] + `"`); err == nil && quoted != "\uFFFD" {
		return quoted, 6
	}
	high, err := strconv.ParseUint(source[2:6], 16, 32)
	if err == nil && len(source) >= 12 && source[6:8] == `\u` {
		if low, err := strconv.ParseUint(source[8:12], 16, 32); err == nil && high>>10 == 0x36 && low>>10 == 0x37 {
			return string(rune((high-0xD800)<<10 + (low - 0xDC00) + 0x10000)), 12
		}
	}
	return "\uFFFD", 6
}
