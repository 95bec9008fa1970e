package dialogue

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Wording is a prompt as it was said: the person's own words apart from what
// came along with them.
type Wording struct {
	Words  string   // what the person said, one paragraph, "" when nothing
	Own    string   // the lines of a prompt that the person wrote, as they stand
	Pasted string   // in words what was pasted: a failing command, an error line
	Slash  bool     // the words are the arguments of a slash command
	Bare   bool     // the words are a slash command without any
	Steers string   // the slash command that usually only steers the tool; then there are no words
	Plan   bool     // the words are the title of a plan to implement
	Parts  []string // of a request that is too long to be quoted
}

// MachineBlocks are what tools and editors put into the user's message.
var MachineBlocks = lazyregexp.New(`(?s)<(system-reminder|environment_context|ide_opened_file|ide_selection|ide_diagnostics|local-command-stdout|local-command-stderr|local-command-caveat|bash-stdout|bash-stderr|bash-input|command-message|command-name|command-contents|task-notification|user-prompt-submit-hook|recommended_plugins|user_instructions|INSTRUCTIONS|permissions instructions|turn_aborted|attached_files|additional_context)\b[^>]*>.*?</[^>]+>`)

var (
	commandArgs = lazyregexp.New(`(?s)<command-args>(.*?)</command-args>`)
	commandName = lazyregexp.New(`<command-name>/?([^<]*)</command-name>`)
	imageMark   = lazyregexp.New(`\[(?:Image|image|Pasted text|Attachment)[^\]]*\]|<image[^>]*>|</image>`)
	tagLine     = lazyregexp.New(`^</?[A-Za-z_][\w-]*(?: [^>]*)?>$`)
	planPrefix  = lazyregexp.New(`(?i)^(?:please )?implement (?:the following|this) plan:?`)
	slashWord   = lazyregexp.New(`^/[A-Za-z][\w:-]*(?:\s|$)`)
)

// ReadPrompt reads a prompt. The rules: machine blocks are cut; a slash
// command gives its arguments only; a plan gives its title; of a long paste
// the human sentences at its start and end count; logs are told apart from
// prose line by line.
func ReadPrompt(text string, origin transcript.Origin, lex *words.Lexicon) Wording {
	if strings.HasPrefix(strings.TrimSpace(text), transcript.Sentinel) || strings.Contains(text, "<!--CARRYOVER") {
		return Wording{}
	}
	if args := commandArgs.FindStringSubmatch(text); args != nil {
		name := ""
		if m := commandName.FindStringSubmatch(text); m != nil {
			name = strings.TrimSpace(m[1])
		}
		return slashRequest(name, args[1], lex)
	}
	if m := commandName.FindStringSubmatch(text); m != nil && strings.TrimSpace(MachineBlocks.ReplaceAllString(text, "")) == "" {
		return slashRequest(strings.TrimSpace(m[1]), "", lex)
	}
	if origin == transcript.Machine || origin == transcript.Injected {
		return Wording{}
	}
	text = MachineBlocks.ReplaceAllString(text, "")
	text = strings.TrimSpace(imageMark.ReplaceAllString(text, ""))
	if m := slashWord.FindString(text); m != "" {
		return slashRequest(strings.TrimSpace(m[1:]), text[len(m):], lex)
	}
	if machinePrompt(text) || leaves[text] {
		return Wording{}
	}
	if m := planPrefix.FindString(text); m != "" {
		return Wording{Words: "Implement the plan: " + planInShort(text[len(m):]), Plan: true, Parts: Parts(text[len(m):])}
	}
	if IsNudge(text, lex) { // "ok" is no line of a test run
		return Wording{Words: prose.Plain(text)}
	}
	return humanPart(text, lex)
}

// machinePrompt recognises what a tool wrote in the user's name.
func machinePrompt(text string) bool {
	return prose.HasPrefixAny(text, "Caveat:", "This session is being continued", "[Request interrupted", "# AGENTS.md", "<environment_context",
		"Stop hook feedback", "Base directory for this skill", "Unknown slash command", "[SYSTEM", "You are Claude Code", "<teammate-message")
}

// leaves are what shells and programs are left by, typed where a request goes.
var leaves = prose.SetOf("exit quit :q :q! :wq logout")

// ownCommands begins the names of Carryover's own commands: they look things up.
const ownCommands = "carryover:"

// slashCommands that only steer the tool: their arguments are no request.
var slashCommands = prose.SetOf("compact clear model exit quit help login logout config resume init status cost memory permissions mcp hooks agents plugin " +
	"fast effort theme vim doctor bug context usage rename export add-dir terminal-setup statusline output-style review-settings new undo diff approvals drop")

func slashRequest(name, args string, lex *words.Lexicon) Wording {
	args = prose.OneLine(args)
	base := name[strings.LastIndexByte(name, ':')+1:]
	switch {
	case strings.HasPrefix(name, ownCommands):
		return Wording{}
	case slashCommands[base]:
		return Wording{Steers: name}
	}
	if len(words.Tokens(args)) == 0 || IsNudge(args, lex) {
		return Wording{Words: "run /" + name, Slash: true, Bare: true}
	}
	r := humanPart(args, lex)
	if base != "" && r.Words != "" {
		r.Words = strings.ReplaceAll(base, "-", " ") + ": " + r.Words
	}
	r.Slash = true
	return r
}

var frontMatter = lazyregexp.New(`(?:^|\s)---$`)

// MaxWords is how long a request may be quoted, in runes.
const MaxWords = 600

