package timeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// What was done on the forge for a request is done as much as a commit is: a pull
// request opened, an issue closed. The clients of GitHub and GitLab say it by their
// second and third word; the number stands among the arguments, or ends the
// address that is printed.

// deed is one thing done on a forge, to the numbers that the commands named.
type deed struct {
	what    string // "opened a pull request"
	numbers []string
}

// deedOf words the commands by what they do. A command that is not here is described by
// its call alone.
var deedOf = map[string]string{
	"pr create": "opened a pull request", "pr merge": "merged a pull request", "pr close": "closed a pull request", "pr review": "reviewed a pull request", "pr comment": "commented on a pull request",
	"issue create": "opened an issue", "issue close": "closed an issue", "issue comment": "commented on an issue", "release create": "made a release",
}

const (
	maxDeeds    = 6  // kinds of one request
	maxNumbers  = 99 // of one kind
	shownNumber = 3
)

// forgeNumber ends the address of what was opened.
var forgeNumber = lazyregexp.New(`/(?:pull|issues|merge_requests)/(\d+)\b`)

// mutations are what the interface of GitHub answers for what was done by it.
var mutations = map[string]string{
	`"resolveReviewThread":{`: "resolved review threads", `"addPullRequestReviewThreadReply":{`: "replied to review threads",
	`"addDiscussionComment":{`: "replied to a discussion", `"addComment":{`: "commented",
}

// mutated notes what was done through the interface itself, and says whether anything was.
func (r *Request) mutated(printed string) bool {
	found := false
	for _, mark := range slices.Sorted(maps.Keys(mutations)) {
		if strings.Contains(printed, mark) {
			r.addDeed(mutations[mark], "")
			found = true
		}
	}
	return found
}

// did notes what a command that worked did on a forge.
func (r *Request) did(argv []string, printed string) {
	argv = shell.Unwrap(argv)
	if len(argv) < 3 || argv[0] != "gh" && argv[0] != "glab" {
		return
	}
	noun := argv[1]
	if noun == "mr" {
		noun = "pr"
	}
	what := deedOf[noun+" "+argv[2]]
	if what == "" {
		return
	}
	if noun+" "+argv[2] == "pr merge" && slices.ContainsFunc(argv, func(w string) bool { return w == "--auto" || w == "--auto-merge" || w == "--when-pipeline-succeeds" }) {
		what = toMerge
	}
	number := ""
	if m := forgeNumber.FindStringSubmatch(prose.Excerpt(printed)); m != nil {
		number = m[1]
	}
	for i := 3; i < len(argv); i++ {
		if strings.Trim(argv[i], "0123456789") == "" && !strings.HasPrefix(argv[i-1], "-") {
			number = argv[i]
			break
		}
	}
	r.addDeed(what, number)
}

// delivers says that a command is to commit, to push, or to do something on a forge.
func delivers(cmd shell.Command) bool {
	argv := shell.Unwrap(cmd.Argv)
	switch family := shell.Family(argv); family {
	case "git commit", "git push":
		return true
	default:
		return len(argv) > 2 && (argv[0] == "gh" || argv[0] == "glab") && deedOf[strings.Replace(argv[1], "mr", "pr", 1)+" "+argv[2]] != ""
	}
}

// delivered notes that what was to be delivered was not, or that it is now.
func (r *Request) delivered(e *Event) {
	at := slices.IndexFunc(e.ToolCall.Commands, func(cmd shell.Command) bool { return delivers(cmd) && !InScratch(e, cmd) })
	switch {
	case at < 0:
	case Failed(e) && !e.ToolCall.ByUser:
		text, _, _ := strings.Cut(prose.OneLine(e.ToolCall.Commands[at].Text), ` "$(cat <<`) // the message is fed to it
		r.Undelivered = Quote{Text: text, Source: e.ToolCall.Source, Seq: e.Seq}
	case Happened(e):
		r.Undelivered = Quote{}
	}
}

// didBy notes what another server's tool that worked did on a forge: the last part of its
// name says it, as in "mcp__github__create_pull_request" of GitHub's own server.
func (r *Request) didBy(tool, printed string) {
	name := tool[strings.LastIndex(tool, "__")+1:]
	for words, command := range map[string]string{
		"create_pull_request": "pr create", "create_merge_request": "pr create", "merge_pull_request": "pr merge", "create_issue": "issue create", "add_issue_comment": "issue comment",
	} {
		if strings.HasSuffix(name, words) {
			number := ""
			if m := forgeNumber.FindStringSubmatch(prose.Excerpt(printed)); m != nil {
				number = m[1]
			}
			r.addDeed(deedOf[command], number)
		}
	}
}

