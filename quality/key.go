package quality

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// How many calls after the cut count as "next", by question asked.
const (
	nextTouched = 30
	nextEdits   = 20
	farEdits    = 50
	recentFails = 40 // calls before the cut in which a failure may be the last one
)

// Key is what a handoff at a cut should have said.
type Key struct {
	Touched   []string // files read or changed in the next 30 calls, in order
	Edited20  []string // changed in the next 20 calls
	Edited50  []string // changed in the next 50 calls
	First     action   // first edit, command or test after the cut
	Seen      []string // files touched before the cut, oldest first
	SeenEdits []string // those that were changed
	Deleted   []string // deleted before the cut and not written again
	Universe  []string // all files touched anywhere
	Open      []failing
	Solved    []failing
	Decided   []string // answers, chosen options, plan topics, words with which the user turned a call down
	Prompts   []string // what the user typed before the cut
	Next      string   // the next prompt of more than a few words
	Done      []string // steps that the last todo list before the cut calls done
	Calls     int      // before the cut
}

// action is a call by what it is about.
type action struct{ path, command string }

// failing is a call that failed: its command or file, and the error.
type failing struct {
	what, why string
	again     bool // it fails again after the cut
}

// KeyOf reads the answer key of a cut.
func KeyOf(c *Checkpoint) *Key {
	k := &Key{}
	pl := newCallPaths(c.Session.Events)
	all := slices.Concat(c.Before, c.After)
	for i := range all {
		for _, f := range pl.files(&all[i]) {
			k.Universe = move(k.Universe, f.path)
		}
	}
	k.readBefore(c, pl)
	k.readAfter(c, pl)
	return k
}

// Worth says whether a cut has enough on both sides to be scored.
func (k *Key) Worth() bool { return k.Calls >= minBefore && len(k.Touched) >= minNextFiles }

func (k *Key) readBefore(c *Checkpoint, pl *callPaths) {
	for i := range c.Before {
		e := &c.Before[i]
		if e.Withdrawn {
			continue
		}
		if mainCall(e) {
			k.Calls++
		}
		for _, f := range pl.files(e) {
			k.Seen = move(k.Seen, f.path)
			k.Deleted = slices.DeleteFunc(k.Deleted, func(p string) bool { return p == f.path })
			switch {
			case f.meaning == transcript.Delete:
				k.Deleted = append(k.Deleted, f.path)
			case f.meaning != transcript.Read:
				k.SeenEdits = move(k.SeenEdits, f.path)
			}
		}
		k.readWords(e)
	}
	k.Open, k.Solved = failures(c)
}

func (k *Key) readWords(e *transcript.Located) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Prompt:
		if e.Origin == transcript.Typed || e.Origin == transcript.Queued {
			k.Prompts = append(k.Prompts, e.Text)
		}
	case transcript.Decided:
		if e.Decision != nil && e.Decision.Kind != "plan" {
			k.Decided = append(k.Decided, e.Decision.Chosen...)
		}
	case transcript.Todo:
		k.Done = nil
		for _, item := range e.Items {
			if item.State == "done" {
				k.Done = append(k.Done, item.Text)
			}
		}
	}
}

func (k *Key) readAfter(c *Checkpoint, pl *callPaths) {
	calls := 0
	for i := range c.After {
		e := &c.After[i]
		if e.Withdrawn || e.Subagent {
			continue
		}
		if e.Kind == transcript.Prompt && k.Next == "" && e.Origin != transcript.Machine && e.Origin != transcript.Injected && len(strings.Fields(e.Text)) > 5 {
			k.Next = e.Text
		}
		if !mainCall(e) {
			continue
		}
		calls++
		files := pl.files(e)
		k.next(files, calls)
		if k.First == (action{}) && calls <= nextTouched {
			k.First = firstAction(e.Call, files)
		}
	}
}

// next adds the files of a call, the n-th after the cut.
func (k *Key) next(files []touched, n int) {
	for _, f := range files {
		k.Touched = within(k.Touched, f.path, n <= nextTouched)
		if f.meaning != transcript.Read {
			k.Edited20 = within(k.Edited20, f.path, n <= nextEdits)
			k.Edited50 = within(k.Edited50, f.path, n <= farEdits)
		}
	}
}

