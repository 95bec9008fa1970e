package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/display"
)

// SortedKeys are the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Count is a number of things.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Others says how many more there are than the one that is named.
func Others(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n-1)
}

// Size writes bytes in the unit a person would choose.
func Size(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	default:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
}

// HomePath is a path with the user's own folder as "~".
func HomePath(path string) string {
	user, err := os.UserHomeDir()
	if rest, below := strings.CutPrefix(path, user+string(filepath.Separator)); err == nil && below {
		return filepath.Join("~", rest)
	}
	return path
}

// ShortPath is HomePath within a width; what is left out of it is its beginning.
func ShortPath(path string, width int) string {
	runes := []rune(HomePath(path))
	if len(runes) <= width {
		return string(runes)
	}
	return "…" + string(runes[len(runes)-width+1:])
}

// Since is how long ago a time was.
func Since(stamp string) string {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return "?"
	}
	return display.Duration(time.Since(at))
}

// Minute shortens a time for the screen.
func Minute(stamp string) string {
	if len(stamp) < len("2006-01-02T15:04") {
		return stamp
	}
	return strings.Replace(stamp[:len("2006-01-02T15:04")], "T", " ", 1)
}

// OneLine is a text without line ends, of at most so many runes.
func OneLine(text string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width]) + "…"
	}
	return text
}
