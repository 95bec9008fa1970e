package toolspecs

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Class says what a reader does with a record.
type Class int

// Classes of a record.
const (
	Unknown Class = iota
	Read
	Skipped
)

// Sorter finds the name and class of a record by peeking at it.
type Sorter struct {
	root    node
	members map[string]string
}

// node is a record type, or a part of one.
type node struct {
	name  string
	class Class
	path  []string // member that divides this type further
	parts map[string]*node
}

// Sorter prepares the spec's record types for use.
func (r Records) Sorter() *Sorter {
	sorter := &Sorter{root: node{path: []string{"type"}}, members: r.Members}
	if r.Type != "" {
		sorter.root.path = strings.Split(r.Type, ".")
	}
	for _, name := range r.Read {
		sorter.node(name).class = Read
	}
	for _, skip := range r.Skipped {
		sorter.node(skip.Type).class = Skipped
	}
	for name, path := range r.Subtype {
		sorter.node(name).path = strings.Split(path, ".")
	}
	return sorter
}

func (s *Sorter) node(name string) *node {
	at := &s.root
	for part := range strings.SplitSeq(name, "/") {
		next := at.parts[part]
		if next == nil {
			next = &node{name: strings.TrimPrefix(at.name+"/"+part, "/")}
			if at.parts == nil {
				at.parts = map[string]*node{}
			}
			at.parts[part] = next
		}
		at = next
	}
	return at
}

// Sort names a record and says what to do with it. A record without a type is
// named by a member that stands for one; without that its name is "?".
func (s *Sorter) Sort(line []byte) (name string, class Class) {
	at := &s.root
	for at.path != nil {
		value, ok := transcript.Peek(line, at.path...)
		if !ok && at == &s.root {
			value, ok = s.byMember(line)
		}
		if !ok {
			break
		}
		next := at.parts[string(value)]
		if next == nil {
			return strings.TrimPrefix(at.name+"/"+string(value), "/"), Unknown
		}
		at = next
	}
	if at.name == "" {
		return "?", Unknown
	}
	return at.name, at.class
}

// byMember is the type of a record that has no member "type".
func (s *Sorter) byMember(line []byte) (name []byte, ok bool) {
	if len(s.members) == 0 {
		return nil, false
	}
	for walker := transcript.Walk(line); ; {
		key, _, more := walker.Next()
		if !more {
			return nil, false
		}
		if name, ok := s.members[string(key)]; ok {
			return []byte(name), true
		}
	}
}
