package quality

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Scores of one text at one cut. A share of nothing is absent.
type Scores map[string]float64

// Columns of the table, in order; docs/quality.md says what each is. All but
// lines and chars are shares.
var Columns = []string{
	"files", "unseen", "edit20", "edit50", "precision", "first",
	"open", "solved-open", "again", "decided", "task", "nudge", "lost", "stale", "lines", "chars",
}

// Score holds a text against a key. lost are the exact artefacts that the
// tool's own summary leaves out (see Lost), nil where there is no summary.
func Score(text string, k *Key, lost []string) Scores {
	s, t := Scores{}, newText(text, k.Universe)
	unseen := minus(k.Touched, k.Seen)
	s.share("files", count(k.Touched, t.names), len(k.Touched))
	s.share("unseen", count(unseen, t.names), len(unseen))
	s.share("edit20", count(k.Edited20, t.names), len(k.Edited20))
	s.share("edit50", count(k.Edited50, t.names), len(k.Edited50))
	all := t.paths()
	s.share("precision", count(all, func(p string) bool {
		return slices.ContainsFunc(k.Touched, func(n string) bool { return sameFile(p, n) })
	}), len(all))
	if k.First != (action{}) {
		s["first"] = is(k.First.path != "" && t.names(k.First.path) || k.First.command != "" && t.command(k.First.command))
	}
	s.failures(t, k)
	s.share("decided", count(k.Decided, t.says), len(k.Decided))
	if k.Next != "" {
		want := words(k.Next)
		s.share("task", count(want, t.has), len(want))
	}
	if task := t.section("Task"); task != "" {
		s["nudge"] = is(notATask(task))
	}
	s.share("lost", count(lost, t.says), len(lost))
	s.stale(t, k)
	s["lines"], s["chars"] = float64(strings.Count(text, "\n")), float64(utf8.RuneCountInString(text))
	return s
}

func (s Scores) failures(t *text, k *Key) {
	s.share("open", count(k.Open, t.carries), len(k.Open))
	bad := t.openLines()
	s.share("solved-open", count(k.Solved, func(f failing) bool {
		return slices.ContainsFunc(bad, func(l string) bool { return strings.Contains(l, prefix(fold(f.what), 40)) })
	}), len(k.Solved))
	repeat := slices.DeleteFunc(slices.Clone(k.Open), func(f failing) bool { return !f.again })
	s.share("again", count(repeat, t.carries), len(repeat))
}

// stale counts the lines that something before the cut had already overtaken:
// a file shown as changed that was deleted since, a failure shown as open
// whose command worked since, a step shown as to do that the last list calls
// done.
func (s Scores) stale(t *text, k *Key) {
	n := 0
	for _, l := range t.lines {
		low := fold(l)
		switch {
		case slices.ContainsFunc(k.Deleted, func(p string) bool {
			return strings.Contains(l, p+": edited") || strings.Contains(l, p+": written")
		}),
			slices.ContainsFunc(k.Done, func(d string) bool {
				return (strings.HasPrefix(low, "- todo: ") || strings.HasPrefix(low, "- doing: ")) && strings.Contains(low, fold(d))
			}):
			n++
		}
	}
	for _, l := range t.openLines() {
		if slices.ContainsFunc(k.Solved, func(f failing) bool { return strings.Contains(l, prefix(fold(f.what), 60)) }) {
			n++
		}
	}
	s.share("stale", n, len(t.lines))
}

func (s Scores) share(name string, n, of int) {
	if of > 0 {
		s[name] = float64(n) / float64(of)
	}
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func count[T any](list []T, ok func(T) bool) int {
	n := 0
	for _, v := range list {
		if ok(v) {
			n++
		}
	}
	return n
}

func minus(list, without []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(v string) bool { return slices.Contains(without, v) })
}

// text is a handoff or a summary, ready to be asked.
type text struct {
	raw    string
	folded string
	lines  []string
	words  map[string]bool
	bases  map[string]int
}

func newText(raw string, universe []string) *text {
	t := &text{raw: raw, folded: fold(raw), words: map[string]bool{}, bases: map[string]int{}}
	for line := range strings.Lines(raw) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			t.lines = append(t.lines, line)
		}
	}
	for _, w := range words(raw) {
		t.words[w] = true
	}
	for _, p := range universe {
		t.bases[path.Base(p)]++
	}
	return t
}

// fold makes two writings of one text the same: case, space, quotes.
func fold(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("`", "", `"`, "", "'", "", "“", "", "”", "").Replace(strings.ToLower(s))), " ")
}

