package aider

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/toolspecs/patch"
)

// edit is a change of one place in a file, as the model wrote it.
type edit struct {
	path   string // "" when the model did not name it
	before string
	after  string
	whole  bool // after is the whole file
}

// The marks of a SEARCH/REPLACE block; models miscount them.
var (
	search  = regexp.MustCompile(`^<{5,9} SEARCH>?\s*$`)
	divider = regexp.MustCompile(`^={5,9}\s*$`)
	replace = regexp.MustCompile(`^>{5,9} REPLACE\s*$`)
)

// split takes the edits out of a reply. SEARCH/REPLACE blocks are known
// whatever the format; the other formats look like any code a model shows, so
// they count only when they were agreed upon.
func split(text, format string) (prose string, edits []edit) {
	return splitStyled(text, format, false)
}

// splitStyled is split for a history that a formatter may have touched.
func splitStyled(text, format string, loose bool) (prose string, edits []edit) {
	s := &splitter{lines: strings.Split(text, "\n"), loose: loose}
	for s.at < len(s.lines) {
		if s.searchReplace() {
			continue
		}
		switch {
		case strings.HasSuffix(format, "whole") && s.wholeFile():
		case strings.HasPrefix(format, "udiff") && s.unified():
		case strings.HasSuffix(format, "patch") && s.patch():
		default:
			s.say(s.lines[s.at])
			s.at++
		}
	}
	return strings.TrimSpace(strings.Join(s.prose, "\n")), s.edits
}

type splitter struct {
	lines     []string
	at        int
	prose     []string
	edits     []edit
	path      string // of the block before
	loose     bool   // blank lines may stand where Aider writes none
	removedAt int    // length of the prose where an edit was taken out
}

// say keeps a line of prose; where an edit was taken out one blank line is left.
func (s *splitter) say(line string) {
	if n := len(s.prose); n > 0 && n == s.removedAt && blank(line) && blank(s.prose[n-1]) {
		return
	}
	s.prose = append(s.prose, line)
}

// took notes an edit, and that the prose was cut here.
func (s *splitter) took(edits ...edit) {
	s.edits = append(s.edits, edits...)
	s.removedAt = len(s.prose)
}

// searchReplace takes the block that begins here. The file's name stands above
// it or its fence; a further block may leave it out.
func (s *splitter) searchReplace() bool {
	if !search.MatchString(strings.TrimSpace(s.lines[s.at])) {
		return false
	}
	middle := s.find(s.at+1, divider)
	end := s.find(middle+1, replace)
	if middle < 0 || end < 0 {
		return false
	}
	if path := s.takePath(); path != "" {
		if s.loose {
			path = unescape(path)
		}
		s.path = path
	}
	before := joined(s.lines[s.at+1 : middle])
	// Nothing to search for is how a file is made.
	s.took(edit{path: s.path, before: before, after: joined(s.lines[middle+1 : end]), whole: strings.TrimSpace(before) == ""})
	s.at = end + 1
	if s.at < len(s.lines) && (isFence(s.lines[s.at]) || tagEnd.MatchString(s.lines[s.at])) {
		s.at++
	}
	return true
}

// tagEnd ends what tagged begins.
var tagEnd = regexp.MustCompile(`^</(?:source|code|pre|codeblock|sourcecode)>$`)

// wholeFile takes a file's whole content: a fence right under the file's name.
// Of any other fence all is prose: the line above its end is no name.
func (s *splitter) wholeFile() bool {
	if !isFence(s.lines[s.at]) {
		return false
	}
	end := s.fenceEnd()
	if end < 0 {
		return false
	}
	path := ""
	if s.unspace(); len(s.prose) > 0 {
		path = fileName(s.prose[len(s.prose)-1])
	}
	if path == "" {
		for ; s.at <= end; s.at++ {
			s.say(s.lines[s.at])
		}
		return true
	}
	s.prose = s.prose[:len(s.prose)-1]
	s.took(edit{path: path, after: joined(s.lines[s.at+1 : end]), whole: true})
	s.at = end + 1
	return true
}

