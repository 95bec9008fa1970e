package cli

import "strings"

// eighths are the parts of a column that a bar can end with.
var eighths = []rune(" ▏▎▍▌▋▊▉")

// Bar draws a count beside the greatest one, which has a bar of so many columns. What is
// more than nothing is seen.
func Bar(count, most, width int) string {
	if most <= 0 || count <= 0 {
		return ""
	}
	if !UTF8Terminal() {
		return strings.Repeat("#", max(1, count*width/most))
	}
	parts := max(1, count*width*len(eighths)/most)
	bar := strings.Repeat("█", parts/len(eighths))
	if rest := parts % len(eighths); rest > 0 {
		bar += string(eighths[rest])
	}
	return bar
}
