package threads

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// Link says that a session began with the handoff of another.
type Link struct{ From, To ledger.SessionKey }

// Marks are what the user said about threads: it holds over what is derived.
type Marks struct {
	Apart  map[ledger.SessionKey]bool              // the session begins a thread of its own
	Joined map[ledger.SessionKey]ledger.SessionKey // the session goes on with the thread of another
	Set    map[ledger.SessionKey]State             // where a thread stands, as of this session
}

// Input is what is known of the sessions.
type Input struct {
	Sessions []Outline
	Links    []Link
	Marks    Marks
	// Reverted are the subjects of commits that another commit took back.
	Reverted []string
}

// needed is how many rare keys a session must share with a thread to go on with it.
const needed = 2

// maxGap is how long a thread may rest and still be continued without anybody saying
// so: an older handoff is not delivered either.
const maxGap = 14 * 24 * time.Hour

// Of joins sessions into threads, the one with the newest event first. A session
// belongs to the thread with which it shares the most rare keys, at least two; the
// same sessions give the same threads in whatever order they come.
func Of(in Input) []Thread {
	sessions := slices.Clone(in.Sessions)
	slices.SortFunc(sessions, func(a, b Outline) int {
		return cmp.Or(a.First.Compare(b.First), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.ID, b.ID))
	})
	j := &joining{marks: in.Marks, rare: rarity(sessions), given: map[ledger.SessionKey][]ledger.SessionKey{}, at: map[ledger.SessionKey]*chain{}}
	for _, link := range in.Links {
		j.given[link.To] = append(j.given[link.To], link.From)
	}
	j.before = soonAfter(sessions, nextDay)
	for _, session := range sessions {
		j.add(session)
	}
	threads := make([]Thread, len(j.chains))
	for i, c := range j.chains {
		threads[i] = threadOf(c, in)
	}
	slices.SortStableFunc(threads, func(a, b Thread) int { return b.Last.Compare(a.Last) })
	return threads
}

// joining is one pass over the sessions, oldest first.
type joining struct {
	marks  Marks
	rare   rarities
	given  map[ledger.SessionKey][]ledger.SessionKey
	before map[ledger.SessionKey]ledger.SessionKey // the session that it began soon after
	chains []*chain
	at     map[ledger.SessionKey]*chain
}

// chain is a thread in the making.
type chain struct {
	sessions []Member // oldest first
	keys     map[string]bool
}

func (j *joining) add(session Outline) {
	keys := j.keysOf(session)
	c, why := j.home(session, keys)
	if c == nil {
		c = &chain{keys: map[string]bool{}}
		j.chains = append(j.chains, c)
	}
	c.sessions = append(c.sessions, Member{session, why})
	for _, key := range keys {
		c.keys[key] = true
	}
	j.at[session.SessionKey] = c
}

// home is the thread that a session goes on with, nil for none, and the keys that say
// so.
func (j *joining) home(session Outline, keys []string) (best *chain, why []string) {
	if to, said := j.marks.Joined[session.SessionKey]; said {
		return j.at[to], []string{"joined by the user"}
	}
	if j.marks.Apart[session.SessionKey] {
		return nil, nil
	}
	for _, c := range j.chains {
		last := c.sessions[len(c.sessions)-1]
		if last.Project.ID != session.Project.ID {
			continue
		}
		shared := j.shared(c, session, keys)
		if len(shared) >= needed && len(shared) >= len(why) {
			best, why = c, shared
		}
	}
	return best, why
}

// shared are the keys that a session has in common with a thread.
func (j *joining) shared(c *chain, session Outline, keys []string) []string {
	var shared []string
	in := func(key ledger.SessionKey) bool { return key.ID != "" && j.at[key] == c }
	if from := (ledger.SessionKey{Tool: session.Tool, ID: session.From}); in(from) {
		shared = append(shared, session.How+" of a session")
		if session.How != "clear" { // it begins with all that the other one held
			shared = append(shared, "the same history")
		}
	}
	if slices.ContainsFunc(j.given[session.SessionKey], in) {
		shared = append(shared, "handoff")
		if session.Task == "" { // it was only told to go on
			shared = append(shared, "the same task")
		}
	}
	last := c.sessions[len(c.sessions)-1]
	if len(shared) == 0 && session.First.Sub(last.Last) > maxGap {
		return nil
	}
	common := inCommon(c.keys, keys)
	if asked := askedAgain(c, session); asked != "" && !slices.Contains(common, asked) {
		common = append(common, asked)
	}
	if near := j.near(c, session, common); near != "" {
		shared = append(shared, near)
	}
	return append(shared, common...)
}

