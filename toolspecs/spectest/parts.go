package spectest

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// ErrTwoBodies says that one id stands for two events.
var ErrTwoBodies = errors.New("one id, two events")

// SameInParts reads data as if it had grown by step bytes at a time, the
// decoder restarted at its last position each time, and compares the events
// with those of one reading. It says what differs.
func SameInParts(reader transcript.Reader, src transcript.Source, data []byte, step int) error {
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
				return fmt.Errorf("cut at %d: %w: %s was %s and is %s", end, ErrTwoBodies, event.ID, before, now)
			}
			grown[event.ID] = now
		}
		pos = next
		if end >= len(data) {
			break
		}
	}
	return compare(whole, grown, step)
}

// compare says how the events of one reading differ from those of many.
func compare(whole []transcript.Located, grown map[string]string, step int) error {
	bodies := map[string]string{}
	for _, event := range whole {
		now := body(event)
		if before, ok := bodies[event.ID]; ok && before != now {
			return fmt.Errorf("%w: %s is %s and %s", ErrTwoBodies, event.ID, before, now)
		}
		bodies[event.ID] = now
		if grown[event.ID] != now {
			return fmt.Errorf("in steps of %d: event %s is %q, not %s", step, event.ID, grown[event.ID], now)
		}
	}
	for id := range grown {
		if _, ok := bodies[id]; !ok {
			return fmt.Errorf("in steps of %d: event %s is new", step, id)
		}
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
