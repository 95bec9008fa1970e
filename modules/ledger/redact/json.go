package redact

import "encoding/json"

// JSON redacts the strings of a JSON text one by one, so that it stays
// JSON. A text that is none is redacted as it stands.
func JSON(text string) string {
	if !json.Valid([]byte(text)) {
		return Text(text)
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
			if clean := Text(value); clean != value {
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