// near says how a session follows a thread in its worktree, "" when it does not. What is
// not soon after it needs more in common than words.
func (j *joining) near(c *chain, session Outline, common []string) string {
	last := c.sessions[len(c.sessions)-1]
	gap := session.First.Sub(last.Last)
	isThing := func(key string) bool { return key != wordsKey }
	switch {
	case last.Directory != session.Directory || last.Last.IsZero():
		return ""
	case gap >= -overlap && gap <= soon:
		return "soon after"
	case !slices.ContainsFunc(common, isThing):
		return ""
	case last.SessionKey == j.before[session.SessionKey]:
		return "next in the worktree"
	case gap < -overlap:
		return "beside it in the worktree"
	case gap <= nextDay && last.Branch == session.Branch && slices.ContainsFunc(common, isRequest):
		return "within a day"
	}
	return ""
}

func isRequest(key string) bool { return strings.HasPrefix(key, askedKey) }

// askedAgain is the key of a request of a thread that a session repeats and adds to, or
// the other way round.
func askedAgain(c *chain, session Outline) string {
	for _, member := range c.sessions {
		short, long := member.Asked, session.Asked
		if len(short) > len(long) {
			short, long = long, short
		}
		if strings.Count(short, " ")+1 >= minRepeated && strings.HasPrefix(long, short+" ") {
			return askedKey + short
		}
	}
	return ""
}

// minRepeated is how many words a request has that another one begins with.
const minRepeated = 6

// inCommon are the keys of a session that a thread has too. What says the same thing
// twice counts once: a file and its mention, a branch and its mention. Two files of one
// name in two folders are two.
func inCommon(known map[string]bool, keys []string) []string {
	var shared []string
	said := map[string]bool{}
	words := 0
	for _, key := range keys {
		kind, value, _ := strings.Cut(key, " ")
		value = strings.ToLower(path.Base(value))
		switch {
		case !known[key]:
		case kind+" " == wordKey:
			words++
		case !said[value] || kind+" " == fileKey: // files come before their names
			said[value] = true
			shared = append(shared, key)
		}
	}
	if words >= rareWords { // a word alone proves little: several are one key
		shared = append(shared, wordsKey)
	}
	return shared
}

// soon is how long after the end of another session a session begins that may go on
// with it, and overlap how long before. One that is the next in its worktree within
// nextDay needs more in common than words.
const (
	soon    = 2 * time.Hour
	nextDay = 24 * time.Hour
	overlap = 10 * time.Minute
)

// soonAfter is, for each session, the one before it in its worktree when it began within
// a time after that.
func soonAfter(sessions []Outline, within time.Duration) map[ledger.SessionKey]ledger.SessionKey {
	before := map[ledger.SessionKey]ledger.SessionKey{}
	latest := map[[2]string]Outline{}
	for _, session := range sessions {
		place := [2]string{session.Project.ID, session.Directory}
		last, found := latest[place]
		if gap := session.First.Sub(last.Last); found && !last.Last.IsZero() && gap >= -overlap && gap <= within {
			before[session.SessionKey] = last.SessionKey
		}
		if !found || session.Last.After(last.Last) {
			latest[place] = session
		}
	}
	return before
}

// rareWords is how many rare words make one key.
const rareWords = 4

// The kinds of keys.
const (
	branchKey = "branch "
	fileKey   = "file "
	nameKey   = "name "
	wordKey   = "word "
	askedKey  = "asked "
	wordsKey  = "words" // several rare words
)

