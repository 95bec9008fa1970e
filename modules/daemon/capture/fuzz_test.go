package capture_test

import (
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/spectest"
)

// FuzzParseHook lets an agent hand its hook whatever it wants: every tool's payload is
// read or refused, and what it says of files names them whole.
func FuzzParseHook(f *testing.F) {
	table, _ := toolspecs.Load(nil)
	for _, spec := range table.All() {
		payloads, err := spectest.Payloads(spec.Tool)
		if err != nil {
			continue
		}
		for _, payload := range payloads {
			f.Add(spec.Tool, payload.Event, payload.Data)
		}
	}
	f.Add("claude-code", "SessionStart", []byte(home.BOM+`{"session_id":{"a":[]},"cwd":7,"transcript_path":"a\u0000b"}`))
	f.Fuzz(func(t *testing.T, tool, event string, body []byte) {
		hook, err := capture.ParseHook(table, tool, event, body, map[string]string{}, time.Unix(0, 0))
		if err != nil {
			return
		}
		for name, path := range map[string]string{"transcript": hook.Transcript, "cwd": hook.Cwd} {
			if strings.ContainsRune(path, 0) {
				t.Errorf("%s is %q", name, path)
			}
		}
	})
}