func within(list []string, p string, yes bool) []string {
	if !yes || slices.Contains(list, p) {
		return list
	}
	return append(list, p)
}

// firstAction is a call that does something, not one that only looks.
func firstAction(c *transcript.CallInfo, files []touched) action {
	switch {
	case c.Command != "" && !looksAround(c.Command):
		return action{command: c.Command}
	case len(files) > 0 && files[0].meaning != transcript.Read:
		return action{path: files[0].path}
	}
	return action{}
}

// looking are commands that only look.
var looking = regexp.MustCompile(`^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?(?:ls|cat|head|tail|sed -n|nl|grep|rg|find|tree|pwd|wc|echo|which|git (?:status|log|diff|show|branch|rev-parse|remote))\b`)

func looksAround(command string) bool { return looking.MatchString(command) }

// failures are the calls before the cut that failed: those of the last forty
// calls that nothing made good, at most three, newest first, and all those
// that the same command or an edit of the same file made good.
func failures(c *Checkpoint) (open, solved []failing) {
	type outcome struct {
		failing
		bad, everBad bool
		call         int
	}
	calls, order, byKey, keyOf := 0, []string{}, map[string]*outcome{}, map[string]string{}
	started := map[string]int{}
	for i := range c.Before {
		e := &c.Before[i]
		if mainCall(e) {
			calls++
			given := e.Origin == transcript.Typed && e.Call.Meaning == transcript.Read // the person gave the file to read
			if !onlyLooks(e.Call) && !given {
				keyOf[e.Call.ID], started[e.Call.ID] = callKey(e.Call), calls
			}
		}
		if e.Kind != transcript.Result || e.Result == nil || e.Subagent || e.Withdrawn || e.Result.Outcome != "" {
			continue
		}
		key := keyOf[e.Result.CallID]
		if key == "" {
			continue
		}
		o := byKey[key]
		if o == nil {
			o = &outcome{}
			byKey[key] = o
			order = append(order, key)
		}
		o.bad, o.call = isFailure(e.Result), started[e.Result.CallID]
		if o.bad {
			o.everBad, o.what, o.why = true, key, errorLine(e.Result.Text)
			order = move(order, key)
		}
	}
	again := failsAgain(c.After)
	for _, key := range slices.Backward(order) {
		o := byKey[key]
		switch {
		case !o.everBad:
		case !o.bad:
			solved = append(solved, o.failing)
		case calls-o.call < recentFails && len(open) < 3:
			o.again = again[key]
			open = append(open, o.failing)
		}
	}
	return open, solved
}

func failsAgain(after []transcript.Located) map[string]bool {
	out, keyOf := map[string]bool{}, map[string]string{}
	for i := range after {
		e := &after[i]
		if mainCall(e) {
			keyOf[e.Call.ID] = callKey(e.Call)
		}
		if e.Kind == transcript.Result && e.Result != nil && e.Result.Outcome == "" && isFailure(e.Result) {
			out[keyOf[e.Result.CallID]] = true
		}
	}
	return out
}

func callKey(c *transcript.CallInfo) string {
	switch {
	case c.Command != "":
		return strings.Join(strings.Fields(c.Command), " ")
	case len(c.Paths) > 0:
		return c.Name + " " + c.Paths[0]
	}
	return ""
}

var loud = regexp.MustCompile(`(?m)^(?:FAIL|Error:|error(?:\[|:)|panic:)`)

// onlyLooks says that a call changes nothing and examines nothing: that it
// failed is its answer. Quotes and here documents are data; what writes to a file
// is no look.
func onlyLooks(c *transcript.CallInfo) bool {
	if c.Command == "" {
		return c.Meaning == transcript.Search
	}
	text := hereDoc.ReplaceAllString(c.Command, " ")
	text = quoted.ReplaceAllString(redirected.ReplaceAllString(text, " "), "Q")
	parts := slices.DeleteFunc(separator.Split(text, -1), func(p string) bool { return strings.TrimSpace(p) == "" })
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool {
		return strings.Contains(p, ">") || !lookUp.MatchString(strings.TrimSpace(p))
	})
}