// A prompt that begins by giving the agent a role is a template; the request in
// it is its first sentence that tells what to do.
var (
	roleStart = lazyregexp.New(`^You are (?:an?|the) [^\n]{3,}\n`)
	tellsToDo = lazyregexp.New(`^(?:Analy[sz]e|Answer|Assess|Check|Classify|Compare|Create|Decide|Evaluate|Explain|Extract|Find|Fix|Generate|Identify|Implement|List|Produce|Read|Review|Summari[sz]e|Verify|Write) .{15,}`)
)

func askedOfRole(text string) string {
	if !roleStart.MatchString(text) {
		return ""
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); tellsToDo.MatchString(line) {
			return prose.Plain(line)
		}
	}
	return ""
}

// humanPart takes the person's sentences out of a prompt that may hold logs,
// code or documents.
func humanPart(text string, lex *words.Lexicon) Wording {
	if asked := askedOfRole(text); asked != "" {
		return Wording{Words: prose.Clip(asked, MaxWords)}
	}
	lines := strings.Split(text, "\n")
	human := make([]bool, len(lines))
	fenced, any := false, false
	for i, line := range lines {
		line = strings.Trim(line, " \t\r│┃|")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if frontMatter.MatchString(line) && len(lines)-i > 10 && (any || len(line) > 12) {
			lines[i] = strings.TrimRight(line, "-!: ")
			human[i] = IsProse(lines[i])
			any = any || human[i]
			break // a pasted document begins
		}
		if after := closing.ReplaceAllString(line, ""); after != line && !fenced && IsProse(after) {
			line, lines[i] = after, after // what was pasted ends on the line
		}
		human[i] = !fenced && IsProse(line)
		any = any || human[i]
	}
	if !any {
		if len(lines) <= 2 && !IsLog(strings.TrimSpace(text)) {
			return Wording{Words: prose.Clip(prose.Plain(text), MaxWords)}
		}
		return Wording{Pasted: describePaste(lines)}
	}
	leaveOutPastes(lines, human)
	r := Wording{Words: joinHuman(lines, human), Own: ownText(lines, human)}
	r.Parts = Parts(strings.Join(withEntries(lines, human), "\n"))
	logs := countLogs(lines, human)
	if logs >= 3 || logs > 0 && (!fenced && IsThin(r.Words, lex) || output.ReadReport(text).Failed) {
		r.Pasted = cmp.Or(describePaste(others(lines, human)), anyPaste)
	}
	return r
}

// closing begins a line on which pasted data ends and the person goes on; opening ends
// one on which it begins.
var (
	closing = lazyregexp.New(`^[}\])]+[.,;:]? +`)
	opening = lazyregexp.New(`[ :]*[{\[(]+$`)
)

// ownText are the human lines as they stand, with the blank ones between them.
func ownText(lines []string, human []bool) string {
	var own []string
	for i, line := range lines {
		if human[i] || strings.TrimSpace(line) == "" {
			own = append(own, line)
		}
	}
	return strings.TrimSpace(strings.Join(own, "\n"))
}

// joinHuman quotes the human lines: all of a short prompt; of a long one its list in
// short, else the first and the last paragraph.
func joinHuman(lines []string, human []bool) string {
	var own, parts []string
	size := 0
	for i, line := range lines {
		if human[i] {
			line = strings.Trim(line, " \t\r│┃|")
			own = append(own, line)
			line = prose.Plain(line)
			if i+1 < len(lines) && !human[i+1] {
				line = opening.ReplaceAllString(line, " …")
			}
			parts = append(parts, line)
			size += len(line)
		}
	}
	if size <= MaxWords || len(parts) < 3 {
		return prose.Clip(strings.Join(parts, " "), MaxWords)
	}
	if short := listInShort(own); short != "" {
		return prose.Clip(short, MaxWords)
	}
	first := prose.Clip(leading(parts, MaxWords/2), MaxWords*2/3)
	last := parts[len(parts)-1]
	if isHeadingLike(last) || strings.HasPrefix(last, "- ") {
		return prose.Clip(leading(parts, MaxWords), MaxWords)
	}
	return first + " […] " + prose.Clip(last, MaxWords/3)
}

// leading joins parts from the start until they hold n bytes; of a part that is
// longer than the room left for it stands its beginning, for what is asked about
// is often there.
func leading(parts []string, n int) string {
	out := parts[0]
	for _, p := range parts[1:] {
		if room := n - len(out); len(p) > room {
			if room > minPart && len(out) < n*3/4 {
				out += " " + prose.Clip(p, room)
			}
			break
		}
		out += " " + p
	}
	return out
}

// minPart is the fewest bytes of a part that are worth quoting.
const minPart = 60

func isHeadingLike(s string) bool { return strings.HasPrefix(s, "#") || strings.HasSuffix(s, ":") }

// IsProse says whether a line reads like a person's sentence: letters and
// spaces, no program's shape.
func IsProse(line string) bool {
	if line == "" || IsLog(line) {
		return false
	}
	letters, spaces, total := 0, 0, 0
	wide := false
	for _, r := range line {
		total++
		switch {
		case unicode.IsLetter(r):
			letters++
			wide = wide || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		case r == ' ':
			spaces++
		}
	}
	if wide {
		return letters*3 >= total
	}
	if strings.Contains(line, "http") {
		return spaces >= 1 || len(line) < 200
	}
	return letters > 0 && (letters+spaces)*10 >= total*7
}
