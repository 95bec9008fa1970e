package daemon

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// Opening is another agent's program, ready to be run with a handoff as its
// start (docs/json-output.md).
type Opening struct {
	Schema    int         `json:"schema"`
	Tool      string      `json:"tool"`
	From      SessionName `json:"from"`
	Directory string      `json:"directory"` // to run it in
	Argv      []string    `json:"argv"`
	Env       []string    `json:"env"` // NAME=value, besides what is set

	// Handoff is the argument that is the text of the handoff, -1 without one.
	Handoff int `json:"-"`
}

// Switch prepares the program of a tool for going on with a directory's work.
// A tool that reads the handoff's file by itself is opened as it is.
// ErrNothing when there is no work, ErrInvalid when the tool cannot be opened
// so.
func (p *Pipeline) Switch(ctx context.Context, directory, tool string) (Opening, error) {
	spec, err := p.Table.Lookup(tool)
	if err != nil {
		return Opening{}, err
	}
	if spec.Opens == nil {
		return Opening{}, invalid(spec.Name + " cannot be opened with something to begin with")
	}
	from, err := p.pick(ctx, directory, HandoffOptions{})
	if err != nil {
		return Opening{}, err
	}
	facts, err := p.Distil(ctx, from)
	if err != nil {
		return Opening{}, err
	}
	abs, err := filepath.Abs(directory)
	if err != nil {
		return Opening{}, err
	}
	parts := p.Render(facts, p.projectChoices(from.Worktree))
	o := Opening{
		Schema: 1, Tool: tool, From: SessionName{Tool: from.Tool, Session: from.ID}, Directory: abs,
		Argv: []string{programOf(spec)}, Env: []string{}, Handoff: -1,
	}
	return o, p.addStart(&o, spec, parts.Head+parts.Body)
}

// programOf is the binary that is opened.
func programOf(spec *toolspecs.Spec) string {
	if spec.Opens.Binary != "" {
		return spec.Opens.Binary
	}
	return spec.Detect.Binaries[0]
}

// addStart adds the arguments that bring the handoff.
func (p *Pipeline) addStart(o *Opening, spec *toolspecs.Spec, text string) error {
	reads, err := p.readsByItself(spec)
	if err != nil || reads {
		return err
	}
	for _, arg := range spec.Opens.Args {
		switch arg {
		case "{handoff}":
			o.Handoff = len(o.Argv)
			arg = text
		case "{file}":
			if arg = filepath.Join(o.Directory, publish.Dir, "handoff.md"); !exists(arg) {
				return nothing(arg + " does not exist yet")
			}
		}
		o.Argv = append(o.Argv, arg)
	}
	o.Env = append(o.Env, home.OpenedWith+"="+o.From.Session)
	return nil
}

// readsByItself says whether the tool is wired to read the handoff's file.
func (p *Pipeline) readsByItself(spec *toolspecs.Spec) (bool, error) {
	record, _, err := wiring.ReadRecord(p.Home)
	if err != nil {
		return false, err
	}
	entry := slices.ContainsFunc(spec.Versions, func(r toolspecs.Range) bool {
		return slices.ContainsFunc(r.Settings, func(s toolspecs.Settings) bool { return s.Entry != "" })
	})
	wired := slices.ContainsFunc(record.Files, func(f wiring.FileRecord) bool { return slices.Contains(f.Serves(), spec.Tool) })
	return entry && wired, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Line is the command a person would type for it in a shell. The handoff is
// asked of `carryover` there, for it is long.
func (o Opening) Line() string {
	words := make([]string, 0, len(o.Env)+len(o.Argv))
	words = append(words, o.Env...)
	for i, arg := range o.Argv {
		if i == o.Handoff {
			words = append(words, fmt.Sprintf(`"$(carryover handoff %s)"`, o.From.Session))
			continue
		}
		words = append(words, quoted(arg))
	}
	return "cd " + quoted(o.Directory) + " && " + strings.Join(words, " ")
}

// quoted is a word as a POSIX shell reads it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:@,+", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
