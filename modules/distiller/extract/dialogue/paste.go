package dialogue

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// leaveOutPastes takes what a program wrote out of the lines of a person, where the line
// alone reads like theirs.
func leaveOutPastes(lines []string, human []bool) {
	quotedPrompts(lines, human)
	terminal(lines, human)
	comments(lines, human)
	frames(lines, human)
	labelledOutput(lines, human)
	ownLines(lines, human)
}

// quotedPrompts takes a command out of the lines of a person that was pasted with what it
// printed: behind a ">", as some shells prompt.
func quotedPrompts(lines []string, human []bool) {
	for i := range len(lines) - 1 {
		if strings.HasPrefix(lines[i], "> ") && IsLog(strings.TrimSpace(lines[i+1])) {
			human[i] = false
		}
	}
}

// terminal takes a pasted piece of a terminal out of the lines of a person: from a shell's
// prompt on, where much follows, only the last paragraph can be theirs; where little does,
// and nothing stands before it, its first paragraph is not.
func terminal(lines []string, human []bool) {
	from := slices.IndexFunc(lines, func(line string) bool { return shellPrompt.MatchString(strings.TrimSpace(line)) })
	if from == 0 && len(lines) <= longPaste {
		for i := 0; i < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
			human[i] = false
		}
	}
	if from < 0 || len(lines)-from <= longPaste {
		return
	}
	last := len(lines) - 1
	for last > from && strings.TrimSpace(lines[last]) != "" {
		last--
	}
	for i := from; i <= last; i++ {
		human[i] = false
	}
}

// comments takes a comment of code that goes over lines out of those of a person.
func comments(lines []string, human []bool) {
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(strings.TrimSpace(lines[i]), "/*") {
			continue
		}
		end := slices.IndexFunc(lines[i:], func(line string) bool { return strings.Contains(line, "*/") })
		for range end + 1 { // none where it does not end
			human[i], i = false, i+1
		}
	}
}

// frames takes the source out of the lines of a person that Python shows below each frame of a
// traceback.
func frames(lines []string, human []bool) {
	for i, line := range lines[:len(lines)-1] {
		if pythonFrame.MatchString(line) && prose.HasPrefixAny(lines[i+1], "  ", "\t") {
			human[i+1] = false
		}
	}
}

var pythonFrame = lazyregexp.New(`^\s*File ".+", line \d+`)

// labelledOutput takes the lines out of those of a person that begin as many others do,
// with the name of what printed them: "web-1  | …", "docs:lint: …".
func labelledOutput(lines []string, human []bool) {
	count := map[string]int{}
	for _, line := range lines {
		count[printedBy.FindString(line)]++
	}
	for i, line := range lines {
		if label := printedBy.FindString(line); label != "" && count[label] >= manyAlike {
			human[i] = false
		}
	}
}

// printedBy is how tools that run others mark the lines of each.
var printedBy = lazyregexp.New(`^(?:[\w@/.-]+:[\w:./-]+:|[\w.-]+ *\|)(?: |$)`)

// manyAlike is how many lines with the same mark are a program's.
const manyAlike = 3

// ownLines takes what stands indented within a long paste of a program's output out of
// the lines of a person, as long as one is left.
func ownLines(lines []string, human []bool) {
	indented := func(i int) bool { return prose.HasPrefixAny(lines[i], "  ", "\t") }
	own := 0
	for i := range lines {
		if human[i] && !indented(i) {
			own++
		}
	}
	if own == 0 || countLogs(lines, human) < longPaste {
		return
	}
	for i := range lines {
		human[i] = human[i] && !indented(i)
	}
}

// longPaste is how many lines of a program's output make what is indented beside them
// the program's too.
const longPaste = 6

var logLine = lazyregexp.New(`^(?:` +
	`(?:FAIL|PASS|OK|ok)$|(?:Cloning|Downloading|Installing|Compiling|Building|Fetching|Resolving|Updating|Collecting|Unpacking|Counting|Receiving)\b.*(?:\.\.\.|://)|` + // progress
	`\[[\w:.-]{2,30}\] |\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|` + // time stamps
	`at .+[:(]\d+|File ".+", line \d+|Traceback|goroutine \d+|` + // traces
	`\$ |% |PS [A-Z]:|❯ |➜ |[\w.-]+@[\w.-]+[:~ ].*[$#%] |>>> |` + // prompts of shells
	`(?:---|===) |(?:PASS|FAIL|FAILED|ERROR|WARN|INFO|DEBUG|TRACE)\b[\s:\[]|ok(?:\t| {2})|` + // runners and loggers
	`(?:\w+\.)*[A-Z]\w*(?:Error|Exception): |npm (?:ERR!|error|warn)|error(?:\[\w+\])?:|warning:|fatal:|panic:|Error:|Exception|✗|✓|✔|✘|×|` +
	`[\w./\\-]+\.\w+[:(]\d+|\+{3} |-{3} |@@ |diff --git|index [0-9a-f]{7}|` + // positions and diffs
	`[├└│┌╭╰|]|\d+\s*[|│]|` + // drawings and listings
	`"[\w.-]+" ?: ?["\d{\[tfn]|` + // data
	`[{};<]|[\])]+[;,]?$|(?:const|let|var) [\w{\[]+.* =|func \(?\w+|(?:async )?(?:def|function) \w+\(|class \w+[:({]|` + // code
	`return .*;$|.*[)\]}'"];$|import .*['";]$|from \S+ import |package \w+;?$|export (?:default|const|function|class) |(?:public|private) [\w<>]+ \w+` +
	`)`)

// IsLog says whether a line was printed or written by a program.
func IsLog(line string) bool {
	return logLine.MatchString(line) || tagLine.MatchString(line) || strings.Contains(line, "\x1b[")
}

func countLogs(lines []string, human []bool) int {
	n := 0
	for i, line := range lines {
		if !human[i] && strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// anyPaste stands for pasted output that shows neither a command nor an error.
const anyPaste = "a program's output"

// others are the lines that the person did not write.
func others(lines []string, human []bool) []string {
	var out []string
	for i, line := range lines {
		if !human[i] {
			out = append(out, line)
		}
	}
	return out
}

var shellPrompt = lazyregexp.New(`^(?:\$ |% |PS [A-Z]:[^>]*> ?|❯ |➜ {2}\S+ (?:git:\(\S+\) )?(?:✗ )?|➜ +|[\w.-]+@[\w.-]+[:~ ][^$#%]*[$#%] )(.+)$`)

// describePaste says in words what a pasted log shows: the command at its
// prompt and the line that tells what went wrong.
func describePaste(lines []string) string {
	command := ""
	for _, line := range lines {
		if indented := prose.HasPrefixAny(line, "  ", "\t") && !prose.HasPrefixAny(lines[0], "  ", "\t"); indented {
			continue // a program shows what to type
		}
		if m := shellPrompt.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			command = prose.Clip(prose.OneLine(m[1]), 100)
		}
	}
	text := strings.Join(lines, "\n")
	failed := ""
	if r := output.ReadReport(text); len(r.Tests) > 0 {
		failed = prose.Clip(r.Tests[len(r.Tests)-1], 100)
	}
	line := prose.Clip(output.ErrorLine(text), 120)
	if failed != "" && !strings.Contains(line, failed) {
		line = failed + ": " + line
	}
	switch {
	case command != "" && line != "" && !strings.Contains(line, command):
		return command + " → " + line
	case line != "":
		return line
	}
	return command
}
