package publish

import (
	"errors"
	"path"
	"slices"
)

// texts are what Carryover writes below Dir, and agents' messages to it. What
// else stands there is a person's own.
var (
	texts       = []string{Dir + "/handoff.md", Dir + "/ledger.md", ContextFile}
	textFolders = []string{Dir + "/ledgers", Dir + "/handoffs", outbox}
)

// Scrub rewrites the texts in which a function changes something, and returns
// how many it were. What is refused is in the error; all others are done.
func (p *Project) Scrub(clean func(string) string) (changed int, err error) {
	names := slices.Clone(texts)
	var errs []error
	for _, folder := range textFolders {
		below, err := p.files.Files(folder)
		names, errs = append(names, below...), append(errs, err)
	}
	for _, name := range names {
		wrote, err := p.scrub(name, clean)
		if wrote {
			changed++
		}
		errs = append(errs, err)
	}
	return changed, errors.Join(errs...)
}

func (p *Project) scrub(name string, clean func(string) string) (bool, error) {
	if ext := path.Ext(name); ext != ".md" && ext != ".json" {
		return false, nil
	}
	data, _, err := p.files.Read(name)
	if err != nil || data == nil {
		return false, err
	}
	return p.files.Replace(name, []byte(clean(string(data))), 0o600)
}
