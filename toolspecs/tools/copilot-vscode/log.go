package copilotvscode

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Kinds of a log's lines.
const (
	whole    = 0 // the whole state
	setAt    = 1 // a value at a path
	pushTo   = 2 // an array at a path: cut to a length first, if one is given, then appended to
	removeAt = 3 // the value at a path
)

// mutation is a line of a log.
type mutation struct {
	Kind     *int              `json:"kind"`
	Path     []json.RawMessage `json:"k"`
	Value    json.RawMessage   `json:"v"`
	Truncate *int              `json:"i"`
}

// replay rebuilds the state a log describes. Its last line may be half written;
// any other one that cannot be read is counted, and the state goes on without
// it.
func replay(data []byte, coverage *transcript.Coverage) any {
	var state any
	for line := range bytes.Lines(data) {
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			continue
		}
		var change mutation
		if json.Unmarshal(text, &change) != nil || change.Kind == nil {
			if bytes.HasSuffix(line, []byte("\n")) {
				coverage.Records++
				coverage.Broken++
			}
			continue
		}
		if *change.Kind < whole || *change.Kind > removeAt {
			coverage.Records++
			coverage.CountUnknown("", "kind "+strconv.Itoa(*change.Kind), 1)
			continue
		}
		state = change.apply(state)
	}
	return state
}

// apply changes the state; a path that leads nowhere changes nothing.
func (m mutation) apply(state any) any {
	var value any
	if len(m.Value) > 0 && json.Unmarshal(m.Value, &value) != nil {
		return state
	}
	if *m.Kind == whole {
		return value
	}
	return m.at(state, m.Path, value)
}

// at changes the part of a state that a path leads to and returns that state.
func (m mutation) at(state any, path []json.RawMessage, value any) any {
	if len(path) == 0 {
		return m.change(state, value)
	}
	switch at := state.(type) {
	case map[string]any:
		var name string
		if json.Unmarshal(path[0], &name) != nil {
			return state
		}
		if len(path) == 1 && *m.Kind == removeAt {
			delete(at, name)
		} else {
			at[name] = m.at(at[name], path[1:], value)
		}
	case []any:
		var index int
		if json.Unmarshal(path[0], &index) != nil || index < 0 || index > len(at) {
			return state
		}
		if index == len(at) {
			at = append(at, nil)
		}
		at[index] = m.at(at[index], path[1:], value)
		return at
	}
	return state
}

// change is the new value of the place the path named.
func (m mutation) change(old, value any) any {
	switch *m.Kind {
	case setAt:
		return value
	case pushTo:
		list, _ := old.([]any)
		if m.Truncate != nil && *m.Truncate >= 0 && *m.Truncate < len(list) {
			list = list[:*m.Truncate:*m.Truncate]
		}
		added, _ := value.([]any)
		return append(list, added...)
	}
	return nil
}
