package maintain

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/projectfs"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// maxScrubbed bounds the files of ours that are looked through, in bytes.
const maxScrubbed = 64 << 20

// homeTexts are what below the home holds texts of sessions. All else there is
// how Carryover is installed and known to the agents, or scrubs itself; a text
// that is part of it is reported and stays.
var homeTexts = []string{"handoff.md", "handoffs", "spool", "log"}

// scrubFiles scrubs the texts below the home and those that Carryover wrote
// into the projects. The ledger did it itself.
func (m *Service) scrubFiles(worktrees []string, done *view.ForgetResult) error {
	n, err := m.scrubHome()
	done.Files += n
	if err != nil {
		return fmt.Errorf("forget in %s: %w", m.home, err)
	}
	for _, worktree := range worktrees {
		n, err := m.scrubProject(worktree)
		done.Files += n
		if err := skipRefused(done, err); err != nil {
			return fmt.Errorf("forget in %s: %w", worktree, err)
		}
	}
	return nil
}

// skipRefused keeps what an error says of files that are left alone, and returns the
// rest of it.
func skipRefused(f *view.ForgetResult, err error) error {
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		var rest []error
		for _, one := range list.Unwrap() {
			rest = append(rest, skipRefused(f, one))
		}
		return errors.Join(rest...)
	}
	var refusal *projectfs.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	file := view.SkippedFile{Project: refusal.Project, Path: refusal.Path, Reason: string(refusal.Reason)}
	if !slices.Contains(f.Refused, file) {
		f.Refused = append(f.Refused, file)
	}
	return nil
}

// scrubProject scrubs a worktree's folder. A worktree that is gone has none.
func (m *Service) scrubProject(worktree string) (changed int, err error) {
	project, err := publish.Open(worktree)
	if errors.Is(err, publish.ErrUnsafe) {
		return 0, err
	}
	if err != nil {
		return 0, nil //nolint:nilerr // never written into, or gone
	}
	defer func() { _ = project.Close() }()
	return project.Scrub(m.store.ScrubText)
}

// scrubHome scrubs homeTexts.
func (m *Service) scrubHome() (changed int, err error) {
	root, err := os.OpenRoot(string(m.home))
	if err != nil {
		return 0, err
	}
	for _, name := range homeTexts {
		err = errors.Join(err, fs.WalkDir(root.FS(), name, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			wrote, err := m.scrub(root, path)
			if wrote {
				changed++
			}
			return err
		}))
	}
	return changed, errors.Join(err, root.Close())
}

func (m *Service) scrub(root *os.Root, path string) (wrote bool, err error) {
	info, err := root.Lstat(path)
	if err != nil || info.Size() > maxScrubbed {
		return false, err
	}
	text, err := root.ReadFile(path)
	if err != nil {
		return false, err
	}
	clean := m.store.ScrubText(string(text))
	if clean == string(text) {
		return false, nil
	}
	return true, root.WriteFile(path, []byte(clean), info.Mode().Perm())
}

// stillHolding lists the files below the home in which the text still stands:
// it is part of the path of a project or a transcript, by which they are known.
func (m *Service) stillHolding(text string) ([]string, error) {
	left := []string{}
	low := strings.ToLower(text)
	root, err := os.OpenRoot(string(m.home))
	if err != nil {
		return left, err
	}
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := root.ReadFile(path)
		if err == nil && strings.Contains(strings.ToLower(string(content)), low) {
			left = append(left, m.home.Path(path))
		}
		return err
	})
	return left, errors.Join(err, root.Close())
}