func prefix(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// names says whether a file is named: by its path, by its last two parts, or
// by its base name where no other file of the session has it.
func (t *text) names(p string) bool {
	forms := []string{p}
	if parts := strings.Split(p, "/"); len(parts) > 2 {
		forms = append(forms, strings.Join(parts[len(parts)-2:], "/"))
	}
	if base := path.Base(p); t.bases[base] <= 1 {
		forms = append(forms, base)
	}
	return slices.ContainsFunc(forms, func(f string) bool { return len(f) > 3 && standsIn(t.raw, f) })
}

// standsIn finds a name that is not part of a longer one.
func standsIn(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(name)
		if (i == 0 || !nameByte(text[i-1], true)) && (end == len(text) || !nameByte(text[end], false)) {
			return true
		}
		at = i + 1
	}
}

func nameByte(c byte, before bool) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || before && c == '.'
}

// filePath finds what looks like a file in any text.
var filePath = regexp.MustCompile(`(?:[\w@+.~\[\]-]*/)*[\w@+\[-][\w@+.\[\]-]*\.(?:go|pyi?|rs|tsx?|jsx?|mjs|cjs|java|kts?|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|bash|sql|proto|graphql|mdx?|rst|txt|json|ya?ml|toml|ini|cfg|xml|html|s?css|vue|svelte|lua|exs?|tf|csv|templ)\b`)

// paths are all files the text names, each once.
func (t *text) paths() []string {
	var out []string
	for _, p := range filePath.FindAllString(t.raw, -1) {
		if !slices.ContainsFunc(out, func(o string) bool { return sameFile(o, p) }) && !strings.Contains(p, ".carryover/") {
			out = append(out, p)
		}
	}
	return out
}

func sameFile(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

func (t *text) says(s string) bool { return s != "" && strings.Contains(t.folded, fold(s)) }

func (t *text) has(word string) bool { return t.words[word] }

func (t *text) command(c string) bool {
	key := fold(c)
	return len(key) > 8 && strings.Contains(t.folded, prefix(key, 30))
}

// carries says whether a failure is listed: by its command, or by most of the
// words of its error.
func (t *text) carries(f failing) bool {
	if t.command(prefix(fold(f.what), 40)) {
		return true
	}
	w := words(f.why)
	return len(w) > 0 && float64(count(w, t.has)) >= .6*float64(len(w))
}

// section is the text under a heading of the handoff.
func (t *text) section(title string) string {
	_, after, ok := strings.Cut(t.raw, "\n## "+title+"\n")
	if !ok {
		return ""
	}
	body, _, _ := strings.Cut(after, "\n## ")
	return body
}

var over = regexp.MustCompile(`(?i)\b(?:solved|fixed|resolved|pass(?:es|ed)|worked|abandoned|harmless)\b`)

// openLines are the failures a handoff shows as open.
func (t *text) openLines() []string {
	var out []string
	for line := range strings.Lines(t.section("Failed approaches")) {
		if !over.MatchString(line) {
			out = append(out, fold(line))
		}
	}
	return out
}

var (
	word   = regexp.MustCompile(`[\p{L}_][\p{L}\p{N}_./-]{3,}`)
	common = regexp.MustCompile(`^(?:this|that|with|from|have|will|would|could|should|what|when|where|which|there|their|then|than|them|they|your|into|please|make|sure|also|need|want|just|like|some|more|about|only|been|were|does|done|using)$`)
)

// words are the content words of a text, each once.
func words(s string) []string {
	var out []string
	for _, w := range word.FindAllString(strings.ToLower(prefix(s, 4000)), -1) {
		if w = strings.TrimRight(w, "./-"); len(w) > 3 && !common.MatchString(w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

var (
	nudge   = regexp.MustCompile(`(?i)^\W*(?:yes|y|yep|ok|okay|ok do it|do it|go|go on|go ahead|continue|proceed|sure|thanks|next|weiter|devam|계속|继续)\W*$`)
	machine = regexp.MustCompile(`(?i)<(?:local-command|command-name|command-message|bash-(?:in|std)|system-reminder|environment_context|recommended_plugins|task-notification|user-prompt-submit-hook|ide_)|^\W?caveat:|this session is being continued|\[request interrupted|\[carryover\]|^\W?/[a-z][\w-]*(?:\s|$)`)
)

// notATask says that a task is a nudge, a slash command or a tool's markup.
func notATask(task string) bool {
	task = strings.TrimSpace(task)
	if turn, rest, _ := strings.Cut(task, "\n"); strings.HasPrefix(turn, "Turn: ") {
		task = strings.TrimSpace(rest)
	}
	first, _, _ := strings.Cut(task, "\n")
	return nudge.MatchString(first) || machine.MatchString(task)
}

// Lost are the exact artefacts before a cut that a summary leaves out: changed
// files, and the commands of failures nobody made good.
func Lost(summary string, k *Key) []string {
	if summary == "" {
		return nil
	}
	t := newText(summary, k.Universe)
	var out []string
	for _, p := range k.SeenEdits[max(0, len(k.SeenEdits)-20):] {
		if !t.names(p) {
			out = append(out, path.Base(p))
		}
	}
	for _, f := range k.Open {
		if !t.carries(f) {
			out = append(out, prefix(f.what, 60))
		}
	}
	return out
}
