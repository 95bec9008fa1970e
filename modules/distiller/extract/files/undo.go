package files

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Leftovers are what the session left behind and somebody has to undo:
//
//   - work that `git stash` put aside and no pop brought back;
//   - servers and watchers it started (behind &, with `docker compose up -d`, in
//     the tool's background) and nobody stopped;
//   - files that it wrote beside the project, or in it under a scratch name, and
//     did not remove, unless the person named them.
type Leftovers struct {
	stashes []distiller.Statement
	servers []server
	scratch []scratchFile
	wanted  []string // base names of such files that the person asked for
}

type server struct {
	what string
	id   string // of the job, "" when the tool gave none
	prog string
	src  distiller.Source
}

type scratchFile struct {
	path string
	src  distiller.Source
}

const (
	maxUndo      = 8
	shownScratch = 4
)

// Add takes one more event.
func (u *Leftovers) Add(e *timeline.Event) {
	if len(e.Ended) > 0 {
		u.servers = slices.DeleteFunc(slices.Clone(u.servers), func(s server) bool { return slices.Contains(e.Ended, s.id) })
	}
	switch {
	case e.Kind == transcript.Result && e.ToolCall != nil && e.Result != nil:
		u.result(e)
	case e.Kind == transcript.Reply && !e.Subagent: // where a reply says that a file is, it is handed over
		u.scratch = slices.DeleteFunc(slices.Clone(u.scratch), func(f scratchFile) bool { return strings.Contains(e.Text, f.path) })
	case e.Kind == transcript.Prompt && timeline.OwnWords(e.Located):
		for word := range strings.FieldsSeq(e.Wording.Words) {
			if p := strings.Trim(word, "`'\"()[]{}<>,;:.!?"); path.Ext(p) != "" && left(p) {
				u.wanted = bounded.Limit(append(slices.Clone(u.wanted), path.Base(p)), maxUndo)
			}
		}
	}
}

func (u *Leftovers) result(e *timeline.Event) {
	c := e.ToolCall
	u.files(e)
	if c.Info.Command == "" {
		return
	}
	for i, cmd := range c.Commands {
		switch fam := shell.Family(cmd.Argv); {
		case fam == "git stash":
			u.stash(e, cmd)
		case fam == "kill", fam == "pkill", fam == "killall", fam == "fuser", fam == "npx kill-port":
			u.stop(cmd)
		case (timeline.Passed(e) || e.Verdict.Background) && serves(cmd.Argv) && (e.Verdict.Background || cmd.Next == "&" || detached(cmd.Argv)):
			what := prose.OneLine(c.Commands[i].Text)
			u.servers = slices.DeleteFunc(slices.Clone(u.servers), func(s server) bool { return s.what == what })
			u.servers = bounded.Limit(append(u.servers, server{what, e.Started, shell.Program(shell.Unwrap(cmd.Argv)), c.Source}), maxUndo)
		case strings.HasPrefix(fam, "docker") && slices.ContainsFunc(cmd.Argv, func(w string) bool { return w == "down" || w == "stop" || w == "rm" }):
			u.servers = slices.DeleteFunc(slices.Clone(u.servers), func(s server) bool { return strings.HasPrefix(s.prog, "docker") })
		}
	}
}

// stash follows the stack of git stash by what git prints.
func (u *Leftovers) stash(e *timeline.Event, cmd shell.Command) {
	text := e.Result.Text
	words := shell.Words(cmd.Argv)
	verb := "push"
	if len(words) > 1 {
		verb = words[1]
	}
	switch verb {
	case "pop", "drop", "clear", "branch":
		if n := len(u.stashes); n > 0 && (timeline.Passed(e) || strings.Contains(text, "Dropped ")) {
			u.stashes = u.stashes[:n-1]
		}
	case "push", "save", "-u", "--include-untracked", "--all", "-a", "-m", "-k", "--keep-index":
		if !timeline.Failed(e) && !strings.Contains(text, "No local changes") || strings.Contains(text, "Saved working directory") {
			u.stashes = bounded.Limit(append(slices.Clone(u.stashes), distiller.Statement{Text: prose.Code(prose.OneLine(cmd.Text), 80) + " without `git stash pop`", Source: e.ToolCall.Source}), maxUndo)
		}
	}
}

