package toolspecs

import (
	"regexp"
	"strings"
)

// keeps says that a path, with slashes, lies where the tool keeps the
// transcripts that are read, in whosever home.
func (s *Spec) keeps(file string) bool {
	for _, pattern := range s.places {
		if pattern.MatchString(file) {
			return true
		}
	}
	return false
}

// placePatterns are the patterns of all paths at which the tool keeps the
// transcripts that are read.
func (s *Spec) placePatterns() []*regexp.Regexp {
	var patterns []*regexp.Regexp
	for _, place := range s.Transcripts {
		if place.Role != "main" && place.Role != "subagent" {
			continue
		}
		for _, roots := range place.Roots {
			for _, root := range roots {
				if tail, ok := ownFolder(root); ok {
					patterns = append(patterns, regexp.MustCompile(`(?:^|/)`+regexp.QuoteMeta(tail)+"/"+globPattern(place.Glob)+"$"))
				}
			}
		}
	}
	return patterns
}

// ownFolder is the part of a root below home, or below the variable that moves
// it. A single plain name there could be anybody's folder.
func ownFolder(root string) (tail string, ok bool) {
	_, tail, ok = strings.Cut(root, "/")
	return tail, ok && (strings.HasPrefix(tail, ".") || strings.Contains(tail, "/"))
}

// globPattern is a regular expression of a glob: * within one folder, ** over
// any, {a,b} for either.
func globPattern(glob string) string {
	replace := strings.NewReplacer(
		"**/", "(?:.*/)?", "*", "[^/]*", "{", "(?:", "}", ")", ",", "|", ".", `\.`, "+", `\+`, "(", `\(`, ")", `\)`, "$", `\$`)
	return replace.Replace(glob)
}
