package kimicode

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// gitContext is what the tool puts before a subagent's task.
var gitContext = regexp.MustCompile(`(?s)^<git-context>.*?</git-context>\s*`)

// prompt reads what the user typed, or what a subagent was asked.
func (w *wire) prompt() {
	said := gitContext.ReplaceAllString(kit.Text(w.Record.Input), "")
	event, spoken := w.Prompted(said)
	switch {
	case !spoken:
		return
	case event.Kind != transcript.Prompt: // ours
	case w.sub():
		event.Origin = transcript.Injected
	case w.Record.Origin.Kind != "user":
		event.Origin = transcript.Machine
	}
	w.emit("0", event)
}

// heard reads what a hook said to the model: our own text is told of.
func (w *wire) heard() {
	_, inner, framed := strings.Cut(kit.Text(w.Record.Message.Content), "\n")
	if framed && transcript.Ours(inner) {
		w.emit("0", transcript.Event{Kind: transcript.Restored})
	}
}

func (w *wire) said() {
	part := w.Record.Event.Part
	if said := strings.TrimSpace(part.Text); part.Type == "text" && said != "" {
		w.Decisions(w.emit("0", transcript.Event{Kind: transcript.Reply, Text: said}), said)
	}
}

// used reads how full the context was after a step.
func (w *wire) used() {
	usage := w.Record.Event.Usage
	if total := usage.Input + usage.Read + usage.Creation + usage.Output; total > 0 {
		w.emit("0", transcript.Event{Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{Context: total}})
	}
}

func (w *wire) call() {
	asked := w.Record.Event
	known, found := w.Calls.Lookup(asked.Name)
	if !found {
		w.UnknownCall("", asked.Name)
	}
	event := w.emit("0", transcript.Event{Kind: transcript.Call, Call: known.Info(asked.CallID, asked.Name, asked.Args)})
	w.EditedBy(known, event, asked.Args)
	if plan := transcript.Text(transcript.Member(asked.Args, "plan")); known.Meaning == transcript.Planning && plan != "" {
		w.emit("", transcript.Event{ID: event.ID + ".plan", Parent: event.ID, Kind: transcript.Plan, Text: plan})
	}
	w.Memory.Open.Open(event)
}

// exitLine is what the tool writes behind the output of a command that failed.
var exitLine = regexp.MustCompile(`\n?Command failed with exit code: (\d+)\.$`)

// result reads the answer to a call.
func (w *wire) result() {
	open := w.Memory.Open.Close(w.Record.Event.CallID)
	said := kit.Text(w.Record.Event.Result.Output)
	info := &transcript.ResultInfo{CallID: w.Record.Event.CallID, Failed: w.Record.Event.Result.IsError}
	known, _ := w.Calls.Lookup(open.Name)
	if outcome := w.Spec.Outcome(said); outcome != "" {
		info.Outcome, info.Failed = outcome, false
	} else if known.Meaning == transcript.Shell {
		said = exited(said, info)
	}
	info.Text = transcript.Foreign(said)
	w.emit("0", transcript.Event{Parent: open.Event, Kind: transcript.Result, Result: info})
}

// exited takes the exit code off what a command printed.
func exited(said string, info *transcript.ResultInfo) (printed string) {
	code := 0
	if found := exitLine.FindStringSubmatchIndex(said); found != nil {
		code, _ = strconv.Atoi(said[found[2]:found[3]])
		said = said[:found[0]]
	} else if info.Failed {
		return said
	}
	info.ExitCode, info.Failed = &code, code != 0
	if said == "Command executed successfully." { // it printed nothing
		return ""
	}
	return said
}

// endings are how a turn ended.
var endings = map[string]string{
	"completed": transcript.TurnCompleted, "cancelled": transcript.TurnInterrupted, "interrupted": transcript.TurnInterrupted,
	"aborted": transcript.TurnInterrupted, "failed": transcript.TurnFailed, "error": transcript.TurnFailed,
}

func (w *wire) ended() {
	if ending := endings[w.Record.Reason]; ending != "" {
		w.emit("0", transcript.Event{Kind: transcript.Turn, Text: ending})
	}
}

// compacted reads that the context is being shortened, and the summary that stands in
// its place.
func (w *wire) compacted(kind string) {
	if kind == "full_compaction.begin" {
		w.Memory.Trigger = w.Record.Source
		w.emit("0", transcript.Event{Kind: transcript.Compacting, Compaction: &transcript.CompactionInfo{Trigger: w.Record.Source}})
		return
	}
	w.emit("0", transcript.Event{
		Kind: transcript.Compacted, Text: strings.TrimSpace(w.Record.Summary), Compaction: &transcript.CompactionInfo{Trigger: w.Memory.Trigger},
	})
	w.Memory.Trigger = ""
}
