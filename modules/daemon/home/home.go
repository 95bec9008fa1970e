// Package home knows where Carryover keeps its own files. It imports the
// standard library only, because the hook client does too.
package home

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// BOM begins what some tools write to their hooks on Windows.
const BOM = "\xef\xbb\xbf"

// InEditor is the variable by which an agent's hooks know that `carryover acp` started
// it for an editor: somebody is there to answer.
const InEditor = "CARRYOVER_IN_EDITOR"

// OpenedWith is the variable in which `carryover switch` names the session
// whose handoff the agent it opens begins with: its hooks need not give it.
const OpenedWith = "CARRYOVER_OPENED_WITH"

// Unattended is the mark with which the hook client says that the command line
// of the agent that called it allows nobody to answer.
const Unattended = "CARRYOVER_UNATTENDED"

// maxSocket is the longest socket path we bind: the kernel takes 107 bytes on
// Linux and 103 on macOS.
const maxSocket = 100

// Dir is Carryover's own folder, ~/.carryover unless moved. It is 0700 and
// its files are 0600: everything in it is as private as a shell history.
type Dir string

// Default is CARRYOVER_HOME, or the standard place.
func Default() (Dir, error) {
	if moved := os.Getenv("CARRYOVER_HOME"); moved != "" {
		abs, err := filepath.Abs(moved)
		return Dir(abs), err
	}
	return Standard()
}

// Standard is ~/.carryover.
func Standard() (Dir, error) {
	user, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find home directory: %w", err)
	}
	return Dir(filepath.Join(user, ".carryover")), nil
}

// Path joins elements below the folder.
func (d Dir) Path(elem ...string) string {
	return filepath.Join(append([]string{string(d)}, elem...)...)
}

// Ledger is the SQLite file with every event.
func (d Dir) Ledger() string { return d.Path("ledger.sqlite") }

// Config is the user's choices.
func (d Dir) Config() string { return d.Path("config.toml") }

// Token is what the port asks for.
func (d Dir) Token() string { return d.Path("token") }

// State says where the running daemon listens.
func (d Dir) State() string { return d.Path("daemon.json") }

// Lock is held by the running daemon.
func (d Dir) Lock() string { return d.Path("daemon.lock") }

// Installed says what install wrote, and when.
func (d Dir) Installed() string { return d.Path("installed.json") }

// Damage says what became of a ledger that was damaged.
func (d Dir) Damage() string { return d.Path("damage.json") }

// Windows is where the learnt context windows of models are kept.
func (d Dir) Windows() string { return d.Path("windows.json") }

// HookStats says which hooks came, and when.
func (d Dir) HookStats() string { return d.Path("hooks.json") }

// Log is the daemon's log; older ones stand beside it.
func (d Dir) Log() string { return d.Path("log", "carryoverd.log") }

// Spool keeps what hooks said while no daemon ran.
func (d Dir) Spool() string { return d.Path("spool") }

// Handoffs is what the hook client gives out while no daemon runs.
func (d Dir) Handoffs() string { return d.Path("handoffs") }

// Handoff is the person's copy of the newest handoff.
func (d Dir) Handoff() string { return d.Path("handoff.md") }

// Toolspecs holds specs that override the built-in ones.
func (d Dir) Toolspecs() string { return d.Path("toolspecs") }

// Hook is the client that the agents call.
func (d Dir) Hook() string { return d.Path("bin", "carryover-hook") }

// Make creates the folder and the named subfolders, private to the user.
func (d Dir) Make(sub ...string) error {
	for _, path := range append([]string{""}, sub...) {
		if err := os.MkdirAll(d.Path(path), 0o700); err != nil {
			return fmt.Errorf("make %s: %w", d.Path(path), err)
		}
	}
	return d.close()
}

// close takes from other users what a folder that was there before may give them.
func (d Dir) close() error {
	info, err := os.Stat(string(d))
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	if err := os.Chmod(string(d), info.Mode().Perm()&0o700); err != nil {
		return fmt.Errorf("make %s private: %w", d, err)
	}
	return nil
}

// Socket is where the daemon listens for hooks: run/s below the home, or a
// short name in a folder of the user's own below /tmp when that path would be
// too long to bind.
func (d Dir) Socket() string {
	path := d.Path("run", "s")
	if len(path) <= maxSocket {
		return path
	}
	sum := sha256.Sum256([]byte(d))
	return filepath.Join("/tmp", "carryover-"+strconv.Itoa(os.Getuid()), hex.EncodeToString(sum[:8]))
}

// ProjectKey names a worktree's files in Handoffs.
func ProjectKey(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:])
}

// Given is the file that says that a session was given the handoff of the
// project named by key, or was found to need none.
func (d Dir) Given(key, session string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_' // a session id must stay usable as the end of a file name
	}, session[:min(len(session), 100)])
	return filepath.Join(d.Handoffs(), key+"."+name)
}

// WorktreeRoot is the nearest folder at or above dir that has a .git entry,
// else dir itself, with symbolic links resolved. Nothing is opened on the way:
// the entry is only looked for.
func WorktreeRoot(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			return dir
		}
	}
}

// Fallback is what the hook client may hand out while the daemon is away. The
// daemon keeps one per worktree in Handoffs, named by ProjectKey.
type Fallback struct {
	Heads map[string]string `json:"heads"` // "mode": of the configured mode; "silent": for headless runs
	Body  string            `json:"body"`
	// Answers are the hooks that give the handoff to a session that starts, as
	// "tool/event" in lower case, with the path of the JSON member that carries
	// it; "" where plain text does.
	Answers map[string]string `json:"answers,omitempty"`
	Tool    string            `json:"tool"`
	Session string            `json:"session"`
	Part    string            `json:"part,omitempty"` // folder of the worktree that the work is of, with slashes; "" of all of it
	Updated int64             `json:"updated"`        // last event, Unix seconds
	Events  int               `json:"events"`         // of the session, when this was written
	Limit   int64             `json:"limit"`          // age in seconds after which it is not given
}

// Envelope is what is left in the spool of a hook that found no daemon: enough
// to read the transcript later, nothing of the payload's content where there is
// a transcript.
type Envelope struct {
	Tool       string            `json:"tool"`
	Event      string            `json:"event"`
	Session    string            `json:"session,omitempty"`
	Transcript string            `json:"transcript,omitempty"`
	Cwd        string            `json:"cwd,omitempty"`
	ToolUse    string            `json:"tool_use,omitempty"`
	Source     string            `json:"source,omitempty"`
	Marks      map[string]string `json:"marks,omitempty"`
	Time       int64             `json:"time"`            // Unix milliseconds
	Given      string            `json:"given,omitempty"` // session whose handoff the client gave out itself
	// Payload is all that the hook received, of a tool that keeps no transcript.
	Payload json.RawMessage `json:"payload,omitempty"`
}
