package aider

import (
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// maxCommand bounds a linter's command, in bytes: the file stands in it.
const maxCommand = 500

// ownFolder is where a handoff lies.
const ownFolder = ".carryover/"

// said is the open block without the marks Aider puts before its lines.
func (h *history) said() string {
	lines := make([]string, len(h.block.lines))
	for i, line := range h.block.lines {
		lines[i] = strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(line, ">"), " "), " ")
	}
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	if h.block.style == formatted {
		return unescape(text)
	}
	return text
}

// systemMessage reads what Aider says itself: mostly announcements, but also what came
// of everything the model wanted.
func (h *history) systemMessage() {
	text := h.said()
	name, groups, class := h.sorter.Sort(text)
	if class != toolspecs.Read {
		h.Coverage().Skipped++
	} else {
		h.Coverage().Read++
	}
	if name != "tool/output-added" {
		h.flush(false)
	}
	if h.state.Malformed && name == "tool" && text != "" && !strings.HasPrefix(text, "https://") {
		h.failEdits(text)
	}
	h.state.Saving = h.state.Saving || name == "tool/saving"
	h.say(name, text, groups)
	if name != "tool" || !isPath(text) {
		h.state.Offered = nil
	} else { // the question whether to add it stands behind it
		h.state.Offered = transcript.Remember(h.state.Offered, text, maxOffered)
	}
}

// maxOffered bounds how many files one question offers.
const maxOffered = 24

// isPath says that a line is one name with an ending or a folder.
func isPath(line string) bool {
	return line != "" && !strings.ContainsAny(line, " \t\n") && strings.ContainsAny(line, "./") && !strings.HasPrefix(line, "http")
}

// say reads a text of a known kind, with what its pattern's groups hold.
func (h *history) say(name, text string, groups []string) {
	group := func(n int) string {
		if n < len(groups) {
			return groups[n]
		}
		return ""
	}
	switch name {
	case "tool/command":
		h.commandLine(text)
	case "tool/version":
		h.state.Version = group(1)
		h.emit("start", transcript.Event{Kind: transcript.Session, Start: h.start()})
	case "tool/model":
		h.state.Model, h.state.Format = group(1), group(2)
		h.emit("start", transcript.Event{Kind: transcript.Session, Start: h.start()})
	case "tool/editor":
		h.state.Editor = group(1)
	case "tool/editor-turn":
		h.state.Editing = true
	case "tool/editor-declined":
		h.state.Aside = true
		h.completed()
	case "tool/usage":
		h.usage(group(1), group(2))
		h.completed()
	case "tool/applied":
		h.applied(group(1))
		h.state.Ended = false // an edit that could not be made out in the reply is recorded behind its end
		h.completed()
	case "tool/declined":
		h.declined(group(1), group(2))
	case "tool/malformed":
		h.state.Malformed = true
	case "tool/failed-edit":
		h.failedBlocks(text)
	case "tool/commit":
		h.committed(group(1), group(2))
	case "tool/undone":
		h.undone(group(1), group(2))
	case "tool/added", "tool/missing", "tool/dropped", "tool/unmapped", "tool/accepted":
		h.chat(name, group(1))
	case "tool/running":
		h.state.Running = h.call(&transcript.CallInfo{Name: "shell", Meaning: transcript.Shell, Command: group(1)})
	case "tool/output-question":
		h.state.Asked = true
	case "tool/output-added":
		h.outputAdded()
	case "tool/error", "tool/gave-up":
		h.failed(text)
	case "tool/interrupted":
		h.interrupted()
	case "tool/watched":
		h.state.Watched = true
	case "tool/cleared":
		h.emit("0", transcript.Event{Kind: transcript.Compacted, Compaction: &transcript.CompactionInfo{Trigger: "manual", Cleared: true}})
	}
}

// architect is the edit format in which a second model, the editor, makes the edits.
const architect = "architect"

// chat reads which files come into the chat, and which leave it.
func (h *history) chat(name, file string) {
	switch name {
	case "tool/added":
		h.added(file)
	case "tool/missing":
		h.state.Lost = h.state.Names.rel(file)
	case "tool/dropped":
		h.dropped(file)
	case "tool/unmapped": // git knows it, and it is not there
		h.gone(file)
	case "tool/accepted":
		h.accepted()
	}
}

// added reads which files the model is shown from now on. Ours among them says
// that the handoff reached this run.
func (h *history) added(files ...string) {
	var paths []string
	for _, file := range files {
		if strings.Contains(slashed(file), ownFolder) {
			h.emit("0", transcript.Event{Kind: transcript.Restored})
			return
		}
		if file != "" {
			paths = append(paths, h.state.Names.rel(file))
		}
	}
	if len(paths) == 0 {
		return
	}
	var origin transcript.Origin
	if h.state.Ended { // between two turns only the person adds one
		origin = transcript.Typed
	}
	h.result(h.callBy(origin, &transcript.CallInfo{Name: "add", Meaning: transcript.Read, Paths: paths}), transcript.ResultInfo{})
}

// dropped reads that a file leaves the chat. Where it was found not to be there, that was a read which failed.
func (h *history) dropped(file string) {
	lost := h.state.Lost
	h.state.Lost = ""
	h.state.Names.Typed = []string{file}
	if lost == "" || !strings.HasSuffix(slashed(lost), slashed(file)) {
		return
	}
	h.gone(lost)
}

