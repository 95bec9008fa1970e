package cursor

import (
	"encoding/json"
	"slices"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// Queries implements transcript.RowReader.
func (r *Reader) Queries() []transcript.RowQuery { return r.queries }

// MapRows implements transcript.RowReader.
func (r *Reader) MapRows(rows []transcript.Row) ([]transcript.Located, transcript.Coverage) {
	return kit.MapRows(r.Tables, rows, func(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
		switch row.Query {
		case "workspace":
			return r.workspace(row, coverage)
		case "composer":
			return r.composer([]byte(row.Text("data")), row.Text("cwd"), coverage)
		case "bubble":
			return r.bubbleRow(row, coverage)
		}
		return nil
	})
}

// bubbleRow tells of one message. The database has them by themselves; their
// order is that of their times, in old sessions that of a list.
func (r *Reader) bubbleRow(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
	var b bubble
	if !decode([]byte(row.Text("data")), &b) || b.ID == "" {
		kit.Broken(coverage)
		return nil
	}
	return r.bubble(row.Text("composer"), b, row.Int("place"), coverage)
}

// Keys of a workspace's database.
const (
	composersKey = "composer.composerData"
	chatKey      = "workbench.panel.aichat.view.aichat.chatdata"
)

// workspace tells which sessions belong to a folder, and those of 2024 whole:
// they stand there themselves.
func (r *Reader) workspace(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
	var list struct {
		Composers []json.RawMessage `json:"allComposers"`
		Selected  []string          `json:"selectedComposerIds"`
		Focused   []string          `json:"lastFocusedComposerIds"`
		Tabs      []chat            `json:"tabs"`
	}
	if !decode([]byte(row.Text("data")), &list) {
		kit.Broken(coverage)
		return nil
	}
	if !r.Count("workspace", coverage) {
		return nil
	}
	var events []transcript.Located
	cwd := row.Text("cwd")
	if row.Text("name") == chatKey {
		for _, tab := range list.Tabs {
			events = append(events, r.chat(tab, cwd, coverage)...)
		}
		return events
	}
	named := slices.Concat(list.Selected, list.Focused)
	for _, data := range list.Composers {
		if fields := transcript.Members(data, "composerId", "conversation"); fields[1] != nil {
			events = append(events, r.composer(data, cwd, coverage)...)
		} else {
			named = append(named, transcript.Text(fields[0]))
		}
	}
	slices.Sort(named)
	for _, id := range slices.Compact(named) {
		events = append(events, r.workDirOf(id, cwd)...)
	}
	return events
}

// workDirOf tells that a session belongs to a folder.
func (r *Reader) workDirOf(id, cwd string) []transcript.Located {
	if id == "" || cwd == "" {
		return nil
	}
	at := &record{Reader: r, session: id, Record: kit.Record{Ref: placed(id+"#place", 0, 0)}}
	at.emit(transcript.Event{
		ID: id + "#place", Kind: transcript.Session, Start: &transcript.Start{}, WorkDir: &transcript.WorkDir{Cwd: cwd},
	})
	return at.Events
}
