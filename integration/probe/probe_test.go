package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
)

// A run on the newest versions in which one pair fails, and one test that fails
// on the pinned versions as well.
const newestRun = `build output
{"Action":"run","Test":"TestWhoIsGivenTheHandoff/codex"}
{"Action":"pass","Test":"TestWhoIsGivenTheHandoff/codex"}
{"Action":"fail","Test":"TestWhoIsGivenTheHandoff/claude-code"}
{"Action":"fail","Test":"TestWhoIsGivenTheHandoff"}
{"Action":"fail","Test":"TestKilledWhileReading"}
{"Action":"skip","Test":"TestWithAider"}
`

const pinnedRun = `{"Action":"fail","Test":"TestKilledWhileReading"}
{"Action":"pass","Test":"TestWhoIsGivenTheHandoff/claude-code"}
`

const facts = `{"schema":1,"overrides":[],"tools":[{"tool":"codex","live":[
{"fact":"version","result":"changed","message":"0.170.0 is newer than 0.169.0, whose names are used"}]}]}`

func TestTheReportSaysWhatHoldsAndWhatIsGone(t *testing.T) {
	newest, pinned := file(t, newestRun), file(t, pinnedRun)
	tests, err := readRun(newest)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(failed(tests), "|"); got != "TestWhoIsGivenTheHandoff|TestKilledWhileReading" {
		t.Errorf("to be run again: %s", got)
	}
	found, err := readFacts(file(t, facts))
	if err != nil {
		t.Fatal(err)
	}
	before, err := readRun(pinned)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	render(&b, append(found, scenarios(tests, before)...))
	want := `# The specs, held against the newest agents

5 facts: 1 hold, 1 changed, 1 gone, 2 unknown.

## Gone

| tool | fact | seen |
|---|---|---|
| claude-code | who is given the handoff: claude-code | scenario TestWhoIsGivenTheHandoff/claude-code |

## Changed

| tool | fact | seen |
|---|---|---|
| codex | version | 0.170.0 is newer than 0.169.0, whose names are used |

## Untold

| tool | fact | seen |
|---|---|---|
| several | killed while reading | scenario TestKilledWhileReading fails on the pinned versions too |
| aider | with aider | scenario TestWithAider |

## Holds

| tool | fact | seen |
|---|---|---|
| codex | who is given the handoff: codex | scenario TestWhoIsGivenTheHandoff/codex |
`
	if got := b.String(); got != want {
		t.Errorf("the report reads\n%s\nwant\n%s", got, want)
	}
	if err := report(file(t, facts), newest, pinned); err == nil {
		t.Error("a fact is gone, and the report does not end with an error")
	}
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A scenario that failed beside others and passes alone holds; one that fails again is
// gone, with the reason it gave last.
func TestReadRun_TheLastTryCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	try := func(test, outcome, said string) string {
		return `{"Action":"run","Test":"` + test + `"}` + "\n" + `{"Action":"output","Test":"` + test + `","Output":"    x_test.go:7: ` + said + `\n"}` + "\n" +
			`{"Action":"` + outcome + `","Test":"` + test + `"}` + "\n"
	}
	text := try("TestOne", "fail", "too slow") + try("TestTwo", "fail", "too slow") + try("TestOne", "pass", "fine") + try("TestTwo", "fail", "no handoff")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tests, err := readRun(path)
	if err != nil || len(tests) != 2 {
		t.Fatalf("%v, %v", tests, err)
	}
	findings := scenarios(tests, nil)
	if findings[0].Result != resultHolds || findings[1].Result != resultGone || !strings.HasSuffix(findings[1].Message, ": no handoff") {
		t.Errorf("found %+v", findings)
	}
}

// Every tool stands in the report with the age of what is known of it.
func TestAges_NamesEveryTool(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	var out strings.Builder
	ages(&out, table, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	for _, spec := range table.All() {
		if !spec.IsProtocol() && !strings.Contains(out.String(), "| "+spec.Name+" |") {
			t.Errorf("%s is missing:\n%s", spec.Name, &out)
		}
	}
}

// Only a tool of which nothing but the version changed is raised, in its spec and in
// its evidence.
func TestPropose_RaisesWhatHolds(t *testing.T) {
	found := []finding{
		{"codex", "version", resultChanged, "0.170.0 is newer than 0.169.0, whose names are used"},
		{"codex", "who is given the handoff: codex", resultHolds, "scenario TestWhoIsGivenTheHandoff/codex"},
		{"claude-code", "version", resultChanged, "2.2.0 is newer than 2.1.329, whose names are used"},
		{"claude-code", "event PreCompact", resultGone, "not in the program"},
		{"gemini-cli", "version", resultChanged, "0.62.0 is newer than 0.61.0, whose names are used"},
	}
	list := proposals(found)
	if len(list) != 1 || list[0] != (raised{"codex", "0.169.0", "0.170.0"}) {
		t.Fatalf("proposed: %+v", list)
	}
	tools := t.TempDir()
	if err := os.CopyFS(filepath.Join(tools, "codex"), os.DirFS("../../toolspecs/tools/codex")); err != nil {
		t.Fatal(err)
	}
	groups, err := list[0].write(tools, "2026-11-29")
	if err != nil || strings.Join(groups, " ") != "hooks transcripts" {
		t.Fatalf("raised %v, %v", groups, err)
	}
	spec, _ := os.ReadFile(filepath.Join(tools, "codex", "spec.json"))
	evidence, _ := os.ReadFile(filepath.Join(tools, "codex", "evidence.md"))
	for _, want := range []string{`{"group": "hooks", "version": "0.170.0", "date": "2026-11-29", "how": "live"}`, `{"group": "limits", "version": "0.169.0"`} {
		if !strings.Contains(string(spec), want) {
			t.Errorf("the spec lacks %s", want)
		}
	}
	if strings.Count(string(evidence), "0.170.0, 2026-11-29, live: the weekly check.") != 2 {
		t.Errorf("the evidence is\n%s", evidence)
	}
}