// gone reads that a file is not there.
func (h *history) gone(file string) {
	call := h.callBy(transcript.Typed, &transcript.CallInfo{Name: "add", Meaning: transcript.Read, Paths: []string{h.state.Names.rel(file)}})
	h.result(call, transcript.ResultInfo{Failed: true, Text: "file not found error"})
}

// commandLine reads how Aider was started.
func (h *history) commandLine(text string) {
	for _, word := range strings.Fields(text) {
		if name, _, _ := strings.Cut(word, "="); h.Spec.HeadlessRecord("argument", name) {
			h.state.Headless = true
		}
	}
}

// usage reads how many tokens a reply took: "2.3k sent, 150 received".
func (h *history) usage(sent, received string) {
	h.state.Busy = false
	total := tokens(sent) + tokens(received)
	if total == 0 {
		return
	}
	h.emit("0", transcript.Event{Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
		Context: total, Window: h.Spec.Window(h.state.Model), Model: h.state.Model,
	}})
}

func tokens(text string) int64 {
	number, scale := strings.ReplaceAll(text, ",", ""), 1.0
	if rest, thousands := strings.CutSuffix(number, "k"); thousands {
		number, scale = rest, 1000
	}
	read, err := strconv.ParseFloat(number, 64)
	if err != nil || read < 0 {
		return 0
	}
	return int64(read*scale + 0.5)
}

// committed reads a commit that Aider made itself. It is recorded as git prints it,
// so that it counts as one whoever made it. Before it applies edits, Aider commits what
// the person has changed in the same files: that one is theirs.
func (h *history) committed(id, subject string) {
	var origin transcript.Origin
	if h.state.Saving {
		origin, h.state.Saving = transcript.Typed, false
	}
	call := h.callBy(origin, &transcript.CallInfo{Name: "commit", Meaning: transcript.Shell, Command: "git commit"})
	h.result(call, transcript.ResultInfo{Text: "[HEAD " + id + "] " + subject})
}

// undone reads that the person took Aider's last commit back (/undo), as git prints it.
func (h *history) undone(id, subject string) {
	call := h.callBy(transcript.Typed, &transcript.CallInfo{Name: "/undo", Meaning: transcript.Shell, Command: "git reset --hard HEAD~1"})
	h.result(call, transcript.ResultInfo{Text: "HEAD is now at " + id + " " + subject})
}

// outputAdded tells a failing test from output the user wanted in the chat:
// Aider asks about the latter only.
func (h *history) outputAdded() {
	if h.state.Asked {
		h.state.Asked = false
		h.flush(false)
		return
	}
	if h.state.Running != "" { // the test command of the settings, by /test alone
		h.state.Running, h.state.Test = "", h.state.Running
	}
	if h.state.Test == "" {
		h.state.Test = h.call(&transcript.CallInfo{Name: "test", Meaning: transcript.Shell, Detail: "the configured test command"})
	}
	h.flush(true)
}

// lintReport reads what a linter found in the files just edited.
func (h *history) lintReport() {
	h.flush(false)
	var command string
	var found []string
	for line := range strings.SplitSeq(h.said(), "\n") {
		if name, ok := strings.CutPrefix(line, "## Running: "); ok && command == "" {
			command = transcript.Truncate(name, maxCommand)
			continue
		}
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix("> "+line, lintAnswer) {
			found = append(found, line)
		}
	}
	call := h.call(&transcript.CallInfo{Name: "lint", Meaning: transcript.Shell, Command: command})
	h.result(call, transcript.ResultInfo{Failed: true, Text: strings.Join(found, "\n")})
}

// completed ends a turn, once: the reply is counted and none of its edits is open. The
// commit of the edits comes behind that. A plan of architect mode ends none: the editor
// model comes next.
func (h *history) completed() {
	if h.plans() && !h.state.Editing {
		return
	}
	if h.state.Ended || h.state.Failed || h.state.Malformed || h.state.Retries || len(h.state.Open) > 0 {
		return
	}
	h.state.Ended = true
	h.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
}

// accepted takes a file into the chat that a reply named: the model is asked again with it.
func (h *history) accepted() {
	h.state.Ended = true // the person adds it
	h.added(h.state.Offered...)
	h.state.Busy, h.state.Ended = true, false
}

// plans says that what is asked for now is answered by a plan, which the editor model carries out
// unless the person declines.
func (h *history) plans() bool { return h.state.Format == architect && !h.state.Aside }

// failed ends a turn, once, however often Aider tries again.
func (h *history) failed(why string) {
	if h.state.Failed {
		return
	}
	h.state.Failed = true
	h.emit("0", transcript.Event{
		Kind: transcript.Turn, Text: transcript.TurnFailed, Result: &transcript.ResultInfo{Failed: true, Text: why},
	})
}

// interrupted ends a turn whose reply was not finished.
func (h *history) interrupted() {
	if !h.state.Busy {
		return
	}
	h.state.Busy = false
	h.emit("0", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnInterrupted})
}

// isOwn says that a line within a reply is Aider's own by what it says.
func (r *Reader) isOwn(line string) bool {
	text := strings.TrimSpace(strings.TrimPrefix(line, ">"))
	name, _, _ := r.sorter.Sort(text)
	return name != "tool" || answered.MatchString(text)
}
