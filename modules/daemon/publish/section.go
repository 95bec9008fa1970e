package publish

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The instructions for named agents stand between these lines, apart from the
// pointer block: they are there only where the person asked for them.
const (
	sectionStart = "<!--CARRYOVER:CONTINUITY:START-->"
	sectionEnd   = "<!--CARRYOVER:CONTINUITY:END-->"
)

// ErrTorn says that a file has one of the two lines around our section without
// the other, so that nobody knows what between them is ours.
var ErrTorn = errors.New("the marks around the Carryover section do not match")

// PutSection writes a text between its own lines into a context file, at the
// end of one that has no such lines, and says whether that changed it. All else
// in the file stays as it is; a file that is missing is made.
func (p *Project) PutSection(name, text string) (changed bool, err error) {
	old, err := p.read(name)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", name, err)
	}
	before, after, found, err := splitSection(old)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	eol := lineEnd(old)
	if !found && len(before) > 0 {
		before = append(bytes.TrimRight(before, "\r\n"), eol+eol...)
	}
	section := sectionStart + "\n" + strings.TrimRight(text, "\n") + "\n" + sectionEnd + "\n"
	return p.replace(name, bytes.Join([][]byte{before, []byte(strings.ReplaceAll(section, "\n", eol)), after}, nil), 0o644)
}

// RemoveSection takes out what PutSection wrote, and the file with it when
// nothing else stands in it. changed is false where there is no section.
func (p *Project) RemoveSection(name string) (changed bool, err error) {
	old, err := p.read(name)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", name, err)
	}
	before, after, found, err := splitSection(old)
	if err != nil || !found {
		return false, err
	}
	if before = bytes.TrimRight(before, "\r\n"); len(before) > 0 {
		before = append(before, lineEnd(old)...)
	}
	rest := slices.Concat(before, after)
	if len(bytes.TrimSpace(rest)) == 0 {
		return true, p.remove(name)
	}
	return p.replace(name, rest, 0o644)
}

// splitSection returns what stands around the section; all is before where
// there is none.
func splitSection(old []byte) (before, after []byte, found bool, err error) {
	start, end := bytes.Index(old, []byte(sectionStart)), bytes.Index(old, []byte(sectionEnd))
	switch {
	case start < 0 && end < 0:
		return bytes.Clone(old), nil, false, nil
	case start < 0 || end < start:
		return nil, nil, false, ErrTorn
	}
	after = old[end+len(sectionEnd):]
	if line := bytes.IndexByte(after, '\n'); line >= 0 && len(bytes.TrimSpace(after[:line])) == 0 {
		after = after[line+1:]
	}
	return bytes.Clone(old[:start]), bytes.Clone(after), true, nil
}