// serving are the words of commands that run until they are stopped.
var serving = prose.SetOf("dev start serve server watch preview runserver http.server s up develop")

var servers = prose.SetOf("uvicorn gunicorn nodemon http-server live-server json-server vite webpack-dev-server flask air caddy nginx redis-server postgres mongod ngrok cloudflared")

func serves(argv []string) bool {
	argv = shell.Unwrap(argv)
	if len(argv) == 0 {
		return false
	}
	return servers[shell.Program(argv)] || slices.ContainsFunc(argv[1:], func(w string) bool {
		first, _, _ := strings.Cut(w, ":")
		return serving[first] || strings.HasSuffix(w, ":dev") || strings.HasSuffix(w, ":start")
	})
}

// detached says that a command leaves its containers running.
func detached(argv []string) bool {
	return strings.HasPrefix(shell.Program(shell.Unwrap(argv)), "docker") && slices.ContainsFunc(argv, func(w string) bool { return w == "-d" || w == "--detach" })
}

// stop takes off what a kill names; one without a name stops the newest.
func (u *Leftovers) stop(cmd shell.Command) {
	all := strings.Join(cmd.Argv[1:], " ")
	n := len(u.servers)
	u.servers = slices.DeleteFunc(slices.Clone(u.servers), func(s server) bool {
		return slices.ContainsFunc(strings.Fields(s.what), func(w string) bool { return len(w) > 3 && strings.Contains(all, w) })
	})
	if len(u.servers) == n && n > 0 {
		u.servers = u.servers[:n-1]
	}
}

// scratchName begins or ends the name of a file that is not to stay.
var scratchName = lazyregexp.New(`(?i)^(?:tmp|temp|scratch|debug|repro)[-_.\d]|[-_.](?:tmp|temp|scratch|bak|orig)(?:\.\w+)?$`)

// files notes scratch files written and forgets those removed.
func (u *Leftovers) files(e *timeline.Event) {
	if !timeline.Happened(e) {
		return
	}
	note := func(change, raw, cwd string) {
		folder, name := path.Split(raw)
		p := e.Paths.Rel(raw, cwd)
		if change == paths.Delete && strings.Contains(name, "*") {
			p = path.Join(e.Paths.Rel(folder, cwd), name)
		}
		if p == "" || paths.Variable(p) {
			return
		}
		switch change {
		case paths.Delete:
			u.scratch = slices.DeleteFunc(slices.Clone(u.scratch), func(f scratchFile) bool {
				meant, err := path.Match(p, f.path)
				return meant && err == nil || strings.HasPrefix(f.path, p+"/")
			})
		case paths.Write, paths.Move:
			if !left(p) || slices.Contains(u.wanted, path.Base(p)) || slices.ContainsFunc(u.scratch, func(f scratchFile) bool { return f.path == p }) {
				return
			}
			u.scratch = bounded.Limit(append(slices.Clone(u.scratch), scratchFile{p, e.ToolCall.Source}), maxUndo)
		}
	}
	for _, p := range e.ToolCall.Info.Paths {
		switch e.ToolCall.Info.Meaning {
		case transcript.Write, transcript.Delete:
			note(changeOf(e.ToolCall.Info.Meaning), p, e.ToolCall.Info.Cwd)
		}
	}
	for _, change := range e.ToolCall.Changes {
		note(change.Kind, change.Path, e.FolderOf(change.Dir))
	}
}

// left says that a file is one nobody needs when the session is over.
func left(p string) bool {
	if prose.HasPrefixAny(p, "/dev/", "/proc/") {
		return false
	}
	return paths.Scratch(p) || paths.Inside(p) && scratchName.MatchString(path.Base(p))
}

// Facts are the stashes, servers and scratch files that are still there.
func (u *Leftovers) Facts() []distiller.Statement {
	out := slices.Clone(u.stashes)
	for _, s := range u.servers {
		out = append(out, distiller.Statement{Text: "still running: " + prose.Code(s.what, 120), Source: s.src})
	}
	var names []string
	var src distiller.Source
	for _, f := range slices.Backward(u.scratch) {
		if len(names) < shownScratch {
			names = append(names, "`"+f.path+"`")
			src = f.src
		}
	}
	if len(names) > 0 {
		out = append(out, distiller.Statement{Text: "scratch files: " + strings.Join(names, ", "), Source: src})
	}
	return out
}
