package extract

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Named files are those that the session saw by name and did not open: they
// are where a handoff can tell more than the list of files touched.
//
//   - They come from what the person and the agent say, from failing runs
//     (traces, compiler errors), from git status and diff, from searches and
//     listings, in this order of worth; many names in one output weigh less
//     each.
//   - A file that was opened, generated files, and files outside the project
//     do not count. A bare file name counts in prose only.
type namedRules struct {
	byPath map[string]*namedFile
	prior  []distiller.Named
}

type namedFile struct {
	path  string
	why   string
	best  float64
	score float64
	seq   int
	src   distiller.Source
}

const (
	maxNamed   = 400
	shownNamed = 20
	halfLife   = 60.0 // events after which a mention counts half
)

func (n *namedRules) carry(prior []distiller.Named) { n.prior = prior }

func (n *namedRules) add(e *event) {
	switch e.Kind {
	case transcript.Prompt:
		switch {
		case e.Subagent:
		case ownWords(e.Located), e.req.slash:
			n.scan(e, clip(e.Text, 8000), 5, "named by the user", true)
		default:
			n.scan(e, clip(e.Text, 8000), 2, "in an instruction", true)
		}
	case transcript.Call:
		if !e.Subagent && e.Call != nil && e.Call.Detail != "" && (e.Call.Meaning == transcript.Todos || e.Call.Meaning == transcript.Planning || e.Call.Meaning == transcript.Subagent) {
			n.scan(e, clip(e.Call.Detail, 8000), 3, "in the steps", true)
		}
	case transcript.Reply:
		if !e.Subagent {
			n.scan(e, e.Text, 3, "named by the agent", true)
		}
	case transcript.Plan:
		n.scan(e, clip(e.Text, 8000), 3, "in the plan", true)
	case transcript.Todo:
		for _, item := range e.Items {
			if item.State != "done" {
				n.scan(e, item.Text, 3, "in the steps", true)
			}
		}
	case transcript.Result:
		n.result(e)
	}
}

func (n *namedRules) result(e *event) {
	c := e.call
	if c == nil || c.subagent || e.Result == nil {
		return
	}
	weight, why := 0.0, ""
	switch {
	case failed(e) || isTest(c.family) && e.test.failed:
		weight, why = 5, "in a failing run"
	case c.info.Meaning == transcript.Subagent:
		weight, why = 3, "in a subagent's report"
	case strings.HasPrefix(c.family, "git "):
		weight, why = 4, "in git output"
	case c.info.Meaning == transcript.Search, probes[c.family]:
		weight, why = 2, "found by a search"
	case isCheck(c.family):
		weight, why = 3, "in check output"
	case edits(c.info.Meaning), c.info.Meaning == transcript.Read:
		return // what a file says about other files is seldom what comes next
	default:
		weight, why = 2, "in command output"
	}
	n.scan(e, excerpt(e.Result.Text), weight, why, false)
}

// built are the names a bundler gives.
var built = regexp.MustCompile(`(?:^|/)(?:chunks|_next|coverage)/|[-.][A-Za-z0-9_-]{8,}\.(?:js|css|map)$`)

// crowd is how many names one text may hold before each weighs less.
const crowd = 12

func (n *namedRules) scan(e *event, text string, weight float64, why string, prose bool) {
	var found []string
	pathsIn(stripANSI(text), func(p string, _ int) {
		if len(found) >= 60 || generated(p) || built.MatchString(p) || strings.Contains(p, ")") || !prose && !strings.Contains(p, "/") {
			return
		}
		if p = e.place.rel(p, ""); p != "" && inside(p) && !slices.Contains(found, p) {
			found = append(found, p)
		}
	})
	if len(found) > crowd {
		weight *= float64(crowd) / float64(len(found))
	}
	for _, p := range found {
		n.mention(e, p, weight, why)
	}
}

func (n *namedRules) mention(e *event, p string, weight float64, why string) {
	if n.byPath == nil {
		n.byPath = map[string]*namedFile{}
	}
	f := n.byPath[p]
	if f == nil {
		if len(n.byPath) >= maxNamed {
			n.forget(e.seq)
		}
		f = &namedFile{path: p}
		n.byPath[p] = f
	}
	f.score = f.at(e.seq) + weight
	f.seq = e.seq
	if weight >= f.best {
		f.best, f.why, f.src = weight, why, e.src
	}
}

// at is the score as of an event: mentions fade.
func (f *namedFile) at(seq int) float64 {
	return f.score / (1 + float64(seq-f.seq)/halfLife)
}

func (n *namedRules) ranked(seq int) []*namedFile {
	list := make([]*namedFile, 0, len(n.byPath))
	for _, f := range n.byPath {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *namedFile) int {
		return cmp.Or(cmp.Compare(b.at(seq), a.at(seq)), cmp.Compare(a.path, b.path))
	})
	return list
}

func (n *namedRules) forget(seq int) {
	for _, f := range n.ranked(seq)[maxNamed*3/4:] {
		delete(n.byPath, f.path)
	}
}

func (n *namedRules) facts(s *State) []distiller.Named {
	var out []distiller.Named
	for _, f := range n.ranked(s.seq) {
		if len(out) == shownNamed || f.at(s.seq) < 0.3 {
			break
		}
		if s.files.known(f.path) != nil || !strings.Contains(f.path, "/") && s.files.byBase[path.Base(f.path)] > 0 {
			continue
		}
		if slices.ContainsFunc(out, func(k distiller.Named) bool {
			return strings.HasSuffix(k.Path, "/"+f.path) || strings.HasSuffix(f.path, "/"+k.Path)
		}) {
			continue
		}
		out = append(out, distiller.Named{Path: f.path, Why: f.why, Source: f.src})
	}
	for _, p := range n.prior {
		if len(out) < shownNamed && s.files.known(p.Path) == nil && n.byPath[p.Path] == nil {
			out = append(out, p)
		}
	}
	return out
}
