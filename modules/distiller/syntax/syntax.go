// Package syntax says what the text of an edit shows about the code: which
// functions and types it touches, which TODO notes it adds or takes away, and
// whether it leaves the file broken. With a C compiler tree-sitter parses Go,
// Python, TypeScript, JavaScript and Rust; without one a reader of lines stands
// in, which knows the same notes and fewer symbols. Engine says which one is
// built in.
package syntax

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// maxAround is how much text around a change is parsed, in bytes: tree-sitter
// does about 7 MB/s.
const maxAround = 64 << 10

// maxFound bounds the symbols and the notes of one edit.
const maxFound = 8

// found is what a parser sees in a text.
type found struct {
	symbols []symbol
	notes   []note
	broken  bool
}

// symbol is a definition with the bytes it spans.
type symbol struct {
	name       string
	start, end int
}

// note is a comment that says that something is left to do: a TODO or FIXME, or one that calls
// the code a placeholder.
type note struct {
	text  string
	start int
}

// Annotate makes the event that says what an edit shows, to stand behind its
// call. file is the file's text after the edit where it is at hand, else "":
// then only what the edit itself holds is looked at. False when there is
// nothing to say.
func Annotate(call transcript.Located, file string) (transcript.Located, bool) {
	edit := call.Edit
	if edit == nil || call.Call == nil || languageOf(edit.Path) == "" || len(edit.After)+len(edit.Before) > maxAround {
		return transcript.Located{}, false
	}
	info, symbols := read(edit, file)
	if len(symbols) == 0 && len(info.Added) == 0 && len(info.Gone) == 0 && !info.Broken && !info.Whole {
		return transcript.Located{}, false
	}
	out := transcript.Located{Ref: call.Ref}
	out.Ref.Block += codeBlock
	out.Event = transcript.Event{
		Tool: call.Tool, Session: call.Session, ID: "code:" + call.ID, Parent: call.Call.ID, Time: call.Time, Kind: transcript.Code,
		Symbols: symbols, Code: info, Subagent: call.Subagent, Withdrawn: call.Withdrawn,
	}
	return out, true
}

// codeBlock sets the events made here apart from the blocks of a record.
const codeBlock = 1 << 16

func read(edit *transcript.EditText, file string) (*transcript.CodeInfo, []string) {
	lang := languageOf(edit.Path)
	before, after := notesOf(lang, edit.Before), notesOf(lang, edit.After)
	info := &transcript.CodeInfo{Path: edit.Path, Added: newNotes(after, before), Gone: newNotes(before, after)}
	start, end := changed(edit.Before, edit.After)
	var whole found
	if around, at, ok := surround(file, edit.After); !ok {
		if mayDefine(lang, edit.After) {
			whole = parse(lang, edit.After, everything)
		}
	} else {
		start, end = start+at, end+at
		whole = parse(lang, around, span{start, end})
		if len(around) == len(file) {
			info.Whole = true
			info.Broken = whole.broken && !parse(lang, strings.Replace(file, edit.After, edit.Before, 1), span{}).broken
		}
	}
	return info, touched(whole.symbols, start, end)
}

// notesOf are the notes of a text. To parse is what costs, so a text without the
// words of a note is not parsed for them.
func notesOf(lang, text string) []note {
	if !slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) }) && !mayBeUnreal.MatchString(text) {
		return nil
	}
	return parse(lang, text, everything).notes
}

// marks begin a note.
var marks = []string{"TODO", "FIXME"}

// unreal is how a comment says that the code below it only stands for what it should do.
var unreal = lazyregexp.New(`(?i)^\W*placeholder\b|\ba placeholder\b|\bplaceholder (?:implementation|for|until|error|value|data|logic|code)|\b(?:real|actual|full) implementation\b|\bnot (?:yet )?implemented\b`)

// mayBeUnreal finds every text that unreal may find a line of.
var mayBeUnreal = lazyregexp.New(`(?i)placeholder|implementation|implemented`)

// span is a part of a text in bytes; only what meets it is looked at.
type span struct{ start, end int }

// everything is the whole of any text.
var everything = span{0, math.MaxInt}

// changed are the bytes of the new text that differ from the old one.
func changed(before, after string) (start, end int) {
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	end = len(after)
	for b := len(before); b > start && end > start && before[b-1] == after[end-1]; b-- {
		end--
	}
	if start < len(after) && after[start] != '\n' { // else it begins behind a line
		for start > 0 && end > start && after[start-1] != '\n' && after[start-1] == after[end-1] { // what was put before a line that begins alike
			start, end = start-1, end-1
		}
	}
	if text := after[start:end]; strings.Trim(text, "\n") != "" { // the lines around it are what they were
		start += len(text) - len(strings.TrimLeft(text, "\n"))
		end -= len(text) - len(strings.TrimRight(text, "\n"))
	}
	return start, end
}

// surround finds the new text in the file and cuts out what is to be parsed
// with it.
func surround(file, after string) (around string, at int, ok bool) {
	if after == "" || file == "" {
		return "", 0, false
	}
	i := strings.Index(file, after)
	if i < 0 {
		return "", 0, false
	}
	if len(file) <= maxAround {
		return file, i, true
	}
	from := max(0, i-maxAround/2)
	if from > 0 {
		from += strings.IndexByte(file[from:], '\n') + 1
	}
	to := min(len(file), from+maxAround)
	if from > i || to < i+len(after) {
		return after, 0, true
	}
	return file[from:to], i - from, true
}

// touched are the innermost definitions that a change lies in or holds.
func touched(all []symbol, start, end int) []string {
	var out []string
	for _, s := range all {
		if s.end <= start || s.start > end {
			continue
		}
		inner := slices.ContainsFunc(all, func(o symbol) bool {
			return o != s && o.start >= s.start && o.end <= s.end && o.start <= start && o.end >= end
		})
		if !inner && !slices.Contains(out, s.name) && len(out) < maxFound {
			out = append(out, s.name)
		}
	}
	return out
}

// newNotes are the notes of one text that the other does not have.
func newNotes(in, without []note) []string {
	var out []string
	for _, n := range in {
		if !slices.ContainsFunc(without, func(o note) bool { return o.text == n.text }) && len(out) < maxFound {
			out = append(out, n.text)
		}
	}
	return out
}

// noteText is what a comment says is left to do, "" for nothing.
func noteText(comment string) string {
	for line := range strings.Lines(comment) {
		for _, mark := range marks {
			if i := strings.Index(line, mark); i >= 0 && (i == 0 || !letter(line[i-1])) && (i+len(mark) == len(line) || !letter(line[i+len(mark)])) {
				return uncommented(line[i:])
			}
		}
		if unreal.MatchString(line) {
			return uncommented(line)
		}
	}
	return ""
}

// uncommented is a line without the signs of a comment around it.
func uncommented(line string) string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(strings.TrimSpace(line), "/*#-\"' \t"), "*/"))
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// languageOf is the language of a file by its name, "" for one we do not read.
func languageOf(p string) string {
	switch path.Ext(p) {
	case ".go":
		return "go"
	case ".py", ".pyi":
		return "python"
	case ".ts", ".mts", ".cts":
		return "typescript"
	case ".tsx":
		return "tsx"
	case ".js", ".jsx", ".mjs", ".cjs":
		return "javascript"
	case ".rs":
		return "rust"
	}
	return ""
}
