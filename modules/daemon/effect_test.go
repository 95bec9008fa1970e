package daemon_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// A month of scripted sessions, one a day, every second one begun with a handoff. By hand:
// without one a session reads two known files and runs the failing test again, and edits
// in the seventh minute after three calls; with one it edits in the third after one call.
// Each model call used 100 tokens.
func TestEffects_OfAMonthAgreeWithACountByHand(t *testing.T) {
	w := newWorld(t)
	w.install()
	p := w.opened()
	defer func() { _ = p.Store.Close() }()
	started := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	id := func(day int) string { return fmt.Sprintf("5a7c1d00-0000-4000-8000-%012d", day) }
	given := func(day int) bool { return day%2 == 1 }
	for day := range 25 {
		w.append(w.transcript(id(day)), w.scripted(id(day), started.AddDate(0, 0, day), given(day))...)
	}
	if result, err := p.Import(t.Context(), view.ImportRequest{}, nil); err != nil || result.Sessions != 25 {
		t.Fatalf("%+v, %v", result, err)
	}
	for day := range 25 {
		if given(day) {
			if err := p.Store.RecordRestore(t.Context(), ledger.Restore{
				Session: ledger.SessionKey{Tool: "claude-code", ID: id(day)}, Event: "SessionStart", Source: "startup", Decision: ledger.RestoredFull,
				Lines: 40, Bytes: 4000, Time: started.AddDate(0, 0, day),
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	effects, err := p.Effects(t.Context())
	if err != nil || len(effects.Items) != 3 || len(effects.Tokens) != 25 {
		t.Fatalf("%+v, %v", effects, err)
	}
	same := func(n float64) view.Spread { return view.Spread{Median: n, Low: n, High: n} }
	with := view.EffectSide{Sessions: 12, Calls: same(1), Minutes: same(3)}
	without := view.EffectSide{Sessions: 12, Calls: same(3), Minutes: same(7), Repeated: same(1), ReadAgain: same(2)}
	for _, e := range effects.Items {
		if e.TooFew || e.With != with || e.Without != without || e.Bytes != 48000 || e.Tokens != 12000 {
			t.Errorf("%s %s: %+v", e.By, e.Name, e)
		}
	}
	want := map[bool][2]int64{true: {2, 200}, false: {4, 400}} // model calls and tokens of a day
	for i, line := range effects.Tokens {
		day := 24 - i // the newest first
		if line.Day != started.AddDate(0, 0, day).Format(time.DateOnly) || line.Model != "claude-opus-5" || [2]int64{int64(line.Replies), line.Tokens} != want[given(day)] {
			t.Errorf("%+v, want %v", line, want[given(day)])
		}
	}
}

// scripted is a session with a record each minute.
func (w *world) scripted(id string, at time.Time, given bool) (records []string) {
	add := func(kind, message string) {
		records = append(records, fmt.Sprintf(`{"type":%q,"uuid":"%s-%d","sessionId":%q,"timestamp":%q,"cwd":%q,"version":"2.1.329","entrypoint":"cli","message":%s}`,
			kind, id, len(records), id, at.Format("2006-01-02T15:04:05.000Z"), w.project, message))
		at = at.Add(time.Minute)
	}
	call := func(name, input, result string) {
		n := len(records)
		add("assistant", fmt.Sprintf(`{"id":"%s-m%d","model":"claude-opus-5","role":"assistant","content":[{"type":"tool_use","id":"%s-t%d","name":%q,"input":%s}],"usage":{"input_tokens":100,"output_tokens":0}}`,
			id, n, id, n, name, strings.ReplaceAll(input, "PROJECT", w.project)))
		add("user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s-t%d",%s}]}`, id, n, result))
	}
	add("user", `{"role":"user","content":"Parse the dates of the log file"}`)
	if given {
		call("Bash", `{"command":"go vet ./..."}`, `"content":""`)
	} else {
		call("Read", `{"file_path":"PROJECT/a.go"}`, `"content":"package a"`)
		call("Read", `{"file_path":"PROJECT/b.go"}`, `"content":"package a"`)
		call("Bash", `{"command":"go test ./..."}`, `"is_error":true,"content":"Exit code 1\nFAIL"`)
	}
	call("Edit", `{"file_path":"PROJECT/a.go","old_string":"a","new_string":"b"}`, `"content":"ok"`)
	return records
}
