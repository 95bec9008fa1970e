package gitrepo

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger/redact"
)

// runTimeout bounds a git command. What takes longer is left out of the text.
const runTimeout = 300 * time.Millisecond

// LastCommits are the newest commits of the branch checked out, "abbrev
// subject", newest first; nil when git is not there or has none.
func (w Worktree) LastCommits(ctx context.Context, count int) []string {
	_, head := w.Head()
	if !isHash(head) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	out, err := w.git(ctx, "log", "-"+strconv.Itoa(count), "--no-show-signature", "--no-ext-diff", "--no-textconv",
		"--no-color", "--no-decorate", "--pretty=format:%h %s", head).Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(redact.Text(string(out))), "\n")
}

// FirstCommit is the first commit of the branch checked out, the oldest by name where
// there are several; "" when git is not there or has none. It is asked for when a person
// carries a project to another machine, and may take as long as the history is.
func (w Worktree) FirstCommit(ctx context.Context) string {
	_, head := w.Head()
	if !isHash(head) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, historyTimeout)
	defer cancel()
	out, err := w.git(ctx, "rev-list", "--max-parents=0", head).Output()
	if err != nil {
		return ""
	}
	first := ""
	for _, line := range strings.Fields(string(out)) {
		if isHash(line) && (first == "" || line < first) {
			first = line
		}
	}
	return first
}

// historyTimeout bounds the way back to the first commit.
const historyTimeout = 30 * time.Second

// git is a command on this repository that starts nothing but git: no hook,
// filter, pager, lock or fetch that the repository's configuration names.
func (w Worktree) git(ctx context.Context, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"--git-dir=" + w.GitDir, "--no-pager", "--no-optional-locks",
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never",
	}, arguments...)...)
	cmd.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "PATH=/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin"}
	return cmd
}

func isHash(text string) bool {
	return len(text) >= 40 && strings.Trim(text, "0123456789abcdef") == ""
}
