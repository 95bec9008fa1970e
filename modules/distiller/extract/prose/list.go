package prose

import "strings"

// Entries counts the entries of lists in a reply.
func Entries(said []Statement) (n int) {
	for _, s := range said {
		if s.Bullet {
			n++
		}
	}
	return n
}

// LastList is the list that a text ends with, on one line behind what heads it, its entries in so many
// runes; several says that it has more than one.
func LastList(said []Statement, width int) (text string, several bool) {
	last := len(said) - 1
	first := last
	for first > 0 && said[first].Bullet && said[first-1].Bullet && said[first-1].Heading == said[last].Heading {
		first--
	}
	if first == last || said[last].Heading == "" {
		return "", false
	}
	var entries []string
	for _, entry := range said[first:] {
		entries = append(entries, strings.TrimRight(entry.Text, ". "))
	}
	return said[last].Heading + ": " + Clip(strings.Join(entries, "; "), width), true
}

// LeadsToCode says that an entry ends in a colon, with one sentence between it and the next entry: that
// stands behind the code which the entry leads to.
func LeadsToCode(said []Statement, i int) bool {
	return i+2 < len(said) && said[i].Bullet && strings.HasSuffix(said[i].Text, ":") && !said[i+1].Bullet && said[i+2].Bullet
}
