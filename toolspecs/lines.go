package toolspecs

import (
	"regexp"
	"slices"
)

// LineSorter finds the name and class of what a text transcript says.
type LineSorter struct {
	kinds []lineKind
}

type lineKind struct {
	name    string
	class   Class
	pattern *regexp.Regexp
}

// LineSorter prepares the spec's line types for use. A type that no record
// list names is Unknown.
func (r Records) LineSorter() *LineSorter {
	sorter := &LineSorter{}
	for _, line := range r.Lines {
		pattern, err := regexp.Compile(line.Pattern)
		if err != nil {
			continue // Check has said so
		}
		sorter.kinds = append(sorter.kinds, lineKind{name: line.Type, class: r.ClassOf(line.Type), pattern: pattern})
	}
	return sorter
}

// ClassOf says what a reader does with a type of record that has no parts.
func (r Records) ClassOf(name string) Class {
	switch {
	case slices.Contains(r.Read, name):
		return Read
	case slices.ContainsFunc(r.Skipped, func(skip Skip) bool { return skip.Type == name }):
		return Skipped
	}
	return Unknown
}

// Sort names a text by the first pattern that fits, with what the pattern's
// groups hold. One that fits none is "tool", which is left out.
func (s *LineSorter) Sort(text string) (name string, groups []string, class Class) {
	for _, kind := range s.kinds {
		if found := kind.pattern.FindStringSubmatch(text); found != nil {
			return kind.name, found, kind.class
		}
	}
	return "tool", nil, Skipped
}
