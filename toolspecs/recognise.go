package toolspecs

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Recognise says which tool wrote a transcript, by its first records; head is
// the beginning of the file, some KiB of it. A record that head cuts off is
// judged by the members it has. Where no record says it, a file name that only
// one tool gives does.
func (t *Table) Recognise(file string, head []byte) (tool string, ok bool) {
	for line := range bytes.Lines(head) {
		members := memberNames(line)
		for _, spec := range t.All() {
			if spec.Recognise.fits(members) || spec.Recognise.begins(line) {
				return spec.Tool, true
			}
		}
	}
	object := memberNames(head) // one record over many lines
	for _, spec := range t.All() {
		if spec.Recognise.fits(object) {
			return spec.Tool, true
		}
	}
	for _, spec := range t.All() {
		if spec.names(path.Base(filepath.ToSlash(file))) {
			return spec.Tool, true
		}
	}
	return "", false
}

// RecogniseTables says which tool keeps its history in a database with these
// tables, or in one that answers its query.
func (t *Table) RecogniseTables(tables []string, answers func(query string) bool) (tool string, ok bool) {
	for _, spec := range t.All() {
		own := spec.Recognise.Tables
		if len(own) > 0 && !slices.ContainsFunc(own, func(name string) bool { return !slices.Contains(tables, name) }) {
			return spec.Tool, true
		}
	}
	for _, spec := range t.All() {
		if spec.Recognise.Row != "" && answers(spec.Recognise.Row) {
			return spec.Tool, true
		}
	}
	return "", false
}

// names says that the tool calls its transcripts so; a glob that begins with a
// star says nothing.
func (s *Spec) names(base string) bool {
	return slices.ContainsFunc(s.Transcripts, func(place Transcript) bool {
		glob := path.Base(place.Glob)
		matched, _ := path.Match(glob, base)
		return matched && place.Role != "history" && !strings.HasPrefix(glob, "*")
	})
}

func (r Recognition) fits(members []string) bool {
	if slices.ContainsFunc(r.Absent, func(name string) bool { return slices.Contains(members, name) }) {
		return false
	}
	return slices.ContainsFunc(r.Members, func(set []string) bool {
		return len(set) > 0 && !slices.ContainsFunc(set, func(name string) bool { return !slices.Contains(members, name) })
	})
}

// begins says that a line of text is one that only this tool writes.
func (r Recognition) begins(line []byte) bool {
	return slices.ContainsFunc(r.Lines, func(start string) bool { return bytes.HasPrefix(line, []byte(start)) })
}

func memberNames(line []byte) []string {
	var names []string
	for walker := transcript.Walk(line); ; {
		key, _, ok := walker.Next()
		if key != nil {
			names = append(names, string(key))
		}
		if !ok {
			return names
		}
	}
}
