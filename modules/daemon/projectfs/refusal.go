package projectfs

import "errors"

// ErrRefused is the kind of every Refusal.
var ErrRefused = errors.New("not writing into this project")

// Reason says what is wrong with a file or a folder.
type Reason string

// The reasons for which nothing is read, written or removed.
const (
	Link       Reason = "is a link"
	Outside    Reason = "leads out of the project"
	Git        Reason = "belongs to git"
	Submodule  Reason = "is a repository of its own"
	Tracked    Reason = "is tracked by git"
	NotFolder  Reason = "is not a folder"
	NotRegular Reason = "is not a regular file"
	Foreign    Reason = "belongs to another user"
	HardLink   Reason = "has another name (hard link)"
	TooLarge   Reason = "is too large"
	Exchanged  Reason = "was exchanged while it was opened"
)

// Refusal says what in a project is left alone, and why.
type Refusal struct {
	Project string // its worktree
	Path    string // below it, with slashes
	Reason  Reason
}

func (r *Refusal) Error() string {
	return ErrRefused.Error() + ": " + r.Path + " in " + r.Project + " " + string(r.Reason)
}

// Is makes errors.Is(err, ErrRefused) true.
func (r *Refusal) Is(target error) bool { return target == ErrRefused }
