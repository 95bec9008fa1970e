package picture

import (
	"strconv"
	"strings"
)

// Sawtooth is how full a context was over a session: it rises, and falls where
// the context was compacted.
type Sawtooth struct {
	Width, Height int
	Line          string // points of a polyline
	Compactions   []Marker
	Notices       []Marker
	Top           int64 // tokens at the upper edge
	Limit         int   // where the window ends, 0 when it is unknown
	Peak          int64 // most tokens that were used
}

// Marker is an event on the way, drawn from top to bottom.
type Marker struct {
	X     int
	Index int // of the event in its session
}

// Used is the context of a session after an event.
type Used struct {
	Index  int
	Tokens int64
}

// Sizes of a sawtooth, in units of the picture.
const (
	sawWidth  = 960
	sawHeight = 120
	sawHead   = 12 // room above the line
)

// SawtoothOf draws usage by the place of events among all of them. Of several
// records that fall on one point across, the highest and the last are drawn.
func SawtoothOf(usage []Used, compactions, notices []int, events int, window int64) Sawtooth {
	saw := Sawtooth{Width: sawWidth, Height: sawHeight, Top: window}
	for _, one := range usage {
		saw.Peak = max(saw.Peak, one.Tokens)
	}
	if len(usage) < 2 || saw.Peak == 0 {
		return saw
	}
	saw.Top = max(saw.Top, saw.Peak)
	across := func(index int) int { return sawWidth * index / max(1, events-1) }
	down := func(tokens int64) int { return sawHeight - int(int64(sawHeight-sawHead)*tokens/saw.Top) }
	if window > 0 {
		saw.Limit = down(window)
	}
	var line strings.Builder
	point := func(x, y int) {
		line.WriteString(strconv.Itoa(x) + "," + strconv.Itoa(y) + " ")
	}
	for i := 0; i < len(usage); {
		x, highest := across(usage[i].Index), usage[i].Tokens
		for ; i < len(usage) && across(usage[i].Index) == x; i++ {
			highest = max(highest, usage[i].Tokens)
		}
		point(x, down(highest))
		if last := usage[i-1].Tokens; last != highest {
			point(x, down(last))
		}
	}
	saw.Line = strings.TrimSpace(line.String())
	saw.Compactions, saw.Notices = markersAt(compactions, across), markersAt(notices, across)
	return saw
}

func markersAt(indexes []int, across func(int) int) []Marker {
	markers := make([]Marker, len(indexes))
	for i, index := range indexes {
		markers[i] = Marker{across(index), index}
	}
	return markers
}