var (
	hereDoc    = regexp.MustCompile(`(?s)<<-?\s*['"]?\w+['"]?.*`)
	redirected = regexp.MustCompile(`\d?>&\d|\d?>{1,2}\s*/dev/null|\\\n`)
	quoted     = regexp.MustCompile(`'[^']*'|"(?:[^"\\]|\\.)*"`)
	separator  = regexp.MustCompile(`\|\||&&|[;&|\n]`)
	lookUp     = regexp.MustCompile(`^(?:!\s*|\w+=\S*\s+)*(?:ls|cat|which|type|command -v|[ef]?grep|rg|ag|find|fd|head|tail|wc|stat|test|\[\[?|diff|cd|pwd|echo|printf|true|sleep|sort|uniq|` +
		`git (?:-C \S+ )?(?:diff --(?:quiet|exit-code)|grep|status|log|show|remote|branch|rev-parse|check-ignore|merge-base|config --get))(?:\s|$)`)
)

func isFailure(r *transcript.ResultInfo) bool {
	return r.Failed || r.ExitCode != nil && *r.ExitCode != 0 || loud.MatchString(r.Text)
}

var (
	ansi  = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	wrong = regexp.MustCompile(`(?i)error|fail|panic|undefined|cannot|not found|no such|denied|exception|expected`)
)

// errorLine is the first line that speaks of an error, else the first.
func errorLine(text string) string {
	first := ""
	for line := range strings.Lines(ansi.ReplaceAllString(text, "")) {
		line = strings.TrimSpace(line)
		if len(line) < 9 {
			continue
		}
		if wrong.MatchString(line) {
			return line
		}
		if first == "" {
			first = line
		}
	}
	return first
}

// move puts a value at the end of a list without repeating it.
func move(list []string, v string) []string {
	if i := slices.Index(list, v); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	return append(list, v)
}

// touched is a file a call was about.
type touched struct {
	path    string
	meaning transcript.Meaning
}

// callPaths knows where the agent stood and what calls came to.
type callPaths struct {
	root string
	bad  map[string]bool // calls that failed, were refused or cancelled
}

func newCallPaths(events []transcript.Located) *callPaths {
	pl := &callPaths{bad: map[string]bool{}}
	for i := range events {
		e := &events[i]
		if pl.root == "" && e.WorkDir != nil && e.WorkDir.Cwd != "" {
			pl.root = strings.TrimSuffix(strings.ReplaceAll(e.WorkDir.Cwd, `\`, "/"), "/")
		}
		if r := e.Result; r != nil && (r.Failed || r.Outcome != "") {
			pl.bad[r.CallID] = true
		}
	}
	return pl
}

// shellReads are the ways agents without a reading tool read a file.
var shellReads = regexp.MustCompile(`\b(?:cat|nl|head|tail|less|sed -n ['"]?[0-9,$p]+['"]?|nl -ba)\s+(?:-\w+\s+)*([\w./@+-]+\.\w{1,6})`)

// files are the files a call of the main agent was about.
func (pl *callPaths) files(e *transcript.Located) []touched {
	if !mainCall(e) || pl.bad[e.Call.ID] {
		return nil
	}
	var out []touched
	switch m := e.Call.Meaning; m {
	case transcript.Edit, transcript.Write, transcript.Delete, transcript.Read:
		for _, p := range e.Call.Paths {
			out = append(out, touched{pl.rel(p), m})
		}
	case transcript.Shell:
		for _, m := range shellReads.FindAllStringSubmatch(e.Call.Command, -1) {
			out = append(out, touched{pl.rel(m[1]), transcript.Read})
		}
	}
	return slices.DeleteFunc(out, func(t touched) bool { return t.path == "" })
}

func (pl *callPaths) rel(p string) string {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	if rest, ok := strings.CutPrefix(p, pl.root+"/"); ok && pl.root != "" {
		return rest
	}
	return p
}
