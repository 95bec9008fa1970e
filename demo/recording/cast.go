package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// cast is a recording in the form of asciinema, version 2: a header, and what was
// written at which second.
type cast struct {
	Width, Height int
	Title         string
	Events        []castEvent
}

// castEvent is what the terminal was given at a time.
type castEvent struct {
	At   float64 // seconds, in hundredths
	Text string
}

// castHeader is the first line of a cast.
type castHeader struct {
	Version int    `json:"version"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Title   string `json:"title"`
}

func (c cast) encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(castHeader{2, c.Width, c.Height, c.Title}); err != nil {
		return nil, err
	}
	for _, event := range c.Events {
		if err := encoder.Encode([]any{event.At, "o", event.Text}); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func decodeCast(text []byte) (cast, error) {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	var header castHeader
	if err := json.Unmarshal(lines[0], &header); err != nil || header.Version != 2 {
		return cast{}, fmt.Errorf("the first line is no header of a cast: %s", lines[0])
	}
	c := cast{Width: header.Width, Height: header.Height, Title: header.Title}
	for _, line := range lines[1:] {
		var event castEvent
		var kind string
		if err := json.Unmarshal(line, &[]any{&event.At, &kind, &event.Text}); err != nil {
			return c, fmt.Errorf("no event of a cast: %s", line)
		}
		c.Events = append(c.Events, event)
	}
	return c, nil
}
