package files

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Named files are those that the session saw by name and did not open: they
// are where a handoff can tell more than the list of files touched.
//
//   - A mention counts by who made it: the agent and the person most, then
//     plans and steps, failing runs, the agent's own commands, a subagent's
//     report; output of searches, checks and other commands less, listings and
//     the text of other files least.
//   - Mentions fade with the calls made since, in two speeds: what was named a
//     moment ago comes next, what was named often stays near. One of many
//     names in a text weighs less.
//   - A file that was opened, generated files, and files outside the project
//     do not count. A bare file name counts in prose; in a listing it is joined
//     to the folder that was listed.
//   - A name that only a listing shows, or the text of another file, counts where a
//     file beside it was changed, and everywhere as long as none was.
//   - A name that only the agent gives does not count where the folder was
//     listed without it, nor one that is the end of an address.
type Named struct {
	byPath  map[string]*namedFile
	gone    []string          // not there, files and folders, as far as was seen
	removed []string          // of them, files that were there before this session
	folders map[string]folder // those that were listed whole
	bases   bases             // the names that results showed, whatever the folder
	remote  []string          // files of other hosts, by their addresses
	fetched []string          // files that a forge was asked for
	prior   []distiller.Named
	calls   int
}

type namedFile struct {
	path  string
	why   string
	best  float64
	quick float64 // score with a half-life of quickLife calls, as of call at
	slow  float64 // the same with slowLife
	at    int
	src   distiller.Source
	shown bool // a result or the person named it, and not the agent alone
	other bool // something else than a listing or the text of a file named it
	given bool // a command was given it that may have made it
}

const (
	maxNamed   = 600
	shownNamed = 50
	quickLife  = 10.0
	slowLife   = 120.0
	least      = 0.25 // score below which a mention says nothing any more
	crowd      = 6    // names one text may hold before each weighs less
	perText    = 60   // names taken from one text
)

// mention is a way of being named: what it weighs and what it is called.
type mention struct {
	weight float64
	why    string
}

var (
	byUser      = mention{5, "named by the user"}
	byAgent     = mention{6, "named by the agent"}
	inPlan      = mention{6, "in the plan"}
	inSteps     = mention{6, "in the steps"}
	inTask      = mention{4, "in a subagent's task"}
	inCommand   = mention{4, "in a command"}
	inFailure   = mention{5, "in a failing run"}
	inReport    = mention{3, "in a subagent's report"}
	inSearch    = mention{2, "found by a search"}
	inOutput    = mention{2, "in command output"}
	inGit       = mention{1, "in git output"}
	inText      = mention{1, "in a file"}
	inListing   = mention{2, "in a listing"}
	inStandings = mention{1, "in an instruction"}
)

// Carry takes over what the session that this one continues named.
func (n *Named) Carry(prior []distiller.Named) { n.prior = prior }

// Add takes one more event.
func (n *Named) Add(e *timeline.Event) {
	n.calls = e.Calls
	switch e.Kind {
	case transcript.Prompt:
		switch {
		case e.Subagent:
			n.scan(e, prose.Clip(e.Text, 8000), inTask, true)
		case timeline.OwnWords(e.Located), e.Wording.Slash:
			n.scan(e, prose.Clip(e.Text, 8000), byUser, true)
		default:
			n.scan(e, prose.Clip(e.Text, 8000), inStandings, true)
		}
	case transcript.Call:
		n.called(e)
	case transcript.Reply:
		if !e.Subagent {
			n.scan(e, e.Text, byAgent, true)
		}
	case transcript.Plan:
		n.scan(e, prose.Clip(e.Text, 8000), inPlan, true)
	case transcript.Todo:
		for _, item := range e.Items {
			if item.State != "done" {
				n.scan(e, item.Text, inSteps, true)
			}
		}
	case transcript.Result:
		n.result(e)
	}
}

// called reads what the agent wrote into a call.
func (n *Named) called(e *timeline.Event) {
	if e.Subagent || e.Call == nil {
		return
	}
	switch e.Call.Meaning {
	case transcript.Todos, transcript.Planning, transcript.Subagent:
		n.scan(e, prose.Clip(e.Call.Detail, 8000), inSteps, true)
	case transcript.Shell:
		n.scan(e, patterns.ReplaceAllString(prose.Clip(e.Call.Command, 2000), " "), inCommand, true)
	}
}

func (n *Named) result(e *timeline.Event) {
	c := e.ToolCall
	if c == nil || c.Subagent || e.Result == nil {
		return
	}
	if dir, only, ok := listed(c); ok {
		n.listing(e, dir, only)
	}
	n.fetches(e)
	if showsPatterns(c) {
		return
	}
	n.scan(e, wholeLines(prose.Excerpt(e.Result.Text)), mentionIn(e), false)
	n.missing(e)
}

// patterns are what a command looks for by name: such a file may not exist.
var patterns = lazyregexp.New(`(?:-i?(?:name|path)|--(?:include|exclude|glob)[ =]|-g) ?\S+`)

