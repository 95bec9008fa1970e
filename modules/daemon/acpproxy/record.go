package acpproxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/hookclient"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	protocol "github.com/carryover-go/carryover/toolspecs/tools/acp"
)

// recorder writes sessions down, in the order in which messages came. A message is in
// its file before it goes on: what has passed is known, whoever is killed.
type recorder struct {
	proxy *Proxy
	sent  sync.WaitGroup // hooks under way

	mu    sync.Mutex
	files map[string]*os.File
}

func newRecorder(p *Proxy) *recorder { return &recorder{proxy: p, files: map[string]*os.File{}} }

// safeName is a session's id that can be the name of a file.
var safeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)

func fileName(session string) string {
	if safeName.MatchString(session) {
		return session + ".jsonl"
	}
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16]) + ".jsonl"
}

// open begins the file of a session, or goes on with it.
func (r *recorder) open(s *session, agent, version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.file = r.proxy.Home.Path("acp", s.tool, fileName(s.id))
	if os.MkdirAll(filepath.Dir(s.file), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(s.file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	if former := r.files[s.id]; former != nil {
		_ = former.Close()
	}
	r.files[s.id] = f
	r.append(s, protocol.Record{Type: "open", Cwd: s.cwd, Agent: agent, Version: version})
}

// write puts a message down.
func (r *recorder) write(s *session, from string, line []byte) {
	message := redact.JSON(strings.TrimSpace(string(line)))
	if !json.Valid([]byte(message)) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.append(s, protocol.Record{Type: from, Message: json.RawMessage(message)})
}

// append writes one record. What cannot be written is no reason to stop a session.
func (r *recorder) append(s *session, record protocol.Record) {
	f := r.files[s.id]
	if f == nil {
		return
	}
	record.ACP, record.Session, record.Time = 1, s.id, r.proxy.Now().UTC().Truncate(time.Millisecond)
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(record) == nil {
		_, _ = f.Write(line.Bytes())
	}
}

// end says that a session is over, and lets the daemon take it up.
func (r *recorder) end(s *session, why string) {
	r.mu.Lock()
	r.append(s, protocol.Record{Type: "end", Why: why})
	r.mu.Unlock()
	r.signal(s, "AcpEnd")
}

// signal calls a hook that is not answered.
func (r *recorder) signal(s *session, event string) {
	payload, err := json.Marshal(map[string]string{"session_id": s.id, "transcript_path": s.file, "cwd": s.cwd})
	if err != nil {
		return
	}
	r.sent.Go(func() {
		hookclient.Call{
			Home: r.proxy.Home, Tool: s.tool, Event: event, Stdin: bytes.NewReader(payload), Stdout: new(bytes.Buffer),
			Start: time.Now().Add(patience), Getenv: os.Getenv,
			Caller: func() hookclient.Caller { return hookclient.Caller{} },
		}.Run()
	})
}

func (r *recorder) close() {
	r.sent.Wait()
	for _, f := range r.files {
		_ = f.Close()
	}
}
