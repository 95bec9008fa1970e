package redact

import "encoding/json"

// JSON redacts a JSON text so that it stays JSON: its strings one by one, then what
// only a name beside them tells. A number keeps its digits, and a text without secrets
// its bytes. A text that is no JSON is redacted as it stands.
func JSON(text string) string {
	if !json.Valid([]byte(text)) {
		return Text(text)
	}
	text = Strings(text, Text)
	if clean := Text(text); json.Valid([]byte(clean)) {
		return clean
	}
	return text
}

// Strings rewrites the strings of a JSON text one by one; a text that is none is
// rewritten as it stands. Numbers keep their digits, and a text in which nothing
// changes its bytes.
func Strings(text string, of func(string) string) string {
	if !json.Valid([]byte(text)) {
		return of(text)
	}
	var out []byte
	done := 0
	for at := 0; at < len(text); at++ {
		if text[at] != '"' {
			continue
		}
		end := at + 1
		for text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		var value string
		if json.Unmarshal([]byte(text[at:end+1]), &value) == nil {
			if clean := of(value); clean != value {
				quoted, _ := json.Marshal(clean) // a string is always written
				out = append(append(out, text[done:at]...), quoted...)
				done = end + 1
			}
		}
		at = end
	}
	if done == 0 {
		return text
	}
	return string(append(out, text[done:]...))
}
