package publish

import "fmt"

// Handoff writes .carryover/handoff.md, after making sure that git will not
// see it: the folder's own .gitignore is its first file.
func (p *Project) Handoff(text string) (changed bool, err error) {
	if err := p.hide(); err != nil {
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

// innerIgnore hides the folder from git.
const innerIgnore = Dir + "/.gitignore"

// hide makes the folder with its own .gitignore, which hides itself too: nothing
// outside the folder is needed for git to leave it alone.
func (p *Project) hide() error {
	if err := p.files.Make(Dir); err != nil {
		return err
	}
	_, err := p.replace(innerIgnore, []byte("*\n"), 0o600)
	return err
}

// Ignore puts two lines into the project's .gitignore, for people who read it. One
// that is not ours to write is left alone.
func (p *Project) Ignore() error {
	if !p.files.IsWorktree() {
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