// Leaves says that a call that worked left something behind, besides what a command changed
// in the project: it wrote a file, or did something to a repository or on a forge.
func Leaves(e *Event) bool {
	return Edits(e.ToolCall.Info.Meaning) || slices.ContainsFunc(e.ToolCall.Commands, func(cmd shell.Command) bool {
		argv := shell.Unwrap(cmd.Argv)
		family := shell.Family(argv)
		client, verb, _ := strings.Cut(family, " ")
		switch {
		case slices.Contains(argv, "--dry-run"):
			return false
		case client == "git":
			return leavingVerbs[verb]
		case client == "gh" || client == "glab":
			return slices.ContainsFunc(argv, func(word string) bool { return leavingVerbs[strings.ToLower(word)] })
		}
		return false
	})
}

// leavingVerbs are the commands of git, of the clients of forges and of their interface
// that leave something behind.
var leavingVerbs = prose.SetOf("add am apply checkout cherry-pick clean close comment commit create delete edit init merge mv patch post pull push put ready rebase reopen reset restore revert review rm stash switch tag")

// toMerge is what is done to a pull request that the forge is to merge by itself.
const toMerge = "set to merge once its checks pass: a pull request"

// ToMerge is the number of the newest pull request that the forge is to merge by itself, and
// of which nobody has seen yet that it did; "" for none.
func ToMerge(requests []*Request) string {
	for _, r := range slices.Backward(requests) {
		for _, d := range r.deeds {
			if d.what != toMerge {
				continue
			}
			for _, number := range slices.Backward(d.numbers) {
				if !slices.ContainsFunc(requests, func(q *Request) bool { return q.Merged(number) }) {
					return number
				}
			}
		}
	}
	return ""
}

// sawMerged notes that a look at a pull request, which the forge was to merge by itself, found
// it merged.
func sawMerged(requests []*Request, argv []string, printed string) {
	if argv = shell.Unwrap(argv); len(argv) < 4 || argv[2] != "view" || !merged.MatchString(printed) {
		return
	}
	for _, r := range requests {
		for _, d := range r.deeds {
			if at := slices.IndexFunc(d.numbers, func(n string) bool { return slices.Contains(argv[3:], n) }); d.what == toMerge && at >= 0 {
				r.addDeed(deedOf["pr merge"], d.numbers[at])
			}
		}
	}
}

// merged is how gh says that a pull request is.
var merged = lazyregexp.New(`(?m)^\s*"?(?:state"?:\s*"?)?MERGED\b|"state": ?"MERGED"`)

// Merged says that a pull request, known by its number, was merged for the request.
func (r *Request) Merged(number string) bool {
	return slices.ContainsFunc(r.deeds, func(d deed) bool { return d.what == deedOf["pr merge"] && slices.Contains(d.numbers, number) })
}

// Opened says that a pull request was opened for the request.
func (r *Request) Opened() bool {
	return slices.ContainsFunc(r.deeds, func(d deed) bool { return d.what == deedOf["pr create"] })
}

func (r *Request) addDeed(what, number string) {
	i := slices.IndexFunc(r.deeds, func(d deed) bool { return d.what == what })
	if i < 0 {
		if len(r.deeds) == maxDeeds {
			return
		}
		r.deeds = append(slices.Clone(r.deeds), deed{what: what})
		i = len(r.deeds) - 1
	}
	if d := &r.deeds[i]; number != "" && !slices.Contains(d.numbers, number) && len(d.numbers) < maxNumbers {
		d.numbers = append(slices.Clone(d.numbers), number)
	}
}

// DidTo says that something was done on a forge to the issue or pull request of that number.
func (r *Request) DidTo(number string) bool {
	return slices.ContainsFunc(r.deeds, func(d deed) bool { return slices.Contains(d.numbers, number) })
}

// Deeds says that something was done on a forge.
func (r *Request) Deeds() bool { return len(r.deeds) > 0 }

// String is a deed with its numbers, the newest of many.
func (d deed) String() string {
	if len(d.numbers) == 0 {
		return d.what
	}
	shown := d.numbers[max(0, len(d.numbers)-shownNumber):]
	text := d.what + " #" + strings.Join(shown, ", #")
	if left := len(d.numbers) - len(shown); left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}
