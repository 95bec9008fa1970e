package hookclient

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// StatusLineEvent is the one argument that makes the client print a status line:
// carryover-hook statusline [DIR].
const StatusLineEvent = "statusline"

// statusInput is what Claude Code gives a status line on its input; another caller
// gives nothing.
type statusInput struct {
	Cwd       string `json:"cwd"`
	Workspace struct {
		Dir string `json:"current_dir"`
	} `json:"workspace"`
	Context struct {
		Used float64 `json:"used_percentage"`
	} `json:"context_window"`
}

// StatusLine prints one line: the project, the context usage where the caller says
// it, and the handoff that is ready. It reads one small file and asks nobody.
func StatusLine(dir home.Dir, at string, stdin io.Reader, stdout io.Writer, now time.Time) {
	var in statusInput
	if stdin != nil {
		data, _ := readAll(stdin, time.Now().Add(answerDeadline))
		_ = json.Unmarshal(data, &in) // another form says nothing
	}
	for _, named := range []string{in.Workspace.Dir, in.Cwd} {
		if at == "" {
			at = named
		}
	}
	if at == "" {
		at, _ = os.Getwd()
	}
	worktree := home.WorktreeRoot(at)
	parts := []string{plain(filepath.Base(worktree))}
	if in.Context.Used > 0 && in.Context.Used < 1000 {
		parts = append(parts, fmt.Sprintf("%.0f %% context", in.Context.Used))
	}
	if ready := readyHandoff(dir, worktree, now); ready != "" {
		parts = append(parts, ready)
	}
	_, _ = fmt.Fprintln(stdout, strings.Join(parts, " · "))
}

// readyHandoff says which handoff the next session in a worktree would get.
func readyHandoff(dir home.Dir, worktree string, now time.Time) string {
	var last home.Fallback
	data, err := regularfile.ReadOwn(filepath.Join(dir.Handoffs(), home.ProjectKey(worktree)+".json"))
	if err != nil || json.Unmarshal(data, &last) != nil {
		return ""
	}
	age := now.Sub(time.Unix(last.Updated, 0))
	if last.Limit > 0 && age > time.Duration(last.Limit)*time.Second {
		return ""
	}
	return fmt.Sprintf("handoff of %s, %s", plain(last.Tool), shortAge(age))
}

// shortAge is an age in its largest unit. The client spells it itself: it is built
// of the standard library alone.
func shortAge(age time.Duration) string {
	switch {
	case age >= 48*time.Hour:
		return fmt.Sprintf("%dd", int(age.Hours())/24)
	case age >= time.Hour:
		return fmt.Sprintf("%dh", int(age.Hours()))
	}
	return fmt.Sprintf("%dm", max(0, int(age.Minutes())))
}

// plain is a name without what steers a terminal.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, name)
}
