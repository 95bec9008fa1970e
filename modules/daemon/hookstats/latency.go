package hookstats

import (
	"slices"
	"time"
)

// bounds of the classes of Latencies, each in it; what took longer is in one more.
var bounds = [...]time.Duration{
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second,
}

// Latencies count how long the daemon took to answer hooks, in classes: each is twice
// to two and a half times as wide as the one before it.
type Latencies [len(bounds) + 1]int

// Bound is the longest time in a class; 0 of the last one, which has none.
func (Latencies) Bound(class int) time.Duration {
	if class >= len(bounds) {
		return 0
	}
	return bounds[class]
}

func (l *Latencies) add(took time.Duration) {
	class, _ := slices.BinarySearch(bounds[:], took)
	l[class]++
}

// Add sums other into l.
func (l *Latencies) Add(other Latencies) {
	for class, n := range other {
		l[class] += n
	}
}

// Total is how many hooks were timed.
func (l Latencies) Total() int {
	total := 0
	for _, n := range l {
		total += n
	}
	return total
}

// Within is the bound under which a share of the hooks was answered, 0.5 the half of
// them; 0 when that is the last class, or no hook was timed.
func (l Latencies) Within(share float64) time.Duration {
	total, seen := l.Total(), 0
	for class, n := range l {
		if seen += n; total > 0 && float64(seen) >= share*float64(total) {
			return l.Bound(class)
		}
	}
	return 0
}
