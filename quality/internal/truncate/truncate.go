// Package truncate ends transcripts at a line, as a compaction there would.
package truncate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// before is the text of a transcript as it was before a line, the first being
// 1. Of a file that is one JSON value the later messages are dropped.
func before(path string, line int) ([]byte, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, ".json") {
		return truncateMessages(raw, line)
	}
	at := 0
	for range line - 1 {
		i := bytes.IndexByte(raw[at:], '\n')
		if i < 0 {
			return append(raw, '\n'), nil
		}
		at += i + 1
	}
	return raw[:at], nil
}

// truncateMessages keeps the elements of the array "messages" that begin before
// a line.
func truncateMessages(raw []byte, line int) ([]byte, error) {
	key := bytes.Index(raw, []byte(`"messages"`))
	if key < 0 {
		return nil, fmt.Errorf("no messages")
	}
	open := bytes.IndexByte(raw[key:], '[')
	if open < 0 {
		return nil, fmt.Errorf("no list of messages")
	}
	open += key
	dec := json.NewDecoder(bytes.NewReader(raw[open:]))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	keep := open + 1
	for dec.More() {
		var element json.RawMessage
		if err := dec.Decode(&element); err != nil {
			return nil, err
		}
		end := open + int(dec.InputOffset())
		if bytes.Count(raw[:end-len(element)], []byte("\n"))+1 < line {
			keep = end
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	end := open + int(dec.InputOffset()) - 1
	return append(append(bytes.Clone(raw[:keep]), "\n  "...), raw[end:]...), nil
}

// Write writes the truncated transcript under its own name and that of its
// folder, as both say what it is.
func Write(path string, line int, dir string) (string, error) {
	text, err := before(path, line)
	if err != nil {
		return "", fmt.Errorf("cut %s: %w", path, err)
	}
	to := filepath.Join(dir, filepath.Base(filepath.Dir(path)), filepath.Base(path))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", err
	}
	return to, os.WriteFile(to, text, 0o600)
}
