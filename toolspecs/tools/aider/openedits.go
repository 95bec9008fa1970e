package aider

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// openEdits reads what came of the edits of a reply. Those that Aider has not
// spoken of are a part of the state.
type openEdits struct{ emitter }

// edit emits a call for an edit that a reply holds.
func (o *openEdits) edit(part string, change edit) {
	id := o.blockID(part)
	info := &transcript.CallInfo{ID: id, Name: "edit", Meaning: transcript.Edit}
	if change.whole {
		info.Name, info.Meaning = "write", transcript.Write
	}
	if change.path != "" {
		change.path = o.state.Names.rel(change.path)
		info.Paths = []string{change.path}
	}
	event := o.emit("", transcript.Event{ID: id, Kind: transcript.Call, Call: info})
	o.Edited(change.path, change.before, change.after)
	o.Decisions(event, change.after)
	o.state.remember(openEdit{ID: id, Path: change.path, Hash: transcript.Fingerprint(change.before)})
}

// applied is notified of a file once, whatever the number of its edits. One that
// no block was known for is an edit all the same.
func (o *openEdits) applied(path string) {
	path = o.state.Names.rel(path)
	edits := o.take(of(path))
	if len(edits) == 0 {
		edits = []openEdit{{ID: o.call(&transcript.CallInfo{Name: "edit", Meaning: transcript.Edit, Paths: []string{path}})}}
	}
	for _, edit := range edits {
		o.result(edit.ID, transcript.ResultInfo{})
	}
}

// declined says that a file's edits were not made: the user did not want them,
// or a rule did not allow them.
func (o *openEdits) declined(path, rule string) {
	path = o.state.Names.rel(path)
	outcome := transcript.Rejected
	if rule != "" {
		outcome = transcript.Blocked
	}
	for _, edit := range o.take(of(path)) {
		o.result(edit.ID, transcript.ResultInfo{Outcome: outcome, Text: strings.TrimSpace(rule)})
	}
}

// failedBlocks reads which blocks did not match their file. It repeats each of
// them; the others are applied if it says so.
func (o *openEdits) failedBlocks(text string) {
	o.state.Malformed, o.state.Retries = false, true
	_, edits := split(text, "")
	for _, failed := range edits {
		hash := transcript.Fingerprint(failed.before)
		for _, edit := range o.take(func(open openEdit) bool { return open.Hash == hash }) {
			o.result(edit.ID, transcript.ResultInfo{Failed: true, Text: "the SEARCH block matches no lines of " + edit.Path})
		}
	}
	others := o.take(func(openEdit) bool { return true })
	if !strings.Contains(text, "were applied successfully") {
		return
	}
	for _, edit := range others {
		o.result(edit.ID, transcript.ResultInfo{})
	}
}

// failEdits ends the edits of a reply that was not in the agreed format.
func (o *openEdits) failEdits(why string) {
	o.state.Malformed, o.state.Retries = false, true
	edits := o.take(func(openEdit) bool { return true })
	if len(edits) == 0 { // none could be made out: the reply was one all the same
		edits = []openEdit{{ID: o.call(&transcript.CallInfo{Name: "edit", Meaning: transcript.Edit})}}
	}
	for _, edit := range edits {
		o.result(edit.ID, transcript.ResultInfo{Failed: true, Text: why})
	}
}

// resolveEdits ends the edits of the reply before this block that Aider has said
// nothing of.
func (o *openEdits) resolveEdits() {
	for _, edit := range o.take(func(openEdit) bool { return true }) {
		o.result(edit.ID, transcript.ResultInfo{Outcome: transcript.UnknownOutcome})
	}
}

// take removes open edits.
func (o *openEdits) take(which func(openEdit) bool) []openEdit {
	var taken, left []openEdit
	for _, edit := range o.state.Open {
		if which(edit) {
			taken = append(taken, edit)
		} else {
			left = append(left, edit)
		}
	}
	o.state.Open = left
	return taken
}

// of picks the edits of a file. Models write slashes, Aider what the system has.
func of(path string) func(openEdit) bool {
	return func(open openEdit) bool { return slashed(open.Path) == slashed(path) }
}

func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }
