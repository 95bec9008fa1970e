// Package effect counts what handoffs are worth: what sessions did before their first
// edit, with a handoff and without. It is a pure function of events.
package effect

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// TooFew is how many sessions a side must have for its figures to be compared.
const TooFew = 10

// Session is what one session did.
type Session struct {
	Tool, Project string
	Given         bool // it began with a handoff
	Follows       bool // there was work in the project before it
	Bytes         int  // of the handoff
	Edited        bool
	Calls         int           // before the first edit
	Wait          time.Duration // from the first prompt to the first edit
	Repeated      int           // failures of commands that had failed before
	ReadAgain     int           // files read before the first edit that were known
	failed        map[string]bool
	known         map[string]bool
}

// Memory is what was known of a project before a session.
type Memory struct {
	failed map[string]bool // commands that failed in it
	known  map[string]bool // files that were read or changed
}

// Count goes through the events of a session. before is what earlier sessions of the
// project left; nil when there were none.
func Count(events func(yield func(transcript.Located) bool), before *Memory) Session {
	s := Session{Follows: before != nil, failed: map[string]bool{}, known: map[string]bool{}}
	var began time.Time
	commands := map[string]string{}
	again := map[string]bool{}
	for event := range events {
		switch event.Kind {
		case transcript.Prompt:
			if began.IsZero() && event.Origin != transcript.Machine && event.Origin != transcript.Injected {
				began = event.Time
			}
		case transcript.Call:
			commands[event.Call.ID] = strings.TrimSpace(event.Call.Command)
			s.call(event, began, before, again)
		case transcript.Result:
			command := commands[event.Result.CallID]
			if command == "" || !event.Result.Failed {
				continue
			}
			if before != nil && before.failed[command] {
				s.Repeated++
			}
			s.failed[command] = true
		}
	}
	return s
}

// call counts one call.
func (s *Session) call(event transcript.Located, began time.Time, before *Memory, again map[string]bool) {
	switch event.Call.Meaning {
	case transcript.Edit, transcript.Write, transcript.Delete:
		if !s.Edited {
			s.Edited = true
			if wait := event.Time.Sub(began); !began.IsZero() && !event.Time.IsZero() && wait > 0 {
				s.Wait = wait
			}
		}
	case transcript.Read:
		for _, path := range event.Call.Paths {
			if !s.Edited && before != nil && before.known[path] && !again[path] {
				again[path] = true
				s.ReadAgain++
			}
		}
	}
	if !s.Edited {
		s.Calls++
	}
	for _, path := range event.Call.Paths {
		s.known[path] = true
	}
}

// Add is what is known after a session too.
func (m *Memory) Add(s Session) *Memory {
	if m == nil {
		m = &Memory{failed: map[string]bool{}, known: map[string]bool{}}
	}
	for command := range s.failed {
		m.failed[command] = true
	}
	for path := range s.known {
		m.known[path] = true
	}
	return m
}

// Of compares the sessions that began with a handoff with those that could have: there
// was work in their project before them. Only sessions with an edit count.
func Of(sessions []Session) []view.Effect {
	groups := map[[2]string][]Session{}
	for _, s := range sessions {
		if !s.Edited || !s.Given && !s.Follows {
			continue
		}
		for _, key := range [][2]string{{"all", ""}, {"tool", s.Tool}, {"project", s.Project}} {
			if key[0] == "all" || key[1] != "" {
				groups[key] = append(groups[key], s)
			}
		}
	}
	effects := make([]view.Effect, 0, len(groups))
	for key, group := range groups {
		effects = append(effects, effectOf(key, group))
	}
	order := []string{"all", "tool", "project"}
	slices.SortFunc(effects, func(a, b view.Effect) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.By), slices.Index(order, b.By)), cmp.Compare(b.With.Sessions+b.Without.Sessions, a.With.Sessions+a.Without.Sessions), cmp.Compare(a.Name, b.Name))
	})
	return effects
}

func effectOf(key [2]string, group []Session) view.Effect {
	e := view.Effect{By: key[0], Name: key[1]}
	var with, without []Session
	for _, s := range group {
		if s.Given {
			with = append(with, s)
			e.Bytes += s.Bytes
		} else {
			without = append(without, s)
		}
	}
	e.Tokens = e.Bytes / bytesPerToken
	e.With, e.Without = sideOf(with), sideOf(without)
	e.TooFew = len(with) < TooFew || len(without) < TooFew
	return e
}

// bytesPerToken is what a token of English and code takes, about.
const bytesPerToken = 4

func sideOf(group []Session) view.EffectSide {
	pick := func(of func(Session) float64) view.Spread {
		values := make([]float64, len(group))
		for i, s := range group {
			values[i] = of(s)
		}
		return spread(values)
	}
	return view.EffectSide{
		Sessions:  len(group),
		Calls:     pick(func(s Session) float64 { return float64(s.Calls) }),
		Minutes:   pick(func(s Session) float64 { return s.Wait.Minutes() }),
		Repeated:  pick(func(s Session) float64 { return float64(s.Repeated) }),
		ReadAgain: pick(func(s Session) float64 { return float64(s.ReadAgain) }),
	}
}

// spread is the median and the quartiles: values of which half of the others are nearer
// to the middle.
func spread(values []float64) view.Spread {
	if len(values) == 0 {
		return view.Spread{}
	}
	slices.Sort(values)
	at := func(share float64) float64 {
		place := share * float64(len(values)-1)
		low := int(place)
		high := min(low+1, len(values)-1)
		return values[low] + (values[high]-values[low])*(place-float64(low))
	}
	return view.Spread{Median: at(0.5), Low: at(0.25), High: at(0.75)}
}
