package output

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// ErrorMarks begin or sit in the line of an output that says what went wrong,
// strongest first.
var ErrorMarks = [][]string{
	{"error:", "Error:", "ERROR:", "error[", "Error [", "fatal:", "FATAL", "panic:", "Exception", "panicked at", "BLOCKED", "Code style issues", "undefined:", "error TS", "import cycle"},
	{"--- FAIL", "FAILED", "AssertionError", "FAIL ", "FAIL:", "FAIL\t", "✗", "✘", "×", "not found", "No such file", "cannot ", "Cannot ", "unable to ", "Unable to ", "denied", "refused", "invalid", "Invalid", "unknown", "Unknown", "unrecognized", "no matches", "does not exist", "not exist", "timed out", "Timeout", "expected"},
	{"failed", "Failed", "failure", "Failure", "error", "Error"},
}

// gutter begins a line of a code listing in a message.
var gutter = lazyregexp.New(`^(?:\d+ )?\|`)

// ErrorLine is the first line of an output that says what went wrong, else its
// first line that says anything. Where a shell refused the first command, that is it: what
// other programs say later follows from it, unless tests failed or a file is complained of.
func ErrorLine(output string) string {
	lines := messages(output)
	if len(lines) > 0 && shellSays(lines[0]) && !ReadReport(output).Failed && PositionLine(output) == "" {
		return prose.Clip(lines[0], WhyWidth)
	}
	for _, marks := range ErrorMarks {
		for _, line := range lines {
			if prose.HasAny(line, marks...) && !Hollow.MatchString(line) {
				return prose.Clip(line, WhyWidth)
			}
		}
	}
	for _, line := range lines {
		if !Hollow.MatchString(line) && !banner.MatchString(line) {
			return prose.Clip(line, WhyWidth)
		}
	}
	if len(lines) > 0 {
		return prose.Clip(lines[0], WhyWidth)
	}
	return ""
}

// shellSays says that a line is one with which a shell itself refuses a command. A locale or a
// terminal that it lacks is no reason.
func shellSays(line string) bool { return byShell.MatchString(line) && !shellNoise.MatchString(line) }

var (
	byShell    = lazyregexp.New(`^(?:\(eval\)|(?:/(?:usr/)?bin/)?(?:ba|z|da|k|a)?sh):(?: ?(?:line )?\d+:)? \S`)
	shellNoise = lazyregexp.New(`\bwarning:|\bno job control\b|\bterminal process group\b`)
)

// messages are the lines of an output that may say what went wrong, without the code that some
// point at. A panic and its message are one line.
func messages(output string) []string {
	var raw []string
	for line := range strings.Lines(prose.Excerpt(output)) {
		raw = append(raw, strings.TrimRight(StripANSI(line), "\r\n \t"))
	}
	var out []string
	for i, line := range raw {
		line = strings.TrimSuffix(strings.TrimPrefix(prose.OneLine(line), "<tool_use_error>"), "</tool_use_error>")
		if rest, warned := strings.CutPrefix(line, "[warn] "); warned && strings.HasPrefix(rest, "Code style issues") {
			line = rest // all that Prettier says of a failure
		}
		switch {
		case len(line) < 4, gutter.MatchString(line), verdict.Clean(line), prose.HasPrefixAny(line, unsaying...) && !tally.MatchString(line), nodeFile.MatchString(line):
		case i+1 < len(raw) && carets.MatchString(raw[i+1]): // the code that they point at
		case chain.MatchString(line): // it stands behind what it caused
		default:
			out = append(out, causeOf(panicOf(line, raw[i+1:]), raw[i+1:]))
		}
	}
	return out
}

// unsaying begin lines of tools and runners that say nothing of a failure.
var unsaying = []string{"Exit code", "Error: Exit code", "Wall time", "Chunk ID", "Process exited", "Original token", "Output:", "Script failed", "Finished ", "Compiling ", "Running ", "Downloading ", "> ", "$ ", "=== RUN", "=== PAUSE", "=== CONT", "--- PASS", "ok ", "PASS", "npm warn", "npm WARN", "warning:", "(node:", "Reparsing as ES module", "To eliminate this warning", "(Use `node", "Checking formatting"}