// torn is what is left of two lines where the middle of a long output was left
// out (see ledger.Prepare): paths there are halves.
var torn = lazyregexp.New(`[^\n]*\n\[… \d+ bytes left out\]\n[^\n]*`)

func wholeLines(text string) string {
	if !strings.Contains(text, "bytes left out]") {
		return text
	}
	return torn.ReplaceAllString(text, "")
}

// mentionIn says how a result names files.
func mentionIn(e *timeline.Event) mention {
	c := e.ToolCall
	switch {
	case timeline.Failed(e):
		return inFailure
	case c.Info.Meaning == transcript.Subagent:
		return inReport
	case strings.HasPrefix(c.Family, "git "):
		return inGit
	case timeline.Edits(c.Info.Meaning), c.Info.Meaning == transcript.Read:
		return inText
	case c.Info.Meaning == transcript.Search, shell.Probes[c.Family]:
		return inSearch
	}
	return inOutput
}

// scan finds the files a text names. Bare names count in prose only.
func (n *Named) scan(e *timeline.Event, text string, m mention, prose bool) {
	var found []string
	text = output.StripANSI(text)
	n.addresses(text)
	paths.Each(text, func(p string, at int) {
		if !prose {
			n.bases.add(path.Base(p))
		}
		if len(found) >= perText || paths.Generated(p) || bundled(p) || isExample(p) || !strings.Contains(p, "/") && (!prose || isKey(text, p, at)) {
			return
		}
		if p = e.Paths.Rel(p, ""); p != "" && paths.Inside(p) && !slices.Contains(found, p) {
			found = append(found, p)
		}
	})
	n.mention(e, found, m)
}

// mention counts the names of one text.
func (n *Named) mention(e *timeline.Event, found []string, m mention) {
	weight := m.weight / math.Sqrt(max(1, float64(len(found))/crowd))
	for _, p := range found {
		if n.isGone(p, m) {
			continue
		}
		f := n.byPath[p]
		if f == nil {
			if n.byPath == nil {
				n.byPath = map[string]*namedFile{}
			}
			if len(n.byPath) >= maxNamed {
				n.forget()
			}
			f = &namedFile{path: p}
			n.byPath[p] = f
		}
		f.shown = f.shown || evident[m]
		f.other = f.other || m != inListing && m != inText
		f.given = f.given || m == inCommand && makesFiles(e.ToolCall)
		f.quick, f.slow = f.fade(e.Calls)
		f.quick, f.slow, f.at = f.quick+weight, f.slow+weight, e.Calls
		if weight >= f.best {
			f.best, f.why, f.src = weight, m.why, e.Source
		}
	}
}

// fade is what the two scores have come down to.
func (f *namedFile) fade(calls int) (quick, slow float64) {
	age := float64(calls - f.at)
	return f.quick * math.Exp2(-age/quickLife), f.slow * math.Exp2(-age/slowLife)
}

func (f *namedFile) score(calls int) float64 {
	quick, slow := f.fade(calls)
	return (quick + slow) / 2
}

// scored is a file with its score as of now.
type scored struct {
	*namedFile

	now float64
}

func (n *Named) ranked() []scored {
	list := make([]scored, 0, len(n.byPath))
	for _, f := range n.byPath {
		list = append(list, scored{f, f.score(n.calls)})
	}
	slices.SortFunc(list, func(a, b scored) int {
		if d := cmp.Compare(b.now, a.now); d != 0 {
			return d
		}
		return cmp.Compare(a.path, b.path)
	})
	return list
}

func (n *Named) forget() {
	for _, f := range n.ranked()[maxNamed*3/4:] {
		delete(n.byPath, f.path)
	}
}

// Facts are the files named and not among those shown as touched, best first: never opened, or
// read so long ago that others stand before them. One that only a listing or the text of a file
// named is listed where a file beside it was changed, or where none was yet.
func (n *Named) Facts(files *Touched, shown []distiller.File) []distiller.Named {
	var out []distiller.Named
	work := files.folders()
	for _, f := range n.ranked() {
		if f.now < least || len(out) == shownNamed || !f.other && len(work) > 0 && !work[path.Dir(f.path)] || files.opened(f.path, f.at, shown) || isNamed(out, f.path) || !n.mayBeThere(f.namedFile) {
			continue
		}
		out = append(out, distiller.Named{Path: f.path, Why: f.why, Read: files.Known(f.path) != nil, Source: f.src})
	}
	for _, p := range n.prior {
		if len(out) < shownNamed && files.Known(p.Path) == nil && n.byPath[p.Path] == nil {
			out = append(out, p)
		}
	}
	return out
}

func isNamed(list []distiller.Named, p string) bool {
	return slices.ContainsFunc(list, func(k distiller.Named) bool {
		return k.Path == p || strings.HasSuffix(k.Path, "/"+p) || strings.HasSuffix(p, "/"+k.Path)
	})
}
