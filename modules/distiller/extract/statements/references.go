package statements

import (
	"cmp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// References are URLs, issue numbers and documents: what the person named
// first, then what the agent named, then what a command of the session made
// (a pull request it opened). URLs in other tool output are none.
type References struct {
	list []reference
}

type reference struct {
	text   string
	weight int
	count  int
	seq    int
	output bool // only a tool said it
	src    distiller.Source
}

// The weights of what a command of the session made, and of what the person named.
const (
	printedBy = 5
	named     = 4
)

const (
	maxReferences   = 60
	shownReferences = 8
	longPrompt      = 2000 // bytes; beyond, a prompt holds a paste
)

var (
	urlPattern   = lazyregexp.New(`https?://[^\s<>"'` + "`" + `)\]}|\\]+`)
	issuePattern = lazyregexp.New(`(?:^|[\s(])(#\d{1,6}|[A-Z][A-Z0-9]{1,9}-\d{1,6})(\.\d)?\b`) // with a point the number is a version, as in "CC0-1.0"
	hexColour    = lazyregexp.New(`#[0-9a-f]{0,5}[a-f][0-9a-f]{0,5}[;"',)]`)
	ownURL       = lazyregexp.New(`"url": ?"(https://[^"\s]+/pull/\d+)"|(?m:^url:\s+(https://\S+/pull/\d+)$)`) // of what gh pr view shows
	docPattern   = lazyregexp.New(`@([\w./-]+\.(?:md|mdx|rst|txt|pdf|adoc|docx?))\b`)
	notTickets   = lazyregexp.New(`^#0|^(?:[AL]?GPL|MPL|BSD|UTF|SHA|ISO|RFC|CVE|HTTP|TLS|UTC|ES|MD|AES|RSA|GPT|P)-\d+$`)
)

// Carry takes over the references of the session that this one continues.
func (r *References) Carry(prior []distiller.Statement) {
	for _, p := range prior {
		r.list = append(r.list, reference{text: strings.Trim(p.Text, "`"), weight: 2, count: 1, src: p.Source})
	}
}

// Add takes one more event.
func (r *References) Add(e *timeline.Event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Prompt:
		if timeline.OwnWords(e.Located) || e.Wording.Slash {
			text := dialogue.MachineBlocks.ReplaceAllString(e.Text, "")
			if len(text) < longPrompt {
				r.scan(e, text, named)
				return
			}
			r.scan(e, e.Wording.Words, named)
			r.scan(e, prose.Clip(text, 6000), 1) // a pasted document's links are its own
		}
	case transcript.Reply:
		r.scan(e, e.Text, 2)
	case transcript.Call:
		if e.Call != nil && e.Call.Meaning == transcript.Fetch {
			r.scan(e, e.Call.Detail, 2)
		}
	case transcript.Result:
		r.printed(e)
		r.failed(e)
	}
}

// failed drops the address that a fetch found nothing at, unless the person named it.
func (r *References) failed(e *timeline.Event) {
	if c := e.ToolCall; c != nil && c.Info.Meaning == transcript.Fetch && timeline.Failed(e) {
		r.list = slices.DeleteFunc(slices.Clone(r.list), func(k reference) bool { return k.weight < named && strings.Contains(c.Info.Detail, k.text) })
	}
}

// printed keeps what gh made, or showed of the pull request that the work is about.
func (r *References) printed(e *timeline.Event) {
	if e.ToolCall == nil || !timeline.Passed(e) {
		return
	}
	if e.ToolCall.Family == "gh pr" && strings.Contains(e.ToolCall.Info.Command, "view") {
		if m := ownURL.FindStringSubmatch(prose.Excerpt(e.Result.Text)); m != nil { // what the work is about
			r.keep(e, m[1]+m[2], printedBy)
		}
	}
	if strings.HasPrefix(e.ToolCall.Family, "gh ") && prose.HasAny(e.ToolCall.Info.Command, "create", "comment", "reply") {
		for _, u := range urlPattern.FindAllString(prose.Excerpt(e.Result.Text), 2) {
			if u = trimURL(u); prose.HasAny(u, "/pull/", "/issues/", "/discussions/", "/merge_requests/") && !localURL(u) {
				r.keep(e, u, printedBy)
			}
		}
	}
}

func (r *References) scan(e *timeline.Event, text string, weight int) {
	for _, u := range urlPattern.FindAllString(text, 12) {
		if u = trimURL(u); !localURL(u) && !strings.Contains(u, "{") { // else it is a pattern of addresses
			r.keep(e, u, weight)
		}
	}
	for _, m := range issuePattern.FindAllStringSubmatch(text, 12) {
		if m[2] == "" && !notTickets.MatchString(m[1]) && (weight > 2 || len(m[1]) > 3) {
			if len(m[1]) == len("#111827") && m[1][0] == '#' && hexColour.MatchString(text) {
				continue // one colour among others
			}
			r.keep(e, m[1], weight-1)
		}
	}
	for _, m := range docPattern.FindAllStringSubmatch(text, 12) {
		r.keep(e, m[1], max(weight, 1))
	}
}

func trimURL(u string) string { return strings.TrimRight(u, ".,;:!?*") }

func localURL(u string) bool {
	return prose.HasAny(u, "://localhost", "://127.0.0.1", "://0.0.0.0", "example.com", "json-schema.org", "www.w3.org", "://api.", "://avatars.")
}

func (r *References) keep(e *timeline.Event, text string, weight int) {
	if len(text) > 200 {
		return
	}
	for i := range r.list {
		if k := &r.list[i]; k.text == text {
			k.weight, k.count, k.seq = max(k.weight, weight), k.count+1, e.Seq
			k.output = k.output && weight == printedBy
			return
		}
	}
	if len(r.list) >= maxReferences {
		r.list = r.ranked()[:maxReferences-maxReferences/4]
	}
	r.list = append(r.list, reference{text: text, weight: weight, count: 1, seq: e.Seq, output: weight == printedBy, src: e.Source})
}

// ranked lists the references best first.
func (r *References) ranked() []reference {
	list := slices.Clone(r.list)
	slices.SortStableFunc(list, func(a, b reference) int {
		return cmp.Or(cmp.Compare(b.weight+min(b.count, 3), a.weight+min(a.count, 3)), cmp.Compare(b.seq, a.seq))
	})
	return list
}

// PullRequest names the pull request that was spoken of last, "" for none.
func (r *References) PullRequest() string {
	newest := reference{}
	for _, ref := range r.list {
		if ref.seq >= newest.seq && prose.HasAny(ref.text, "/pull/", "/merge_requests/") {
			newest = ref
		}
	}
	if newest.text == "" {
		return ""
	}
	_, number, _ := strings.Cut(strings.ReplaceAll(newest.text, "/merge_requests/", "/pull/"), "/pull/")
	return "PR #" + number[:len(number)-len(strings.TrimLeft(number, "0123456789"))]
}

// Facts are the references, best first.
func (r *References) Facts() []distiller.Statement {
	var out []distiller.Statement
	for _, ref := range r.ranked() {
		if len(out) == shownReferences {
			break
		}
		// A number that a listed URL ends with says nothing new.
		if n, ok := strings.CutPrefix(ref.text, "#"); ok && slices.ContainsFunc(out, func(s distiller.Statement) bool { return strings.HasSuffix(strings.Trim(s.Text, "`"), "/"+n) }) {
			continue
		}
		if ref.output { // text of a tool stands in a code span
			ref.text = "`" + ref.text + "`"
		}
		out = append(out, distiller.Statement{Text: ref.text, Source: ref.src})
	}
	return out
}