var (
	carets   = lazyregexp.New(`^[\s~]*\^[\s^~]*$`)
	tally    = lazyregexp.New(`^PASS\w*\b.*\bFAIL\w*:? *[1-9]`) // "PASS: 11  FAIL: 1"
	nodeFile = lazyregexp.New(`^node:[\w/.-]+:\d+$`)
	panicked = lazyregexp.New(`\bpanicked at (\S+:\d+:\d+):$`)
	compared = lazyregexp.New(`^ *(?:left|right): `)
)

// longPlace is how long the place of a panic may be before only its file is shown, in bytes.
const longPlace = 60

// panicOf is the line of a panic of Rust with the message on the line below it, and with what was
// compared; another line as it stands.
func panicOf(line string, below []string) string {
	m := panicked.FindStringSubmatch(line)
	if m == nil || len(below) == 0 || strings.TrimSpace(below[0]) == "" {
		return line
	}
	place := m[1]
	if at := strings.LastIndexByte(place, '/'); at > 0 && len(place) > longPlace {
		place = "…" + place[at:]
	}
	line = "panicked at " + place + ": " + prose.OneLine(below[0])
	for _, side := range below[1:min(len(below), 3)] {
		if !compared.MatchString(side) {
			break
		}
		line += ", " + prose.OneLine(side)
	}
	return line
}

var (
	chain   = lazyregexp.New(`^(?:[├╰]─▶|[|` + "`" + `]->) `)
	ordinal = lazyregexp.New(`^\d+: `)
)

// causeOf is a message with what it leads to, or with the innermost of the causes below it.
func causeOf(line string, below []string) string {
	if strings.HasSuffix(line, ":") && len(below) > 0 && strings.HasPrefix(below[0], " ") {
		return line + " " + prose.OneLine(below[0])
	}
	if cause := innermost(below); cause != "" && !strings.Contains(line, cause) {
		return line + ": " + cause
	}
	return line
}

// innermost is the last of the causes that stand below a message: miette draws them as branches,
// anyhow and cargo list them behind "Caused by:".
func innermost(below []string) string {
	cause, listed := "", false
	for i, text := range below {
		bare := strings.TrimSpace(text)
		switch {
		case chain.MatchString(bare):
			_, cause, _ = strings.Cut(bare, " ")
		case bare == "Caused by:" && i < 2:
			listed = true
		case listed && bare != "" && text != bare:
			cause = ordinal.ReplaceAllString(bare, "")
		case bare != "" || i > 0: // one empty line may stand before them
			return prose.OneLine(cause)
		}
	}
	return prose.OneLine(cause)
}

// Hollow are the lines with which a task runner says that what it ran has
// failed, the counts that end a report, and names without a message: they say nothing of why.
var Hollow = lazyregexp.New(`(?i)ELIFECYCLE|command failed with exit code|^make(?:\[\d+\])?: \*\*\*|^error: recipe |^npm err! (?:code|errno)|task failed$|^error command failed|exited with code \d+$|^running \d+ tests?$|^FAIL(?:\s+\S+\s+[\d.]+s)?$|ERROR task failed|^husky - |^\(node:\d+\)|^(?:error|fatal|failed)[:!.]?$|^\W*warn(?:ing)?\b|^\S*\d\d:\d\d:\d\d\S*\s+WARN\b|^\d+:\d+\s+warning\b|^std(?:err|out) \| |^Found \d+ (?:errors?|warnings? and \d+ errors?)\b|^(?:Error|error): \w+(?:::\w+)+$|^/?[\w.@-]+(?:/[\w.@()\[\]-]+)+$`)

// banner is a heading that a script prints above what it does: "=== 1. Build ===".
var banner = lazyregexp.New(`^(={2,}|-{2,}|#{2,}|\*{2,}) .* (?:={2,}|-{2,}|#{2,}|\*{2,})$`)

// WhyWidth is how much of an error is kept, in characters.
const WhyWidth = 170
