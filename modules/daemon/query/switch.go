package query

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs"
)

// PrepareSwitch prepares the program of a tool for going on with a directory's work.
// A tool that reads the handoff's file by itself is opened as it is.
// view.ErrNotFound when there is no work, view.ErrInvalid when the tool cannot be opened
// so.
func (q *Service) PrepareSwitch(ctx context.Context, request view.SwitchRequest) (view.SwitchCommand, error) {
	spec, err := q.table.Lookup(request.Tool)
	if err != nil {
		return view.SwitchCommand{}, err
	}
	if spec.Launch == nil {
		return view.SwitchCommand{}, view.Invalid(spec.Name + " cannot be opened with something to begin with")
	}
	from, err := q.Pick(ctx, view.SessionSelector{Directory: request.Directory, Session: request.Session})
	if err != nil {
		return view.SwitchCommand{}, err
	}
	facts, err := q.sessions.Facts(ctx, from)
	if err != nil {
		return view.SwitchCommand{}, err
	}
	directory := request.Directory
	if request.Session != "" && exists(from.Worktree) {
		directory = from.Worktree
	}
	abs, err := filepath.Abs(directory)
	if err != nil {
		return view.SwitchCommand{}, err
	}
	parts := render.Split(facts, render.Options{Mode: render.Mode(q.projects.Of(from.Worktree).Resume)})
	o := view.SwitchCommand{
		Schema: 1, Tool: request.Tool, From: view.SessionName{Tool: from.Tool, Session: from.ID}, Directory: abs,
		Argv: []string{programOf(spec)}, Env: []string{},
	}
	return o, q.addStart(&o, spec, parts.Head+parts.Body)
}

// programOf is the binary that is opened.
func programOf(spec *toolspecs.Spec) string {
	if spec.Launch.Binary != "" {
		return spec.Launch.Binary
	}
	return spec.Detect.Binaries[0]
}

// addStart adds the arguments that bring the handoff.
func (q *Service) addStart(o *view.SwitchCommand, spec *toolspecs.Spec, text string) error {
	reads, err := readsByItself(q.home, spec)
	if err != nil || reads {
		return err
	}
	for _, arg := range spec.Launch.Args {
		switch arg {
		case "{handoff}":
			arg = text
		case "{file}":
			if arg = filepath.Join(o.Directory, publish.Dir, "handoff.md"); !exists(arg) {
				return view.NotFound(arg + " does not exist yet")
			}
		}
		o.Argv = append(o.Argv, arg)
	}
	o.Env = append(o.Env, home.OpenedWith+"="+o.From.Session)
	return nil
}

// readsByItself says whether the tool is connected so that it reads the handoff's file.
func readsByItself(dir home.Dir, spec *toolspecs.Spec) (bool, error) {
	record, _, err := wiring.ReadRecord(dir)
	if err != nil {
		return false, err
	}
	entry := slices.ContainsFunc(spec.Versions, func(r toolspecs.Range) bool {
		return slices.ContainsFunc(r.Settings, func(s toolspecs.Settings) bool { return s.Entry != "" })
	})
	connected := slices.ContainsFunc(record.Files, func(f wiring.FileRecord) bool { return slices.Contains(f.Serves(), spec.Tool) })
	return entry && connected, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
