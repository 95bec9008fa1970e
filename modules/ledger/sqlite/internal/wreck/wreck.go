// Package wreck reads a ledger that is damaged: all rows that stand on sound
// pages, and of those that do not which they were, as far as an index or
// another table tells.
package wreck

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/originals"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/pages"
)

// Ledger is what the small tables of a damaged ledger say.
type Ledger struct {
	file   *pages.File
	ownLog bool // a foreign one is not read, and the own one is gone

	Tools    map[int64]string
	Projects map[int64]ledger.Project
	Sources  map[int64]Source
	Sessions map[int64]Session
	Restores []ledger.Restore
	Agents   []Agent
	// Lost are rows that an index names and that cannot be read.
	Lost []Agent
	// Blocks are where the blocks of bodies stand, by number.
	Blocks map[int64]pages.Address
	bodies blockCache
	// Originals are where the pieces of raw records stand, by source.
	Originals map[int64][]pages.Address
	// LostRestores is how many decisions of the restore gate cannot be read.
	LostRestores int
	// Unreadable is how many pages, rows and entries of indexes cannot be read.
	Unreadable int
}

// Source is a row of the table source.
type Source struct {
	ledger.Source
	Hook bool
	tool int64
}

// Session is a row of the table session.
type Session struct {
	ledger.SessionKey
	Project  int64
	Worktree string
	Cwd      string
	tool     int64
}

// Agent is a row of the table agent.
type Agent struct {
	Project, Name, Kind, UID string
	Time                     int64
	Archived                 bool
	Body                     string
}

// Open opens a ledger that nobody writes and reads its small tables.
func Open(path string) (*Ledger, error) {
	own := !db.HasForeignLog(path)
	file, err := pages.Open(path, own)
	if err != nil {
		return nil, err
	}
	l := &Ledger{
		file: file, ownLog: own, Tools: map[int64]string{}, Projects: map[int64]ledger.Project{}, Sources: map[int64]Source{}, Sessions: map[int64]Session{},
		Originals: map[int64][]pages.Address{}, Blocks: map[int64]pages.Address{},
	}
	r := &reading{Ledger: l, toolNames: map[int64]string{}, paths: map[int64][]string{}}
	l.Unreadable = file.Each(r.take)
	r.join()
	return l, nil
}

// Original reads the pieces of raw records of a source, in order.
func (l *Ledger) Original(source int64) []originals.Packed {
	var pieces []originals.Packed
	for _, address := range l.Originals[source] {
		if record, ok := l.file.At(address); ok && len(record.Values) == 6 {
			v := row(record.Values)
			data, _ := v[5].([]byte)
			pieces = append(pieces, originals.Packed{From: v.number(2), Length: v.number(3), Redacted: v.number(4), Data: data})
		}
	}
	slices.SortFunc(pieces, func(a, b originals.Packed) int { return cmp.Compare(a.From, b.From) })
	return pieces
}

// Close ends the use of the file.
func (l *Ledger) Close() error { return l.file.Close() }

// reading is what of the small tables can only be joined when all was read.
type reading struct {
	*Ledger
	toolNames map[int64]string // of the index over the table tool
	paths     map[int64][]string
	indexed   []Agent // of the index over the table agent
	restores  int     // of the index over the table restore
}

// toolName is what a tool may be called: the same index shape has ids of
// handoffs and projects.
var toolName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// searchSetting is what else has that shape: the settings of the search index.
var searchSetting = map[string]bool{"version": true, "secure-delete": true, "automerge": true, "hashsize": true}

