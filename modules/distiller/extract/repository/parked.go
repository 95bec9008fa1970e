package repository

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// parkedSubject begins the message of a commit that puts work aside ("WIP: …",
// "TODOs: …"): what its list says is still to do.
var parkedSubject = lazyregexp.New(`(?i)\b(?:wip|todos?)\b`)

// Parked are the open steps of a commit's message, nil where it parks nothing.
func Parked(e *timeline.Event) []distiller.Progress {
	if e.Kind != transcript.Result || e.ToolCall == nil || e.ToolCall.Subagent || !timeline.Happened(e) {
		return nil
	}
	for _, c := range e.ToolCall.Commands {
		if shell.Family(c.Argv) != "git commit" {
			continue
		}
		subject, body, _ := strings.Cut(fullMessage(c.Argv, e.ToolCall.Info.Command), "\n")
		if !parkedSubject.MatchString(subject) {
			continue
		}
		return openSteps(e, body)
	}
	return nil
}

func openSteps(e *timeline.Event, body string) []distiller.Progress {
	var out []distiller.Progress
	for _, s := range prose.Statements(body) {
		if s.Bullet && s.State != "done" && len(s.Text) > 8 && !e.Lexicon.Heads(words.Done, s.Heading) && len(out) < MaxClaims {
			out = append(out, distiller.Progress{Text: prose.Clip(prose.UnderHeading(s), 200), State: "todo", Evidence: distiller.Said, Source: e.ToolCall.Source})
		}
	}
	return out
}

// fullMessage is what a git commit was given as its message: all of -m, or the
// here document that stands for it.
func fullMessage(argv []string, command string) string {
	var parts []string
	for i, w := range argv {
		if (w == "-m" || w == "--message" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.HasSuffix(w, "m")) && i+1 < len(argv) {
			next := argv[i+1]
			if strings.HasPrefix(next, "$(") {
				next = hereDocument(command)
			}
			parts = append(parts, next)
		}
	}
	return strings.Join(parts, "\n")
}

var hereMark = lazyregexp.New(`<<-?\s*['"]?(\w+)['"]?\s*\n`)

// hereDocument is the first here document of a command behind a git commit.
func hereDocument(command string) string {
	at := commitCall.FindStringIndex(command)
	if at == nil {
		return ""
	}
	command = command[at[0]:]
	mark := hereMark.FindStringSubmatchIndex(command)
	if mark == nil {
		return ""
	}
	lines := strings.Split(command[mark[1]:], "\n")
	end := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == command[mark[2]:mark[3]] })
	return strings.Join(lines[:max(end, 0)], "\n")
}

// MaxClaims is how many steps of one text are kept.
const MaxClaims = 8
