package maintain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/damage"
	"github.com/carryover-go/carryover/modules/daemon/projectfs"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
)

// maxScrubbed bounds the files of ours that are looked through, in bytes.
const maxScrubbed = 64 << 20

// homeTexts are what below the home holds texts of sessions. All else there is
// how Carryover is installed and known to the agents, or scrubs itself; a text
// that is part of it is reported and stays.
var homeTexts = []string{"handoff.md", "handoffs", "spool", "log", "acp"}

// forgettingFiles is what one Forget does to files.
type forgettingFiles struct {
	*Service
	request  view.ForgetRequest
	sessions []ledger.Session
	agents   []ledger.NamedAgent
	done     *view.ForgetResult
}

// all goes over every file of ours: of the sessions, then those that may hold the
// text. What still holds it is listed.
func (f *forgettingFiles) all(ctx context.Context, worktrees []string) error {
	if err := f.unpublish(ctx); err != nil {
		return err
	}
	if f.request.Text != "" {
		clean, err := f.cleaner()
		if err != nil {
			return err
		}
		if err := f.scrub(worktrees, clean); err != nil {
			return err
		}
	}
	if f.request.Preview {
		return nil
	}
	if err := f.dropDamaged(ctx); err != nil {
		return err
	}
	texts := []string{f.request.Text}
	for _, session := range f.sessions {
		texts = append(texts, session.ID)
	}
	left, err := f.stillHolding(texts)
	f.done.Left = left
	return err
}

// cleaner takes the text out of a text, as the ledger does once it is
// forgotten.
func (f *forgettingFiles) cleaner() (func(string) string, error) {
	if !f.request.Preview {
		return f.store.ScrubText, nil
	}
	none := &tombstone.Tombstones{}
	marks, err := none.With(f.request.Text, nil)
	if err != nil {
		return nil, view.Invalid(err.Error())
	}
	return marks.Scrub, nil
}

// dropDamaged deletes ledgers that were damaged and set aside: they hold all
// that was ever stored. One that was not salvaged yet is.
func (f *forgettingFiles) dropDamaged(ctx context.Context) error {
	if _, _, err := f.Salvage(ctx); err != nil {
		return err
	}
	for _, path := range damage.Asides(f.home) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		f.done.Files++
	}
	return nil
}

// scrub scrubs the texts below the home and those that Carryover wrote into the
// projects. The ledger did it itself.
func (f *forgettingFiles) scrub(worktrees []string, clean func(string) string) error {
	n, err := f.scrubHome(clean, !f.request.Preview)
	f.done.Files += n
	if err != nil {
		return fmt.Errorf("forget in %s: %w", f.home, err)
	}
	for _, worktree := range worktrees {
		n, err := f.scrubProject(worktree, clean, !f.request.Preview)
		f.done.Files += n
		if err := skipRefused(f.done, err); err != nil {
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
func (m *Service) scrubProject(worktree string, clean func(string) string, write bool) (changed int, err error) {
	project, err := publish.Open(worktree)
	if errors.Is(err, publish.ErrUnsafe) {
		return 0, err
	}
	if err != nil {
		return 0, nil //nolint:nilerr // never written into, or gone
	}
	defer func() { _ = project.Close() }()
	return project.Scrub(clean, write)
}

// scrubHome scrubs homeTexts.
func (m *Service) scrubHome(clean func(string) string, write bool) (changed int, err error) {
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
			wrote, err := scrubFile(root, path, clean, write)
			if wrote {
				changed++
			}
			return err
		}))
	}
	return changed, errors.Join(err, root.Close())
}

// scrubFile rewrites a file in which something changes, and says whether it is
// one.
func scrubFile(root *os.Root, path string, clean func(string) string, write bool) (changes bool, err error) {
	info, err := root.Lstat(path)
	if err != nil || info.Size() > maxScrubbed {
		return false, err
	}
	text, err := root.ReadFile(path)
	if err != nil {
		return false, err
	}
	cleaned := redact.Strings(string(text), clean)
	if cleaned == string(text) || !write {
		return cleaned != string(text), nil
	}
	return true, root.WriteFile(path, []byte(cleaned), info.Mode().Perm())
}

// stillHolding lists the files below the home in which one of some texts still
// stands: it is part of the path of a project or a transcript, by which they are
// known, or of a file that is never scrubbed.
func (m *Service) stillHolding(texts []string) ([]string, error) {
	left := []string{}
	root, err := os.OpenRoot(string(m.home))
	if err != nil {
		return left, err
	}
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // SQLite's files come and go
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := root.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		low := bytes.ToLower(content)
		holds := func(text string) bool { return text != "" && bytes.Contains(low, bytes.ToLower([]byte(text))) }
		if err == nil && slices.ContainsFunc(texts, holds) {
			left = append(left, m.home.Path(path))
		}
		return err
	})
	return left, errors.Join(err, root.Close())
}
