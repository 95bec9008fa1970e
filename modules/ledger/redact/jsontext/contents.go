// Package jsontext reads what the strings of a JSON text say, in one pass.
package jsontext

import "strings"

// Contents are the contents of all strings of a JSON text, a line end between two.
func Contents(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for {
		open := strings.IndexByte(text, '"')
		if open < 0 {
			return out.String()
		}
		text = appendString(&out, text[open+1:])
		out.WriteByte('\n')
	}
}

// appendString adds what a JSON string says, behind whose opening quote the text begins,
// and returns what comes after it.
func appendString(out *strings.Builder, text string) (rest string) {
	for {
		end := strings.IndexByte(text, '"')
		if end < 0 {
			end = len(text)
		}
		escape := strings.IndexByte(text[:end], '\\')
		if escape < 0 {
			out.WriteString(text[:end])
			return text[min(end+1, len(text)):]
		}
		out.WriteString(text[:escape])
		text = appendEscaped(out, text[escape+1:])
	}
}

// appendEscaped adds what an escape stands for, behind whose backslash the text begins,
// and returns what comes after it. Of \u only ASCII is decoded: no rule looks for more.
func appendEscaped(out *strings.Builder, text string) (rest string) {
	if text == "" {
		return ""
	}
	switch c := text[0]; c {
	case 'n', 'r':
		out.WriteByte('\n')
	case 't':
		out.WriteByte('\t')
	case 'b', 'f':
		out.WriteByte(' ')
	case 'u':
		if len(text) < 5 {
			return ""
		}
		code := 0
		for _, digit := range []byte(text[1:5]) {
			code = code<<4 | hexDigit(digit)
		}
		if code >= 0x80 {
			code = '?'
		}
		out.WriteByte(byte(code))
		return text[5:]
	default:
		out.WriteByte(c)
	}
	return text[1:]
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return 0
}
