package publish

import (
	"errors"
	"path"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger/redact"
)

// texts are what Carryover writes below Dir, and agents' messages to it. What
// else stands there is a person's own.
var (
	texts       = []string{Dir + "/handoff.md", Dir + "/ledger.md", ContextFile}
	textFolders = []string{Dir + "/ledgers", Dir + "/handoffs", outbox}
)

// Scrub rewrites the texts in which a function changes something, and returns
// how many it were. Without write they are counted only. What is refused is in the error; all others are done.
func (p *Project) Scrub(clean func(string) string, write bool) (changed int, err error) {
	names := slices.Clone(texts)
	var errs []error
	for _, folder := range textFolders {
		below, err := p.files.Files(folder)
		names, errs = append(names, below...), append(errs, err)
	}
	for _, name := range names {
		wrote, err := p.scrub(name, clean, write)
		if wrote {
			changed++
		}
		errs = append(errs, err)
	}
	return changed, errors.Join(errs...)
}

func (p *Project) scrub(name string, clean func(string) string, write bool) (bool, error) {
	if ext := path.Ext(name); ext != ".md" && ext != ".json" {
		return false, nil
	}
	data, _, err := p.files.Read(name)
	if err != nil || data == nil {
		return false, err
	}
	cleaned := redact.Strings(string(data), clean)
	if !write {
		return cleaned != string(data), nil
	}
	return p.files.Replace(name, []byte(cleaned), 0o600)
}

// RemoveTexts removes the handoff, the session report and the files of some named
// agents, and returns how many files it were. Without write they are counted only.
func (p *Project) RemoveTexts(agents []string, write bool) (removed int, err error) {
	names := slices.Clone(texts)
	var errs []error
	for _, agent := range agents {
		names = append(names, Dir+"/ledgers/"+agent+".json")
		below, err := p.files.Files(Dir + "/handoffs/" + agent)
		names, errs = append(names, below...), append(errs, err)
	}
	for _, name := range names {
		info, err := p.files.Info(name)
		if err != nil || info == nil {
			errs = append(errs, err)
			continue
		}
		removed++
		if write {
			errs = append(errs, p.files.Remove(name))
		}
	}
	return removed, errors.Join(errs...)
}