// unified takes a fence with a unified diff, which may be of several files.
func (s *splitter) unified() bool {
	end := s.fenceEnd()
	if !isFence(s.lines[s.at]) || end < 0 {
		return false
	}
	var found []edit
	var hunks []string
	flush := func() {
		if n := len(found); n > 0 {
			found[n-1].before, found[n-1].after = patch.Diff(joined(hunks))
		}
		hunks = nil
	}
	for _, line := range s.lines[s.at+1 : end] {
		switch name, ok := strings.CutPrefix(line, "+++ "); {
		case ok:
			flush()
			found = append(found, edit{path: strings.TrimSpace(name)})
		case !strings.HasPrefix(line, "--- "):
			hunks = append(hunks, line)
		}
	}
	flush()
	if len(found) == 0 {
		return false
	}
	s.took(found...)
	s.at = end + 1
	return true
}

// patch takes what stands between the marks of a patch.
func (s *splitter) patch() bool {
	if strings.TrimSpace(s.lines[s.at]) != "*** Begin Patch" {
		return false
	}
	end := s.at
	for end < len(s.lines) && strings.TrimSpace(s.lines[end]) != "*** End Patch" {
		end++
	}
	for _, change := range patch.Parse(joined(s.lines[s.at:end])) {
		s.took(edit{path: change.Path, before: change.Before, after: change.After})
	}
	s.at = min(end+1, len(s.lines))
	return true
}

// find is the index of the first line from start that is such a mark, or -1.
func (s *splitter) find(start int, mark *regexp.Regexp) int {
	if start <= 0 || start > len(s.lines) {
		return -1
	}
	at := slices.IndexFunc(s.lines[start:], func(line string) bool { return mark.MatchString(strings.TrimSpace(line)) })
	if at < 0 {
		return -1
	}
	return start + at
}

// fenceEnd is the index of the line that closes the fence opened here, or -1.
func (s *splitter) fenceEnd() int {
	if tag := tagged.FindStringSubmatch(s.lines[s.at]); tag != nil {
		end := slices.Index(s.lines[s.at:], "</"+tag[1]+">")
		if end < 0 {
			return -1
		}
		return s.at + end
	}
	open := fenceAfter("", s.lines[s.at])
	for at := s.at + 1; at < len(s.lines) && open != ""; at++ {
		if fenceAfter(open, s.lines[at]) == "" {
			return at
		}
	}
	return -1
}

// takePath takes the file's name, and the fence under or above it, off the
// prose before a block.
func (s *splitter) takePath() string {
	for range 3 {
		s.unspace()
		if len(s.prose) == 0 {
			return ""
		}
		last := s.prose[len(s.prose)-1]
		path := fileName(last)
		if path == "" && !isFence(last) {
			return ""
		}
		s.prose = s.prose[:len(s.prose)-1]
		if path != "" {
			if n := len(s.prose); n > 0 && isFence(s.prose[n-1]) && s.inFence() {
				s.prose = s.prose[:n-1] // the name stands inside the block's fence
			}
			return path
		}
	}
	return ""
}

// unspace takes the blank line away that a formatter puts under a file's name.
func (s *splitter) unspace() {
	n := len(s.prose)
	if !s.loose || n < 2 || !blank(s.prose[n-1]) {
		return
	}
	if name := fileName(s.prose[n-2]); strings.ContainsAny(name, "./") && !strings.HasSuffix(name, ".") {
		s.prose = s.prose[:n-1]
	}
}

// inFence says that the prose so far leaves a fence open.
func (s *splitter) inFence() bool {
	open := ""
	for _, line := range s.prose {
		open = fenceAfter(open, line)
	}
	return open != ""
}

// fileName is the name a line consists of, without what models put around it.
func fileName(line string) string {
	name := strings.TrimSpace(line)
	if isFence(name) || len(name) > 250 {
		return ""
	}
	name = strings.TrimSpace(strings.TrimLeft(name, "#"))
	name = strings.Trim(strings.TrimRight(strings.Trim(name, "*"), ":"), "`*")
	if strings.ContainsAny(name, " \t<>|{}();=") || !strings.ContainsFunc(name, unicode.IsLetter) {
		return "" // a line of code, such as the bracket that ends it
	}
	return name
}

func isFence(line string) bool { return fenced.MatchString(line) || tagged.MatchString(line) }

// tagged begins code that has backticks in it: Aider takes a fence that does not occur in the files
// (all_fences in aider/coders/base_coder.py of 0.86).
var tagged = regexp.MustCompile(`^<(source|code|pre|codeblock|sourcecode)>$`)

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
