package gitrepo

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/ledger/redact"
)

// states are what git leaves in a worktree's own directory while something is
// under way, in the order in which they hold others: a rebase picks commits.
var states = []struct{ file, name string }{
	{"rebase-merge", "rebase"},
	{"rebase-apply/applying", "git am"},
	{"rebase-apply", "rebase"},
	{"MERGE_HEAD", "merge"},
	{"CHERRY_PICK_HEAD", "cherry-pick"},
	{"REVERT_HEAD", "revert"},
	{"BISECT_LOG", "bisect"},
}

// UnderWay is what was begun in the worktree and is not finished: "merge",
// "rebase", "cherry-pick", "revert", "bisect", "git am", "" for nothing. branch
// is the one that a rebase moves.
func (w Worktree) UnderWay() (name, branch string) {
	for _, state := range states {
		if _, err := os.Lstat(filepath.Join(w.GitDir, filepath.FromSlash(state.file))); err != nil {
			continue
		}
		if state.name == "rebase" {
			if ref := readLine(filepath.Join(w.GitDir, state.file, "head-name")); isRef(ref) {
				branch = redact.Text(strings.TrimPrefix(ref, "refs/heads/"))
			}
		}
		return state.name, branch
	}
	return "", ""
}

// IndexLocked says whether git is changing the index of the worktree: a pull, a merge, a
// checkout writes its files first, and the index that names them only in the end.
func (w Worktree) IndexLocked() bool { return isThere(filepath.Join(w.GitDir, "index.lock")) }

// maxReflog is how much of the end of a reflog is read, in bytes: some 300
// entries.
const maxReflog = 64 << 10

// Move is one entry of the reflog of HEAD: what moved it, from which commit to
// which, and when. Subject is that of the commit, where one was made.
type Move struct {
	From, To string
	Time     time.Time
	Action   string // commit, commit (amend), merge, pull, rebase, reset, checkout …
	Subject  string
}

// made says whether the move made one commit.
func (m Move) made() bool {
	word, _, _ := strings.Cut(m.Action, " ")
	return word == "commit" || word == "cherry-pick" || word == "revert"
}

// Moved is a number that grows whenever HEAD is moved in this worktree: the size
// of its reflog. It is 0 where git keeps none.
func (w Worktree) Moved() int64 {
	info, err := os.Stat(filepath.Join(w.GitDir, "logs", "HEAD"))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Moves are the newest moves of HEAD in this worktree, the last one last, read
// from the end of git's reflog; none where git keeps none.
func (w Worktree) Moves() []Move {
	f, err := regularfile.Open(filepath.Join(w.GitDir, "logs", "HEAD"))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil
	}
	from := max(0, size-maxReflog)
	tail := make([]byte, size-from)
	n, err := f.ReadAt(tail, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	tail = tail[:n]
	lines := strings.Split(strings.TrimRight(string(tail), "\n"), "\n")
	if from > 0 {
		lines = lines[1:] // the first one was cut
	}
	var moves []Move
	for _, line := range lines {
		if m, ok := move(line); ok {
			moves = append(moves, m)
		}
	}
	return moves
}

// move reads a line of a reflog: OLD NEW NAME <MAIL> SECONDS ZONE TAB MESSAGE.
func move(line string) (m Move, ok bool) {
	who, message, ok := strings.Cut(line, "\t")
	fields := strings.Fields(who)
	if !ok || len(fields) < 4 || !isHash(fields[0]) || !isHash(fields[1]) {
		return m, false
	}
	m.From, m.To = fields[0], fields[1]
	if seconds, err := strconv.ParseInt(fields[len(fields)-2], 10, 64); err == nil {
		m.Time = time.Unix(seconds, 0).UTC()
	}
	m.Action, m.Subject, _ = strings.Cut(redact.Text(message), ": ")
	return m, true
}

// Since is how HEAD came from a commit to where it is.
type Since struct {
	Commits []string // made on the way, "abbrev subject", newest first
	Other   string   // what else moved it last: reset, rebase, pull …; "" for nothing
	Known   bool     // the reflog holds the way
}

// Since reads from the reflog how HEAD came here from a commit, which may be
// abbreviated.
func (w Worktree) Since(commit string) Since {
	moves := w.Moves()
	if len(commit) < minAbbrev {
		return Since{}
	}
	for i, m := range slices.Backward(moves) {
		if strings.HasPrefix(m.To, commit) {
			since := sinceOf(moves[i+1:])
			since.Known = true
			return since
		}
	}
	if len(moves) > 0 && strings.HasPrefix(moves[0].From, commit) {
		since := sinceOf(moves)
		since.Known = true
		return since
	}
	return Since{}
}

// minAbbrev is the length of git's shortest abbreviation that is looked for.
const minAbbrev = 7

// MadeSince are the commits that were made in this worktree from a moment on, as
// Since.Commits has them. The clock of the reflog goes in seconds.
func (w Worktree) MadeSince(from time.Time) []string {
	moves := slices.DeleteFunc(w.Moves(), func(m Move) bool { return m.Time.Before(from.Truncate(time.Second)) })
	return sinceOf(moves).Commits
}

// sinceOf goes along moves of HEAD. What an amended commit was before, what was
// reset and what a rebase rewrote is there no longer.
func sinceOf(moves []Move) (since Since) {
	var made []Move
	for _, m := range moves {
		word, _, _ := strings.Cut(m.Action, " ")
		switch n := len(made); {
		case m.Action == "commit (amend)" && n > 0 && made[n-1].To == m.From:
			made[n-1] = m
		case m.made():
			made = append(made, m)
		case m.From == m.To:
		default:
			since.Other = strings.TrimSuffix(word, ":")
			if word == "reset" || word == "rebase" {
				at := slices.IndexFunc(made, func(before Move) bool { return before.To == m.To })
				made = made[:at+1]
			}
		}
	}
	for _, m := range slices.Backward(made) {
		since.Commits = append(since.Commits, m.To[:shownCommit]+" "+m.Subject)
	}
	return since
}

// shownCommit is how much of a commit's name is shown.
const shownCommit = 9
