package doctor

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// counted is a number of things: "1 session", "2 sessions".
func counted[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// listed is how often each of some names came: "foo ×2, bar ×1", by name.
func listed[N int | int64](counts map[string]N) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s ×%d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}
