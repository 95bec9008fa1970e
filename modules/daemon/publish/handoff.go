package publish

import "fmt"

// Handoff writes .carryover/handoff.md, after making sure that git will not
// see it: the folder's own .gitignore is its first file.
func (p *Project) Handoff(text string, ignore Ignore) (changed bool, err error) {
	if err := p.hide(ignore); err != nil {
		return false, err
	}
	return p.replace(Dir+"/handoff.md", []byte(text), 0o600)
}

// Withdraw puts a line in the place of the handoff, in those files that are
// there.
func (p *Project) Withdraw(line string) error {
	for _, name := range []string{Dir + "/handoff.md", ContextFile} {
		if old, err := p.read(name); err != nil || old == nil {
			continue
		}
		if _, err := p.replace(name, []byte(line), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// ContextFile is for tools that read a file again for every message.
const ContextFile = Dir + "/context.md"

// Context writes ContextFile. The handoff has been written before, so that git
// does not see it.
func (p *Project) Context(text string) (changed bool, err error) {
	return p.replace(ContextFile, []byte(text), 0o600)
}

// Ignore says where git is asked to leave the folder alone.
type Ignore string

// Choices of the `ignore` key: two lines in the project's .gitignore, or only
// the file inside the folder.
const (
	IgnoreProject Ignore = "project"
	IgnoreInner   Ignore = "inner"
)

// hide makes the folder with its own .gitignore. The project's is for what a
// person sees there: one that is not ours to write is left alone.
func (p *Project) hide(ignore Ignore) error {
	if err := p.files.Make(Dir); err != nil {
		return err
	}
	if _, err := p.replace(Dir+"/.gitignore", []byte("*\n"), 0o600); err != nil {
		return err
	}
	if !p.files.IsWorktree() || ignore == IgnoreInner {
		return nil
	}
	old, err := p.read(".gitignore")
	if refused(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read .gitignore: %w", err)
	}
	lines, needed := ignored(old)
	if !needed {
		return nil
	}
	_, err = p.replace(".gitignore", lines, 0o644)
	return err
}
