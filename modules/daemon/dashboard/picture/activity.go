package picture

import (
	"cmp"
	"slices"
	"time"
)

// Activity is a chart of columns: how many sessions each day had, by tool.
type Activity struct {
	Width, Height int
	Columns       []Column
	Legend        Legend
	Most          int // sessions of the busiest day
	Sessions      int
}

// Column is one day.
type Column struct {
	Day   time.Time
	X, W  int
	Count int
	Bars  []Bar // from the bottom up
	Tick  bool  // the day is named below the column
}

// Bar is the part of a column that is of one tool.
type Bar struct {
	Tool
	Y, H  int
	Count int
}

// Worked is one session for a chart of activity.
type Worked struct {
	Tool string
	At   time.Time // of its last event
}

// Sizes of a chart of activity, in units of the picture.
const (
	columnWidth = 16
	lastLabel   = 24 // room for the date below the last column
	columnGap   = 4
	chartHeight = 96
	tickHeight  = 18
	tickEvery   = 7
)

// ActivityOf draws the last days, ending with the day of now, in its zone. A
// session counts on the day of its last event.
func ActivityOf(sessions []Worked, now time.Time, days int) Activity {
	chart := Activity{Width: days*(columnWidth+columnGap) + lastLabel, Height: chartHeight + tickHeight}
	counts := make([]map[string]int, days)
	totals := map[string]int{}
	for _, one := range sessions {
		at := days - 1 - daysBetween(one.At.In(now.Location()), now)
		if one.At.IsZero() || at < 0 || at >= days {
			continue
		}
		if counts[at] == nil {
			counts[at] = map[string]int{}
		}
		counts[at][one.Tool]++
		totals[one.Tool]++
		chart.Sessions++
	}
	for _, name := range byCount(totals) {
		chart.Legend = append(chart.Legend, Tool{name, colour(len(chart.Legend))})
	}
	for _, day := range counts {
		chart.Most = max(chart.Most, sum(day))
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	for i, day := range counts {
		column := Column{
			Day: today.AddDate(0, 0, i-days+1), X: i * (columnWidth + columnGap), W: columnWidth,
			Count: sum(day), Tick: (days-1-i)%tickEvery == 0,
		}
		column.Bars = stack(chart.Legend, day, chart.Most)
		chart.Columns = append(chart.Columns, column)
	}
	return chart
}

// stack puts the bars of a day on one another.
func stack(legend Legend, day map[string]int, most int) []Bar {
	var bars []Bar
	below := 0
	for _, tool := range legend {
		n := day[tool.Name]
		if n == 0 {
			continue
		}
		bottom := chartHeight * below / most
		below += n
		top := chartHeight * below / most
		bars = append(bars, Bar{Tool: tool, Y: chartHeight - top, H: top - bottom, Count: n})
	}
	return bars
}

// daysBetween counts the midnights between two times of one zone.
func daysBetween(from, to time.Time) int {
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	return int(day(to).Sub(day(from)).Hours() / 24)
}

// byCount are the keys of counts, the greatest first, equal ones by name.
func byCount(counts map[string]int) []string {
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
	return names
}

func sum(counts map[string]int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}
