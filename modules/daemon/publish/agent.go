package publish

import (
	"errors"
	"iter"
	"path"
	"strings"
	"time"
)

// Agent writes a file of a named agent below .carryover, after making sure that
// git will not see it.
func (p *Project) Agent(name string, data []byte) error {
	if err := p.hide(); err != nil {
		return err
	}
	name = path.Join(Dir, name)
	if err := p.files.Make(path.Dir(name)); err != nil {
		return err
	}
	_, err := p.replace(name, data, 0o600)
	return err
}

// RemoveAgent removes files of a named agent, and folders of its files; those
// that are not there are no error.
func (p *Project) RemoveAgent(names ...string) error {
	var errs []error
	for _, name := range names {
		name = path.Join(Dir, name)
		if path.Ext(name) != "" {
			errs = append(errs, p.files.Remove(name))
			continue
		}
		below, err := p.files.Files(name)
		errs = append(errs, err)
		for _, file := range below {
			errs = append(errs, p.files.Remove(file))
		}
	}
	return errors.Join(errs...)
}

// maxAgentFile bounds a file of an agent that is read back, in bytes.
const maxAgentFile = 4 << 20

// AgentFiles are the files of named agents' ledgers and handoffs, with what they
// hold. What is refused is left out.
func (p *Project) AgentFiles() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for folder, ext := range map[string]string{Dir + "/ledgers": ".json", Dir + "/handoffs": ".md"} {
			names, _ := p.files.Files(folder) // what is refused is left there
			for _, name := range names {
				info, err := p.files.Info(name)
				if path.Ext(name) != ext || err != nil || info == nil || info.Size() > maxAgentFile {
					continue
				}
				data, _, err := p.files.Read(name)
				if err == nil && data != nil && !yield(name, data) {
					return
				}
			}
		}
	}
}

// outbox is the folder in which agents leave what they cannot print.
const outbox = Dir + "/outbox"

// Outbox makes the folder of messages.
func (p *Project) Outbox() error {
	if err := p.hide(); err != nil {
		return err
	}
	return p.files.Make(outbox)
}

// TakeMessages reads and removes the messages in the outbox that are not older
// than a time nor larger than so many bytes. What is not a plain file of the
// user's own stays.
func (p *Project) TakeMessages(since time.Time, largest int64, take func(text string)) {
	names, _ := p.files.Files(outbox) // what is refused is left there
	for _, name := range names {
		base := path.Base(name)
		if path.Dir(name) != outbox || path.Ext(base) != ".md" || strings.HasPrefix(base, ".") {
			continue
		}
		info, err := p.files.Info(name)
		if err != nil || info == nil || info.Size() == 0 || info.Size() > largest || info.ModTime().Before(since) {
			continue
		}
		data, _, err := p.files.Read(name)
		if err != nil {
			continue
		}
		take(string(data))
		_ = p.files.Remove(name)
	}
}
