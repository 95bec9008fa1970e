package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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

5 facts: 1 hold, 1 changed, 1 gone, 2 untold.

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