// keysOf are the rare keys of a session.
func (j *joining) keysOf(session Outline) []string {
	var keys []string
	for _, key := range allKeys(session) {
		if session.Project.ID != "" && j.rare.isRare(session.Project.ID, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// allKeys are the keys of a session, rare or not, each once.
func allKeys(o Outline) []string {
	var keys []string
	add := func(kind string, values ...string) {
		for _, value := range values {
			if value != "" {
				keys = append(keys, kind+value)
			}
		}
	}
	add(branchKey, o.Branch)
	add(nameKey, issuesIn(o.Branch)...)
	add(fileKey, o.Files...)
	add(askedKey, o.Asked)
	add(nameKey, o.Names...)
	add(wordKey, o.Words...)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// A key is rare in a project when few of its sessions have it.
const (
	fewSessions = 2  // at most so many, or
	fewShare    = 3  // one of so many
	fewOthers   = 50 // a word: one of so many sessions of other projects
)

// rarities says which keys are rare, by project.
type rarities struct {
	projects map[string]*tally
	all      tally
	names    map[string]map[string]bool // the projects in which a file of this name was changed
}

// tally counts the sessions that have a key, and the stretches of work: sessions that
// follow soon after one another in a worktree.
type tally struct {
	sessions  int
	keys      map[string]int
	stretches map[string]map[ledger.SessionKey]bool // by the first session of each
}

func newTally() *tally {
	return &tally{keys: map[string]int{}, stretches: map[string]map[ledger.SessionKey]bool{}}
}

func (t *tally) add(keys []string, stretch ledger.SessionKey) {
	t.sessions++
	for _, key := range keys {
		t.keys[key]++
		if t.stretches[key] == nil {
			t.stretches[key] = map[ledger.SessionKey]bool{}
		}
		t.stretches[key][stretch] = true
	}
}

// stretchesOf is the first session of the stretch of work that each belongs to.
func stretchesOf(sessions []Outline) map[ledger.SessionKey]ledger.SessionKey {
	before := soonAfter(sessions, soon)
	stretches := map[ledger.SessionKey]ledger.SessionKey{}
	for _, session := range sessions { // oldest first
		stretches[session.SessionKey] = session.SessionKey
		if last, found := before[session.SessionKey]; found {
			stretches[session.SessionKey] = stretches[last]
		}
	}
	return stretches
}

func rarity(sessions []Outline) rarities {
	r := rarities{projects: map[string]*tally{}, all: *newTally(), names: map[string]map[string]bool{}}
	stretches := stretchesOf(sessions)
	for _, session := range sessions {
		project := session.Project.ID
		if r.projects[project] == nil {
			r.projects[project] = newTally()
		}
		keys := allKeys(session)
		r.projects[project].add(keys, stretches[session.SessionKey])
		r.all.add(keys, stretches[session.SessionKey])
		for _, file := range session.Files {
			name := path.Base(file)
			if r.names[name] == nil {
				r.names[name] = map[string]bool{}
			}
			r.names[name][project] = true
		}
	}
	return r
}

// trunks are the branches on which work of every kind is done.
var trunks = map[string]bool{"main": true, "master": true, "HEAD": true, "trunk": true, "develop": true, "dev": true}

// isRare says that a key says something of the work: few sessions of the project have
// it. A file that other projects have too, by its name, is one that every kind of work
// changes; a word that is used elsewhere is no word of this work.
func (r rarities) isRare(project, key string) bool {
	own := r.projects[project]
	n := own.keys[key]
	branch, is := strings.CutPrefix(key, branchKey)
	if name, named := strings.CutPrefix(key, nameKey); named && own.keys[branchKey+name] > 0 {
		branch, is = name, true
	}
	if is {
		return !trunks[branch] && (own.sessions < 3*fewSessions || 2*n <= own.sessions)
	}
	if strings.HasPrefix(key, askedKey) {
		return true // the same sentence is asked again
	}
	if file, is := strings.CutPrefix(key, fileKey); is && len(r.names[path.Base(file)]) > 1 {
		return false
	}
	if strings.HasPrefix(key, wordKey) && (r.all.keys[key]-n)*fewOthers > r.all.sessions-own.sessions {
		return false
	}
	return n <= max(fewSessions, own.sessions/fewShare) || len(own.stretches[key]) == 1
}
