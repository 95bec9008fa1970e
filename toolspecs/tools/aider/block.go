package aider

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// kind is what a block of the history is.
type kind int

const (
	none   kind = iota // between two blocks
	header             // "# aider chat started at …"
	prompt             // lines with "#### " before each
	reply              // Markdown of the model, without a mark
	tool               // what Aider says itself, "> " before its first line
	lint               // a linter's report, "> " before each of its lines
	long               // a block too long to be held
)

// block is a run of lines that Aider wrote at once.
type block struct {
	kind   kind
	offset int64 // of the first byte
	length int64 // bytes, with the blank lines that belong to it
	line   int64 // 1-based, of the first line
	count  int64 // lines
	time   string
	style  style    // of its run, as far as known at its end
	lines  []string // without line ends
}

func (b *block) text() string { return strings.Join(b.lines, "\n") }

var (
	started     = regexp.MustCompile(`^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$`)
	fenced      = regexp.MustCompile("^\\s*(`{3,}|~{3,})")
	lintReport  = "> # Fix any errors below"
	lintAnswer  = "> Attempt to fix lint errors?"
	editReport  = regexp.MustCompile(`^> # \d+ SEARCH/REPLACE blocks? failed to match!`)
	editEndings = []string{"The SEARCH section must exactly match", "Just reply with fixed versions"}
)

// blocks cuts a history. A block is known to be whole only by what follows it,
// so the last one of a file is left until more is written: Aider writes how
// many tokens a reply took right behind it, and each block in one piece.
type blocks struct {
	in     *bufio.Reader
	offset int64 // of the next line
	number int64 // lines read

	known  func(text string) bool // that a line in a reply can only be Aider's own
	style  style                  // of the run
	open   *block
	fence  string // the marks that opened the fence the reply is in
	blanks int    // blank lines right before the next line
	last   kind   // of the block before
	queue  []block
}

// newBlocks continues a history at pos, after a block of the given kind.
func newBlocks(in io.Reader, pos transcript.Position, last kind, style style) *blocks {
	return &blocks{in: bufio.NewReaderSize(in, 64<<10), offset: pos.Offset, number: pos.Line, last: last, style: style}
}

// next returns the next whole block, or io.EOF.
func (b *blocks) next() (block, error) {
	for len(b.queue) == 0 {
		text, size, err := b.readLine()
		if err != nil {
			return block{}, err
		}
		b.add(text, size)
	}
	whole := b.queue[0]
	b.queue = b.queue[1:]
	return whole, nil
}

// readLine reads a line with its newline; one without is not there yet. Of one
// longer than a block may be only the beginning is kept.
func (b *blocks) readLine() (text string, size int64, err error) {
	var held []byte
	for {
		part, err := b.in.ReadSlice('\n')
		size += int64(len(part))
		if len(held) <= transcript.MaxLine {
			held = append(held, part...)
		}
		switch {
		case err == nil:
			return strings.TrimRight(string(held), "\r\n"), size, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return "", 0, io.EOF
		default:
			return "", 0, fmt.Errorf("read history at offset %d: %w", b.offset, err)
		}
	}
}

// add sorts a line into the open block, or closes that and opens another one.
func (b *blocks) add(text string, size int64) {
	b.number++
	if found := started.FindStringSubmatch(text); found != nil && (b.blanks > 0 || b.open == nil) {
		b.close()
		b.style = undecided
		b.start(header)
		b.open.time = found[1]
	}
	b.decide(text)
	if b.open != nil && b.open.kind != header && b.ends(text) {
		b.close()
	}
	if b.open == nil {
		b.start(b.opens(text))
	}
	if b.open != nil {
		b.open.length += size
		b.open.count++
		b.keep(text)
	}
	b.offset += size
	if blank(text) {
		b.blanks++
	} else {
		b.blanks = 0
	}
	if b.open != nil && b.completes(text) {
		b.close()
	}
}

// opens says what begins with this line, none for a blank one.
func (b *blocks) opens(text string) kind {
	switch {
	case blank(text):
		return none
	case strings.HasPrefix(text, lintReport):
		return lint
	case b.style == formatted && isQuoted(text):
		return tool
	case b.style == formatted && isMarked(text):
		return prompt
	case isTool(text) && (hard(text) || isUsage(text) || b.blanks == 0 || b.last == header): // else the model quotes
		return tool
	case b.blanks == 0 && b.last == tool: // further lines of what Aider said
		return tool
	case isPrompt(text):
		return prompt
	}
	return reply
}

// ends says that this line belongs to the open block no more.
func (b *blocks) ends(text string) bool {
	if b.style == formatted {
		return b.endsFormatted(text)
	}
	switch b.open.kind {
	case prompt:
		return !isPrompt(text)
	case lint:
		return !isTool(text)
	case tool:
		return len(b.open.lines) > 0 && isTool(text) && hard(text)
	case reply, long:
		switch {
		case b.fence != "" && hard(text) && isTool(text) && b.known(text): // it was cut off
			return true
		case b.blanks == 0:
			return false
		case isUsage(text): // in one version with the cost on a line of its own
			return true
		}
		return hard(text) && isTool(text) && b.fence == "" || isPrompt(text) && b.blanks > 1
	}
	return false
}

// completes says that the open block needs no further line.
func (b *blocks) completes(text string) bool {
	switch b.open.kind {
	case header:
		return true
	case lint:
		return strings.HasPrefix(text, lintAnswer)
	case tool:
		if !editReport.MatchString(b.open.lines[0]) {
			return hard(text) || b.style == formatted
		}
		for _, ending := range editEndings {
			if hard(text) && b.style != formatted && strings.HasPrefix(text, ending) {
				return true
			}
		}
	}
	return false
}

func (b *blocks) start(k kind) {
	if k == none {
		return
	}
	b.open = &block{kind: k, offset: b.offset, line: b.number}
	b.fence = ""
}

// keep holds a line of the open block, as long as that is not too long.
func (b *blocks) keep(text string) {
	if b.open.kind == reply {
		b.fence = fenceAfter(b.fence, text)
	}
	if b.open.kind == prompt && blank(text) {
		return // a formatter's, between two lines of one prompt
	}
	if b.open.length > transcript.MaxLine {
		b.open.kind, b.open.lines = long, nil
		return
	}
	b.open.lines = append(b.open.lines, text)
}

func (b *blocks) close() {
	if b.open == nil {
		return
	}
	b.last, b.open.style = b.open.kind, b.style
	b.queue = append(b.queue, *b.open)
	b.open = nil
}

// fenceAfter is the fence a line leaves open: a fence ends with at least the
// marks it began with.
func fenceAfter(open, text string) string {
	found := fenced.FindStringSubmatch(text)
	switch {
	case found == nil:
		return open
	case open == "":
		return found[1]
	case strings.HasPrefix(found[1], open) && strings.TrimSpace(text) == found[1]:
		return ""
	}
	return open
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// hard says that a line ends as Aider ends what it writes itself.
func hard(text string) bool { return strings.HasSuffix(text, "  ") }

// isUsage says that a line tells how many tokens a reply took.
func isUsage(text string) bool { return strings.HasPrefix(text, "> Tokens: ") }

func isTool(text string) bool { return strings.HasPrefix(text, "> ") }

func isPrompt(text string) bool {
	return hard(text) && (strings.HasPrefix(text, "#### ") || text == "####  ")
}
