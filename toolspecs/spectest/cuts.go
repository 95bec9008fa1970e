package spectest

import (
	"encoding/json"
	"fmt"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// SameUnderCuts reads data as if it had grown by step bytes at a time, the
// decoder restarted at its last position each time, and compares the events
// with those of one reading. It says what differs.
func SameUnderCuts(reader transcript.Reader, src transcript.Source, data []byte, step int) error {
	whole, _, _, err := ReadAll(reader, src, data, transcript.Position{})
	if err != nil {
		return err
	}
	grown := map[string]string{}
	var pos transcript.Position
	for end := step; ; end += step {
		events, _, next, err := ReadAll(reader, src, data[:min(end, len(data))], pos)
		if err != nil {
			return fmt.Errorf("cut at %d: %w", end, err)
		}
		for _, event := range events {
			now := body(event)
			if before, ok := grown[event.ID]; ok && before != now {
				return fmt.Errorf("cut at %d: event %s was %s and is %s", end, event.ID, before, now)
			}
			grown[event.ID] = now
		}
		pos = next
		if end >= len(data) {
			break
		}
	}
	for _, event := range whole {
		if grown[event.ID] != body(event) {
			return fmt.Errorf("in steps of %d: event %s is %q, not %s", step, event.ID, grown[event.ID], body(event))
		}
		delete(grown, event.ID)
	}
	for id := range grown {
		return fmt.Errorf("in steps of %d: event %s is new", step, id)
	}
	return nil
}

func body(event transcript.Located) string {
	data, err := json.Marshal(event)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
