package daemon_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// marker stands wherever a session can put a text.
const marker = "Zanzibarian"

// holding lists the files below the home and the project's folder that hold a
// text, in any case.
func (w *world) holding(text string) (list []string) {
	w.t.Helper()
	for _, root := range []string{string(w.home), filepath.Join(w.project, ".carryover")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(path)
			if bytes.Contains(bytes.ToLower(content), bytes.ToLower([]byte(text))) {
				list = append(list, path)
			}
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return append(list, w.keptWith(text)...)
}

// keptWith lists the transcripts whose kept records, which are compressed, hold a text.
func (w *world) keptWith(text string) (list []string) {
	w.t.Helper()
	store, err := sqlite.OpenReadOnly(w.home.Ledger())
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	kept, err := store.Originals(w.t.Context(), ledger.SessionKey{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, original := range kept {
		for content, err := range store.Original(w.t.Context(), original.Session.Tool, original.Path) {
			if err != nil {
				w.t.Fatal(err)
			}
			if bytes.Contains(bytes.ToLower(content), bytes.ToLower([]byte(text))) {
				list = append(list, "kept: "+original.Path)
			}
		}
	}
	return list
}

// spreads puts the marker into everything Carryover keeps: the ledger with its
// index and log, the state of readers, the handoff and its copies, the session
// report, notes and handoffs of a named agent, a queued hook, a ledger that was set
// aside. A second session of the project goes on where the first ended.
func (w *world) spreads() {
	w.t.Helper()
	w.install()
	w.works(first, w.project, "Ask the "+marker+" ledger to \"read\" dates.\nDECISION: use "+marker+" times")
	w.append(w.transcript(first),
		`{"type":"ai-title","aiTitle":"`+marker+` invoices","sessionId":"`+first+`"}`,
		`{"type":"queue-operation","operation":"enqueue","content":"then ask `+marker+`","sessionId":"`+first+`","timestamp":"2026-03-02T09:00:00.000Z"}`)
	w.start()
	w.ends(first, w.project)
	report := filepath.Join(w.project, ".carryover", "ledger.md")
	w.eventually("the session report is written", func() bool {
		text, err := os.ReadFile(report)
		return err == nil && strings.Contains(string(text), marker)
	})
	w.eventually("its records are kept", func() bool { return len(w.keptWith(marker)) > 0 })
	w.works(second, w.project, "Go on.")
	w.starts(second, w.project, "startup")
	w.ends(second, w.project)
	w.stop()
	p := w.opened()
	_, err := p.SaveAgentNotes(w.t.Context(), view.AgentNotesRequest{
		AgentRequest: view.AgentRequest{Agent: "ada", Project: w.project},
		Notes:        ledger.AgentLedger{AgentName: "ada", SessionID: first, CurrentTask: "bill " + marker, NextSteps: []string{"ask " + marker}},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := p.Store.Close(); err != nil {
		w.t.Fatal(err)
	}
	content, err := os.ReadFile(w.home.Ledger())
	if err != nil {
		w.t.Fatal(err)
	}
	aside := w.home.Ledger() + ".damaged-1"
	w.write(aside, string(content))
	w.write(w.home.Path("spool", "1-1.json"), `{"tool":"claude-code","event":"Stop","session":"`+first+`","transcript":"`+w.transcript(first)+`","cwd":"`+w.project+`","time":1,"payload":{"prompt":"`+marker+`"}}`)
	for _, path := range []string{w.home.Ledger(), aside, report, w.home.Handoff(), filepath.Join(w.project, ".carryover", "ledgers", "ada.json")} {
		if !strings.Contains(strings.Join(w.holding(marker), "\n"), path) {
			w.t.Errorf("%s does not hold the text, so that the test says nothing of it", path)
		}
	}
}

// After forgetting, no byte below the home and in the project's folder holds the
// text; nor after a repair, which reads the transcript again. A preview counts as
// much and changes nothing.
func TestForget_LeavesNoByte(t *testing.T) {
	for name, request := range map[string]view.ForgetRequest{
		"text": {Text: strings.ToUpper(marker)}, "session": {Sessions: []string{first}}, "project": {},
	} {
		for _, running := range []string{"daemon", "no daemon"} {
			t.Run(name+", "+running, func(t *testing.T) {
				w := newWorld(t)
				w.spreads()
				if name == "project" {
					request.Project = w.project
				}
				w.forgetsAll(request, running == "daemon")
				if list := w.holding(marker); len(list) > 0 {
					t.Errorf("%q hold the text", list)
				}
				if _, err := daemon.Repair(t.Context(), w.home, func(err error) { t.Error(err) }, nil); err != nil {
					t.Fatal(err)
				}
				w.start()
				w.starts(third, w.project, "startup")
				w.stop()
				if list := w.holding(marker); len(list) > 0 {
					t.Errorf("after a repair %q hold the text", list)
				}
			})
		}
	}
}

// forgetsAll previews, then forgets.
func (w *world) forgetsAll(request view.ForgetRequest, running bool) {
	w.t.Helper()
	var service view.Service
	if running {
		w.start()
		w.eventually("the spool is drained", func() bool {
			left, err := os.ReadDir(w.home.Spool())
			return err == nil && len(left) == 0
		})
		service = client.New(w.home)
		defer w.stop()
	} else {
		p := w.opened()
		service = p
		defer func() { _ = p.Store.Close() }()
	}
	before := len(w.holding(marker))
	preview := request
	preview.Preview = true
	promised, err := service.Forget(w.t.Context(), preview, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	if after := len(w.holding(marker)); after != before {
		w.t.Errorf("%d files hold the text after the preview, %d before", after, before)
	}
	done, err := service.Forget(w.t.Context(), request, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	if promised.Events != done.Events || promised.Sessions != done.Sessions || promised.Agents != done.Agents || done.Events == 0 {
		w.t.Errorf("foretold %+v, done %+v", promised, done)
	}
}

// What `carryover acp` wrote down is cleaned of a text, and goes with its session.
func TestForget_ReachesSessionsInAnEditor(t *testing.T) {
	w := newWorld(t)
	w.install()
	path := w.home.Path("acp", "gemini-cli", first+".jsonl")
	record := func(kind, more string) string {
		return `{"type":"` + kind + `","acp":1,"time":"` + stamp(0) + `","session":"` + first + `"` + more + "}\n"
	}
	w.write(path, record("open", `,"cwd":"`+w.project+`"`)+
		record("editor", `,"message":{"id":1,"method":"session/prompt","params":{"sessionId":"`+first+`","prompt":[{"type":"text","text":"Ask the `+marker+` ledger to read dates"}]}}`))
	w.start()
	w.eventually("it is captured", func() bool {
		shown, err := client.New(w.home).ShowSession(t.Context(), view.SessionRequest{Session: first})
		return err == nil && shown.Session.Tool == "gemini-cli" && len(shown.Events) == 2
	})
	if _, err := client.New(w.home).Forget(t.Context(), view.ForgetRequest{Text: marker}, nil); err != nil {
		t.Fatal(err)
	}
	if text := w.read(path); strings.Contains(text, marker) || !strings.Contains(text, "ledger to read dates") {
		t.Errorf("it holds\n%s", text)
	}
	if _, err := client.New(w.home).Forget(t.Context(), view.ForgetRequest{Sessions: []string{first}}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file of a deleted session is there")
	}
}
