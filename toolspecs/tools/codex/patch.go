package codex

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/patch"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// patches reads what patches changed, and what came of them.
type patches struct{ emitter }

// patch emits a call for every file of a patch. The records that tell what
// came of it name it by the same id.
func (p *patches) patch(id string, changes []patch.Change) []command {
	var files []command
	for n, change := range changes[:min(len(changes), maxFiles)] {
		call := id
		if n > 0 {
			call += "." + strconv.Itoa(n)
		}
		p.change(call, change)
		files = append(files, command{ID: call})
	}
	return files
}

// change emits the call that changes one file.
func (p *patches) change(call string, change patch.Change) {
	paths := change.Paths()
	event := p.emit(call, "0", transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{
		ID: call, Name: "apply_patch", Meaning: change.Meaning, Paths: paths,
	}})
	if change.Before != "" || change.After != "" {
		p.Edited(paths[len(paths)-1], change.Before, change.After)
		p.Decisions(event, change.After)
	}
}

// fileChange reads a patch that was applied or refused. The fields are those
// of patch_apply_end too.
func (p *patches) fileChange(id string, raw []byte) {
	parts := transcript.Members(raw, "changes", "status", "success", "stderr", "stdout")
	var byPath map[string]json.RawMessage
	if json.Unmarshal(parts[0], &byPath) != nil {
		return
	}
	var changes []patch.Change
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		changes = append(changes, diffChange(path, byPath[path]))
	}
	status := transcript.Text(parts[1])
	result := transcript.ResultInfo{Failed: status == "failed" || string(parts[2]) == "false"}
	if status == "declined" {
		result = transcript.ResultInfo{Outcome: transcript.Rejected}
	}
	if result.Text = transcript.Text(parts[4]); result.Failed {
		result.Text = transcript.Text(parts[3])
	}
	if open := p.state.find(id); open != nil && len(open.Nested) > 0 {
		p.patched(open.Nested, result)
		return
	}
	p.changed(id, changes, result)
	p.resolvePatches(changes)
}

// patchEnd reads the end of a patch in an old rollout.
func (p *patches) patchEnd(payload []byte) {
	p.fileChange(text(payload, "call_id"), payload)
}

// patched emits the result of every file of a patch whose calls were emitted.
func (p *patches) patched(files []command, result transcript.ResultInfo) {
	for n, file := range files {
		if !p.state.firstResult(file.ID) {
			continue
		}
		outcome := result
		if outcome.CallID = file.ID; n > 0 {
			outcome.Text = ""
		}
		p.emit(file.ID, "1", transcript.Event{
			Kind: transcript.Result, Parent: p.state.Thread + "/" + file.ID + "#0", Result: &outcome,
		})
	}
}

// changed emits the calls of a patch and their results at once.
func (p *patches) changed(id string, changes []patch.Change, result transcript.ResultInfo) {
	for n, change := range changes {
		call := id
		if n > 0 {
			call += "." + strconv.Itoa(n)
		}
		p.change(call, change)
		outcome := result
		if n > 0 {
			outcome.Text = ""
		}
		p.patched([]command{{ID: call}}, outcome)
	}
}

// resolvePatches takes what a record reports off the patches that scripts
// carry.
func (p *patches) resolvePatches(done []patch.Change) {
	for i := range p.state.Open {
		open := &p.state.Open[i]
		open.Patches = slices.DeleteFunc(open.Patches, func(waiting patch.Change) bool {
			return slices.ContainsFunc(done, func(c patch.Change) bool { return samePath(c.Path, waiting.Path) })
		})
	}
}

// samePath compares a path as a record gives it, absolute, with one as a patch
// gives it, mostly relative.
func samePath(full, given string) bool {
	return full == given || strings.HasSuffix(full, "/"+strings.TrimPrefix(given, "./"))
}

// patchFailed begins the tool's words about a patch that does not apply; no
// other record tells of one.
const patchFailed = "apply_patch verification failed"

// patchOutput emits the patches that no record reports: those that failed,
// and in some versions all.
func (p *patches) patchOutput(open openCall, out printed) {
	if len(open.Patches) == 0 && open.Name != "apply_patch" {
		return
	}
	text := out.text()
	result := transcript.ResultInfo{Outcome: p.Spec.Outcome(text), Text: text}
	if result.Outcome == "" {
		exit := out.exit()
		result.Failed = strings.Contains(text, patchFailed) || strings.HasPrefix(out.Head, "Script failed") || exit != nil && *exit != 0
	}
	if open.Name == "apply_patch" {
		p.patched(open.Nested, result)
		return
	}
	p.changed(open.ID+".patch", open.Patches, result)
}

// diffChange reads one entry of a record's changes, as they are written after
// a patch was applied.
func diffChange(path string, raw []byte) patch.Change {
	parts := transcript.Members(raw, "type", "content", "unified_diff", "move_path")
	result := patch.Change{Path: path, Meaning: transcript.Edit, Moved: transcript.Text(parts[3])}
	content := transcript.Text(parts[1])
	switch transcript.Text(parts[0]) {
	case "add":
		result.Meaning, result.After = transcript.Write, content
	case "delete":
		result.Meaning, result.Before = transcript.Delete, content
	default:
		result.Before, result.After = patch.Diff(transcript.Text(parts[2]))
	}
	return result
}

// withoutText leaves out what a stored state has no room for.
func withoutText(changes []patch.Change) []patch.Change {
	for i := range changes {
		changes[i].Before, changes[i].After = "", ""
	}
	return changes
}
