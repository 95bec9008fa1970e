package wiring

import (
	"bytes"
	"fmt"
	"strings"
)

// textFormat is the Settings.Format of a file that is ours alone and no
// settings: an extension of an agent's, as a text.
const textFormat = "text"

// textOf fills the spec's text. A string in it stands as JSON, which is one in
// JavaScript, too.
func textOf(t Target) []byte {
	fill := strings.NewReplacer(`"{program}"`, string(marshal(t.Program)), `"{tool}"`, string(marshal(t.Tool)))
	return []byte(fill.Replace(strings.Join(t.Settings.Lines, "\n") + "\n"))
}

// isOurText says that a file begins with the line that ours begins with.
func isOurText(data []byte, t Target) bool {
	return len(t.Settings.Lines) > 0 && bytes.HasPrefix(data, []byte(t.Settings.Lines[0]+"\n"))
}

func addText(data []byte, t Target) ([]byte, error) {
	if data != nil && !isOurText(data, t) {
		return nil, fmt.Errorf("%w: it exists and was not written by Carryover", ErrRefused)
	}
	return textOf(t), nil
}

func removeText(data []byte, t Target, _ []string) ([]byte, error) {
	if isOurText(data, t) {
		return nil, nil
	}
	return data, nil
}

func nothingToCreate([]byte, Target) []string { return nil }

// standingInText lists the events that the text calls us at.
func standingInText(data []byte, t Target) ([]string, error) {
	if !isOurText(data, t) {
		return nil, nil
	}
	var events []string
	for _, hook := range t.Hooks {
		if bytes.Contains(data, marshal(hook.Event)) {
			events = append(events, hook.Event)
		}
	}
	return events, nil
}
