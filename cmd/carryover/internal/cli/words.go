package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

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

// Number groups the digits of a count: 12,034.
func Number(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
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

// HomePaths is a text with each path below the home beginning with ~.
func HomePaths(text string) string {
	user, err := os.UserHomeDir()
	if err != nil || user == "" {
		return text
	}
	return strings.ReplaceAll(text, user+string(filepath.Separator), "~"+string(filepath.Separator))
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

// Minute is a time for the screen: that of the clock here, with its zone.
func Minute(stamp string) string {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	return at.Local().Format("2006-01-02 15:04 MST")
}

// OneLine is a text without line ends, of at most so many columns and a sign that
// something is left out.
func OneLine(text string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	return ansi.Truncate(text, width+1, "…")
}

// ShellWord is a word as a POSIX shell reads it.
func ShellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:@,+", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// ShellLine is a command as a POSIX shell reads it.
func ShellLine(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = ShellWord(word)
	}
	return strings.Join(words, " ")
}
