package picture

import (
	"fmt"
	"time"
)

// River is the sessions of a project in the order in which they began, each in
// the lane of its tool, and who handed over to whom.
type River struct {
	Width, Height int
	Lanes         []Lane
	Stones        []Stone
	Streams       []Stream
	Days          []DayMark
}

// Lane is the line of one tool.
type Lane struct {
	Tool
	Y int
}

// Stone is one session.
type Stone struct {
	Sailed
	Tool
	At Point
	R  int
}

// Stream leads from a session to one that began with its handoff.
type Stream struct {
	From, To Sailed
	Path     string // of SVG
}

// DayMark names the day on which the sessions behind it began.
type DayMark struct {
	Day time.Time
	X   int
}

// Sailed is one session for a river.
type Sailed struct {
	Key    string // unique
	Tool   string
	Began  time.Time
	Events int
	Name   string
	URL    string
	From   []string // keys of the sessions whose handoff it was given
}

// Sizes of a river, in units of the picture.
const (
	riverLeft  = 112 // room for the names of tools
	riverTop   = 28  // room for the days
	riverStep  = 30
	riverLane  = 44
	markRoom   = 2 // columns that the name of a day takes
	smallStone = 6
)

// RiverOf lays out sessions, the oldest first.
func RiverOf(sessions []Sailed) River {
	river := River{Width: riverLeft + len(sessions)*riverStep + riverStep/2}
	lanes, stones := map[string]Lane{}, map[string]Stone{}
	day, marked := "", -markRoom
	for i, one := range sessions {
		lane, known := lanes[one.Tool]
		if !known {
			lane = Lane{Tool{one.Tool, colour(len(lanes))}, riverTop + len(lanes)*riverLane + riverLane/2}
			lanes[one.Tool] = lane
			river.Lanes = append(river.Lanes, lane)
		}
		stone := Stone{Sailed: one, Tool: lane.Tool, At: Point{riverLeft + i*riverStep + riverStep/2, lane.Y}, R: stoneOf(one.Events)}
		stones[one.Key] = stone
		river.Stones = append(river.Stones, stone)
		if began := one.Began.Format(time.DateOnly); !one.Began.IsZero() && began != day && i-marked >= markRoom {
			day, marked = began, i
			river.Days = append(river.Days, DayMark{one.Began, stone.At.X})
		}
	}
	for _, to := range river.Stones {
		for _, key := range to.From {
			if from, known := stones[key]; known && from.At.X < to.At.X {
				river.Streams = append(river.Streams, Stream{from.Sailed, to.Sailed, curve(from, to)})
			}
		}
	}
	river.Height = riverTop + len(lanes)*riverLane
	return river
}

// stoneOf is the radius of a session: one more for each four times as many
// events.
func stoneOf(events int) int {
	r := smallStone
	for ; events > 8 && r < riverStep/2-2; events /= 4 {
		r++
	}
	return r
}

// curve leads from the edge of one stone to the edge of another: straight in a
// lane when they are neighbours, else in a bow.
func curve(from, to Stone) string {
	a, b := from.At, to.At
	if a.Y == b.Y {
		rise := min(riverLane/2-4, 6+(b.X-a.X)/8)
		return fmt.Sprintf("M%d %dQ%d %d %d %d", a.X, a.Y-from.R, (a.X+b.X)/2, a.Y-from.R-rise, b.X, b.Y-to.R)
	}
	middle := (a.X + from.R + b.X - to.R) / 2
	return fmt.Sprintf("M%d %dC%d %d %d %d %d %d", a.X+from.R, a.Y, middle, a.Y, middle, b.Y, b.X-to.R, b.Y)
}