// take looks at one record. Tables are told apart by their shape: no two have
// the same.
func (r *reading) take(record pages.Record) {
	v := row(record.Values)
	if !record.Table {
		r.takeIndex(v)
		return
	}
	switch {
	case v.is("nt"):
		r.Tools[record.Row] = v.text(1)
	case v.is("ntt"):
		r.Projects[record.Row] = ledger.Project{ID: v.text(1), Path: v.text(2)}
	case len(v) == 24 && v.begins("nitit"):
		r.Sessions[record.Row] = Session{SessionKey: ledger.SessionKey{ID: v.text(2)}, Project: v.number(3), Worktree: v.text(4), Cwd: v.text(5), tool: v.number(1)}
	case (len(v) == 20 || len(v) == 22) && v.begins("nittiii"):
		r.Sources[record.Row] = Source{Hook: v.number(4) != 0, tool: v.number(1), Source: ledger.Source{
			Path: v.text(2), Main: v.text(3), Subagent: v.number(5) != 0, Rewrites: v.number(6) != 0, Revision: int(v.number(13)),
		}}
	case len(v) == 6 && v.begins("niiii") && v.number(2) >= 0:
		if _, packed := v[5].([]byte); packed {
			r.Originals[v.number(1)] = append(r.Originals[v.number(1)], record.Address)
		}
	case len(v) == 4 && v.begins("nii"):
		if _, packed := v[3].([]byte); packed {
			r.Blocks[record.Row] = record.Address
		}
	case v.is("ntttttttttiiti"):
		r.Restores = append(r.Restores, restore(v))
	case (len(v) == 8 || len(v) == 9) && v.begins("nttttiit"):
		r.takeAgent(v)
	}
}

func (r *reading) takeIndex(v row) {
	switch {
	case v.is("ti") && filepath.IsAbs(v.text(0)):
		r.paths[v.number(1)] = append(r.paths[v.number(1)], v.text(0))
	case v.is("ti") && toolName.MatchString(v.text(0)) && !searchSetting[v.text(0)]:
		r.toolNames[v.number(1)] = v.text(0)
	case v.is("tti"):
		r.restores++
	case v.is("tttti"):
		r.indexed = append(r.indexed, Agent{Project: v.text(0), Name: v.text(1), Kind: v.text(2), UID: v.text(3)})
	}
}

func (r *reading) takeAgent(v row) {
	a := Agent{
		Project: v.text(1), Name: v.text(2), Kind: v.text(3), UID: v.text(4), Time: v.number(5), Archived: v.number(6) != 0, Body: v.text(7),
	}
	if len(v) == 9 && v.number(8) != 0 && v.number(8) != db.Sum(a.Name, a.Kind, a.UID, a.Body) {
		r.Unreadable++
		return
	}
	r.Agents = append(r.Agents, a)
}

// join puts names in the places of numbers.
func (r *reading) join() {
	for id, name := range r.toolNames {
		if _, known := r.Tools[id]; !known {
			r.Tools[id] = name
		}
	}
	r.nameTools()
	for id, paths := range r.paths {
		project := r.Projects[id]
		project.Paths = paths
		r.Projects[id] = project
	}
	read := map[[4]string]bool{}
	for _, a := range r.Agents {
		read[[4]string{a.Project, a.Name, a.Kind, a.UID}] = true
	}
	for _, a := range r.indexed {
		if !read[[4]string{a.Project, a.Name, a.Kind, a.UID}] {
			r.Lost = append(r.Lost, a)
		}
	}
	r.LostRestores = max(0, r.restores-len(r.Restores))
}

// nameTools puts the names of tools in the places of their numbers.
func (l *Ledger) nameTools() {
	for id, session := range l.Sessions {
		session.Tool = l.Tools[session.tool]
		l.Sessions[id] = session
	}
	for id, source := range l.Sources {
		source.Tool = l.Tools[source.tool]
		l.Sources[id] = source
	}
}

func restore(v row) ledger.Restore {
	return ledger.Restore{
		Session: ledger.SessionKey{Tool: v.text(1), ID: v.text(2)}, From: ledger.SessionKey{Tool: v.text(3), ID: v.text(4)},
		Project: v.text(5), Event: v.text(6), Source: v.text(7), Decision: v.text(8), Reason: v.text(9),
		Lines: int(v.number(10)), Bytes: int(v.number(11)), SHA256: v.text(12), Time: db.Time(v.number(13)),
	}
}

// row is the values of a record.
type row []any

// is says that a row has the types of a shape: n for NULL, i for a number, t
// for a text.
func (r row) is(shape string) bool { return len(r) == len(shape) && r.begins(shape) }

func (r row) begins(shape string) bool {
	if len(r) < len(shape) {
		return false
	}
	for i, kind := range shape {
		ok := false
		switch r[i].(type) {
		case nil:
			ok = kind == 'n'
		case int64:
			ok = kind == 'i'
		case string:
			ok = kind == 't'
		}
		if !ok {
			return false
		}
	}
	return true
}

func (r row) text(n int) string {
	text, _ := r[n].(string)
	return text
}

func (r row) number(n int) int64 {
	number, _ := r[n].(int64)
	return number
}
