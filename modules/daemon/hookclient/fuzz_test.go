package hookclient_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/hookclient"
)

// FuzzCall hands the client whatever an agent may, while no daemon runs: it ends, says
// nothing, and what it leaves in the spool is an envelope.
func FuzzCall(f *testing.F) {
	f.Add("claude-code", "SessionStart", []byte(`{"session_id":"s","cwd":"/x","source":"startup"}`))
	f.Add("windsurf", "post_run_command", []byte(`{"agent_action_name":"post_run_command","trajectory_id":"t","tool_info":{"command_line":"x"}}`))
	f.Add("windsurf", "x", []byte(`{"a":"`+"\xff\xfe"+`"}`))
	f.Add("../..", "../../x", []byte(home.BOM+`[]`))
	f.Fuzz(func(t *testing.T, tool, event string, body []byte) {
		dir := home.Dir(t.TempDir())
		var out bytes.Buffer
		hookclient.Call{Home: dir, Tool: tool, Event: event, Stdin: bytes.NewReader(body), Stdout: &out, Start: time.Now(), Getenv: func(string) string { return "" }}.Run()
		if out.Len() > 0 {
			t.Errorf("it said %q", out.String())
		}
		left, _ := filepath.Glob(filepath.Join(dir.Spool(), "*"))
		for _, path := range left {
			data, err := os.ReadFile(path)
			var envelope home.Envelope
			if err != nil || json.Unmarshal(data, &envelope) != nil {
				t.Errorf("%s holds %q", path, data)
			}
		}
	})
}
