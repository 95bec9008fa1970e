package toolspecs

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Recognise says which tool wrote a transcript; head is the beginning of the
// file, some KiB of it. Where the file lies decides: a fork writes what its
// parent writes, but into a folder of its own. Elsewhere its records decide,
// and last a file name that only one tool gives. A record that head cuts off
// is judged by the members it has.
func (t *Table) Recognise(file string, head []byte) (tool string, ok bool) {
	candidates := t.keeping(file)
	switch len(candidates) {
	case 0:
		if t.fork(file, head) != "" {
			return "", false
		}
		candidates = t.All()
	case 1:
		return candidates[0].Tool, true
	}
	if spec := byContent(candidates, head); spec != nil {
		return spec.Tool, true
	}
	for _, spec := range candidates {
		if spec.names(path.Base(filepath.ToSlash(file))) {
			return spec.Tool, true
		}
	}
	return "", false
}

// keeping are the tools in whose folders a file lies as their transcripts do.
func (t *Table) keeping(file string) []*Spec {
	file = strings.ReplaceAll(filepath.ToSlash(file), `\`, "/")
	return slices.DeleteFunc(t.All(), func(spec *Spec) bool { return !spec.keeps(file) })
}

// byContent is the tool whose recognition fits best some record of head, nil
// when none does.
func byContent(specs []*Spec, head []byte) *Spec {
	var best *Spec
	most := 0
	judge := func(record []byte) {
		record = firstOf(record)
		members := memberNames(record)
		for _, spec := range specs {
			if size := spec.Recognise.fit(members, record); size > most {
				best, most = spec, size
			}
		}
	}
	for line := range bytes.Lines(head) {
		judge(line)
	}
	if best == nil {
		judge(head) // one record over many lines
	}
	return best
}

// firstOf is the first element of a list of records, else the record itself.
func firstOf(record []byte) []byte {
	if list := bytes.TrimLeft(record, " \t\r\n"); bytes.HasPrefix(list, []byte("[")) {
		return bytes.TrimLeft(list[1:], " \t\r\n")
	}
	return record
}

// RecogniseTables says which tool keeps its history in a database with these
// tables, or in one that answers its query. Of several whose tables are there,
// the one that names most holds: a fork has its parent's and more.
func (t *Table) RecogniseTables(tables []string, answers func(query string) bool) (tool string, ok bool) {
	most := 0
	for _, spec := range t.All() {
		own := spec.Recognise.Tables
		if len(own) > most && !slices.ContainsFunc(own, func(name string) bool { return !slices.Contains(tables, name) }) {
			tool, most = spec.Tool, len(own)
		}
	}
	if most > 0 {
		return tool, true
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
	return slices.ContainsFunc(s.Transcripts, func(source Transcript) bool {
		glob := path.Base(source.Glob)
		matched, _ := path.Match(glob, base)
		return matched && source.Role != "history" && !strings.HasPrefix(glob, "*")
	})
}

// wholeLine is how well a line fits that only one tool writes: better than any
// set of members.
const wholeLine = 100

// fit says how well a record fits: by how many members, 0 when it does not.
func (r Recognition) fit(members []string, record []byte) int {
	if slices.ContainsFunc(r.Lines, func(start string) bool { return bytes.HasPrefix(record, []byte(start)) }) {
		return wholeLine
	}
	if slices.ContainsFunc(r.Absent, func(name string) bool { return slices.Contains(members, name) }) {
		return 0
	}
	size := 0
	for _, set := range r.Members {
		if !slices.ContainsFunc(set, func(name string) bool { return !has(members, record, name) }) {
			size = max(size, len(set))
		}
	}
	return size
}

// has says that a record has a member, or a member of its members.
func has(members []string, record []byte, name string) bool {
	outer, inner, nested := strings.Cut(name, ".")
	if !slices.Contains(members, outer) {
		return false
	}
	if !nested {
		return true
	}
	object := transcript.Member(record, outer)
	return has(memberNames(object), object, inner)
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

// fork names the tool without a spec that wrote a file which looks like another's,
// "" where none is known to have.
func (t *Table) fork(file string, head []byte) string {
	file = "/" + strings.ReplaceAll(filepath.ToSlash(file), `\`, "/")
	for _, spec := range t.All() {
		for _, fork := range spec.Recognise.Forks {
			if fork.Folder != "" && strings.Contains(file, "/"+fork.Folder+"/") {
				return fork.Name
			}
			for line := range bytes.Lines(head) {
				if fork.wrote(line) {
					return fork.Name
				}
			}
		}
	}
	return ""
}

// wrote says that a record is the fork's.
func (f Fork) wrote(record []byte) bool {
	if f.Member == "" {
		return false
	}
	for name := range strings.SplitSeq(f.Member, ".") {
		record = transcript.Member(record, name)
	}
	return record != nil && strings.HasPrefix(transcript.Text(record), f.Prefix)
}

// Unrecognised says why a transcript is nobody's: which tool without a spec wrote it,
// or of which tools records were looked for, and which members the first record has.
func (t *Table) Unrecognised(file string, head []byte) string {
	if name := t.fork(file, head); name != "" {
		return "it is of " + name + ", whose sessions are not read"
	}
	var tools []string
	for _, spec := range t.All() {
		tools = append(tools, spec.Tool)
	}
	found := "it begins with no record of JSON"
	for line := range bytes.Lines(head) {
		if members := memberNames(firstOf(line)); len(members) > 0 {
			found = "the first record here has the members " + strings.Join(members[:min(len(members), maxNamed)], ", ")
			break
		}
	}
	return "looked for records of " + strings.Join(tools, ", ") + "; " + found
}

// maxNamed is how many members of a record are named.
const maxNamed = 12
