package attempts

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Given up is an approach whose edits the agent took back with git: the files
// prove it, its last words before say why.
type givenUp struct {
	edited []string // files changed since the last commit, the newest last
	said   string
	with   string // the command that took the last of them back
}

const maxGivenUp = 32

// see follows edits and words, and returns the files that a call took back.
func (g *givenUp) see(e *timeline.Event) []string {
	switch {
	case e.Kind == transcript.Reply && len(e.Said) > 0:
		g.said = e.Said[len(e.Said)-1].Text
	case e.Kind != transcript.Result || e.ToolCall == nil || !timeline.Happened(e):
	case timeline.Edits(e.ToolCall.Info.Meaning):
		for _, p := range e.ToolCall.Info.Paths {
			if p = e.Paths.Rel(p, e.ToolCall.Info.Cwd); p != "" && paths.Inside(p) && !slices.Contains(g.edited, p) {
				g.edited = bounded.Limit(append(g.edited, p), maxGivenUp)
			}
		}
	default:
		return g.reverted(e)
	}
	return nil
}

func (g *givenUp) reverted(e *timeline.Event) []string {
	var out []string
	for _, c := range e.ToolCall.Commands {
		words := shell.Words(c.Argv)
		taken := len(out)
		switch shell.Family(c.Argv) {
		case "git commit":
			g.edited = nil
		case "git reset":
			if slices.Contains(words, "--hard") {
				out, g.edited = append(out, g.edited...), nil
			}
		case "git checkout", "git restore":
			if slices.Contains(words, "--staged") {
				continue
			}
			g.edited = slices.DeleteFunc(slices.Clone(g.edited), func(p string) bool {
				taken := slices.ContainsFunc(words[1:], func(w string) bool {
					return w == "." || e.Paths.Rel(w, e.ToolCall.Info.Cwd) == p || (shell.Family(c.Argv) == "git restore" || slices.Contains(words, "--")) && strings.HasPrefix(p, strings.TrimSuffix(strings.TrimPrefix(w, "./"), "/")+"/")
				})
				if taken {
					out = append(out, p)
				}
				return taken
			})
		}
		if len(out) > taken {
			g.with = c.Text
		}
	}
	return out
}

// resumed forgets what was taken back of files that are changed once more.
func (f *Failures) resumed(changed []string) {
	f.list = slices.DeleteFunc(f.list, func(fl *Failure) bool {
		return fl.given && slices.ContainsFunc(fl.paths, func(p string) bool { return slices.Contains(changed, p) })
	})
}

// takenBack adds what was given up to the failed approaches.
func (f *Failures) takenBack(e *timeline.Event, paths []string) {
	if len(paths) == 0 {
		return
	}
	fl := f.take("taken back " + paths[0])
	fl.paths = paths
	fl.What = "edits of " + strings.Join(paths[:min(len(paths), 3)], ", ")
	fl.Why = "taken back with " + prose.Clip(prose.OneLine(f.given.with), 50)
	if f.given.said != "" {
		fl.Why = prose.Clip(fl.Why+"; agent: "+f.given.said, output.WhyWidth)
	}
	fl.count, fl.given = fl.count+1, true
	fl.Seq, fl.calls, fl.turn, fl.Source = e.Seq, e.Calls, e.Turn, e.ToolCall.Source
	f.list = bounded.Limit(append(f.list, fl), maxFailures)
}
