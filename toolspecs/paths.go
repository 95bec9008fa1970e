package toolspecs

import (
	"regexp"
	"strings"
)

// keeps says that a path, with slashes, lies where the tool keeps the
// transcripts that are read, in whosever home.
func (s *Spec) keeps(file string) bool {
	for _, place := range s.pathPatterns() {
		if strings.Contains(file, place.folder) && place.pattern.MatchString(file) {
			return true
		}
	}
	return false
}

// pathPattern is a place of transcripts.
type pathPattern struct {
	folder  string // below somebody's home: most paths do not have it, which is quickly seen
	pattern *regexp.Regexp
}

// compilePatterns makes the patterns of all paths at which the tool keeps the
// transcripts that are read.
func (s *Spec) compilePatterns() []pathPattern {
	var patterns []pathPattern
	for _, source := range s.Transcripts {
		if source.Role != "main" && source.Role != "subagent" {
			continue
		}
		for _, roots := range source.Roots {
			for _, root := range roots {
				if tail, ok := ownFolder(root); ok {
					pattern := regexp.MustCompile(`(?:^|/)` + regexp.QuoteMeta(tail) + "/" + globPattern(source.Glob) + "$")
					patterns = append(patterns, pathPattern{tail, pattern})
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
