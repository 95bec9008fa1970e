package acpproxy

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/hookclient"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// patience is how much longer than a hook of an agent a prompt waits for the daemon.
const patience = time.Second

// asksAfter is at how many prompts after a compaction the gate is asked until it gives
// something: Kimi Code answers its command at once and compacts behind the prompts that
// follow, and what it has not yet written down is not known to have happened.
const asksAfter = 3

// withHandoff is a prompt with what the gate gives the session as its first block: at
// the session's first prompt and at the first after a compaction. A command of the
// agent stays as it is.
func (o *observer) withHandoff(s *session, line []byte, m message) []byte {
	prompt := transcript.Member(transcript.Member(line, "params"), "prompt")
	first := ""
	for _, block := range transcript.Elements(prompt) {
		first = text(block, "text")
		break
	}
	name, _, _ := strings.Cut(first, " ")
	name, isCommand := strings.CutPrefix(name, "/")
	o.mu.Lock()
	due := !s.asked || s.asksLeft > 0
	if isCommand && transcript.Compacts(name) {
		s.compacts = string(m.ID)
	}
	if isCommand && (s.compacts != "" || o.commands[name]) {
		due = false // the agent looks for the command at the beginning
	}
	o.mu.Unlock()
	if !due {
		return line
	}
	given := o.ask(s)
	o.mu.Lock()
	s.asked = true
	if s.asksLeft--; given != "" || s.asksLeft < 0 {
		s.asksLeft = 0
	}
	o.mu.Unlock()
	if given == "" {
		return line
	}
	return withBlock(line, prompt, given)
}

// ask asks the gate, as a hook of the agent would.
func (o *observer) ask(s *session) string {
	payload, err := json.Marshal(map[string]string{
		"session_id": s.id, "transcript_path": s.file, "cwd": s.cwd, "source": s.source, "version": o.version,
	})
	if err != nil {
		return ""
	}
	var answer bytes.Buffer
	hookclient.Call{
		Home: o.proxy.Home, Tool: s.tool, Event: "AcpPrompt", Stdin: bytes.NewReader(payload), Stdout: &answer,
		Start: time.Now().Add(patience), Getenv: os.Getenv,
		Caller: func() hookclient.Caller { return hookclient.Caller{} },
	}.Run()
	return answer.String()
}

// withBlock is a prompt with a text before its other blocks. Every other byte of the
// message stays as it is.
func withBlock(line, prompt []byte, text string) []byte {
	at := cap(line) - cap(prompt) // the prompt is a part of the line
	if len(prompt) == 0 || prompt[0] != '[' || at < 0 || at >= len(line) || line[at] != '[' {
		return line
	}
	block, err := json.Marshal(map[string]string{"type": "text", "text": text})
	if err != nil {
		return line
	}
	for range transcript.Elements(prompt) {
		block = append(block, ',')
		break
	}
	return bytes.Join([][]byte{line[:at+1], block, line[at+1:]}, nil)
}
