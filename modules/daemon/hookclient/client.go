// Package hookclient is the program agents call at their hooks. It posts the
// payload to the daemon and prints the answer; without a daemon it leaves a
// note for later and, at a session start, gives out the last handoff. It
// never fails, blocks or prints noise: whatever goes wrong, the exit code is 0
// and stderr stays empty.
//
// What it knows of the tools stands in tables.go, which is generated from their
// specs: none is read at run time.
//
// Only the standard library is imported, and not net/http: the client runs at
// every hook of every agent, and its start-up is most of its cost.
package hookclient

//go:generate go test -run TestTables_AreThoseOfTheSpecs . -update

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

// maxPayload bounds what is read from stdin; the daemon takes no more.
const maxPayload = 8 << 20

// Deadlines, from process start. A hook whose output the model is to see is
// worth waiting for; any other is only a signal.
const (
	answerDeadline = 250 * time.Millisecond
	signalDeadline = 50 * time.Millisecond
)

// Call is one run of the client.
type Call struct {
	Home   home.Dir
	Tool   string
	Event  string
	Stdin  io.Reader
	Stdout io.Writer
	Start  time.Time
	Getenv func(string) string
	Caller func() Caller // looked at only where nothing else tells whether anybody attends
}

// Main runs the client for a command line: carryover-hook TOOL EVENT. Its
// home is the folder above the bin it was started from, not a variable, so
// that an agent with another environment reaches the same daemon.
func Main(start time.Time, args []string) {
	if len(args) < 2 {
		return
	}
	dir, ok := homeOf(args[0])
	if !ok {
		return
	}
	signal.Ignore(syscall.SIGPIPE) // an agent that does not read the answer is no failure
	if args[1] == StatusLineEvent {
		at := ""
		if len(args) > 2 {
			at = args[2]
		}
		StatusLine(dir, at, inputOf(os.Stdin), os.Stdout, start)
		return
	}
	if len(args) < 3 {
		return
	}
	Call{
		Home: dir, Tool: args[1], Event: args[2],
		Stdin: os.Stdin, Stdout: os.Stdout, Start: start, Getenv: os.Getenv, Caller: caller,
	}.Run()
}

// inputOf is an input that somebody writes to; nil for a terminal and for none.
func inputOf(in *os.File) io.Reader {
	info, err := in.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil
	}
	return in
}

func homeOf(program string) (home.Dir, bool) {
	if !filepath.IsAbs(program) {
		var err error
		if program, err = os.Executable(); err != nil {
			return "", false
		}
	}
	return home.Dir(filepath.Dir(filepath.Dir(filepath.Clean(program)))), true
}

// Run does the whole work of a hook within its deadline.
func (c Call) Run() {
	deadline := c.Start.Add(signalDeadline)
	if awaited[strings.ToLower(c.Event)] {
		deadline = c.Start.Add(answerDeadline)
	}
	payload, ok := readAll(c.Stdin, deadline)
	if !ok {
		return
	}
	if answer, ok := c.post(payload, deadline); ok {
		_, _ = c.Stdout.Write(answer)
		return
	}
	c.withoutDaemon(payload)
}

// readAll reads stdin to its end, its bound or the deadline. A host that keeps
// the pipe open must not hold us, nor we it.
func readAll(in io.Reader, deadline time.Time) ([]byte, bool) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(in, maxPayload))
		done <- read{data, err}
	}()
	select {
	case r := <-done:
		return r.data, r.err == nil
	case <-time.After(time.Until(deadline)):
		return nil, false
	}
}

// post sends the payload over the daemon's socket. ok says that the daemon
// has it; the answer is empty when it had nothing to say.
func (c Call) post(payload []byte, deadline time.Time) (answer []byte, ok bool) {
	socket := c.Home.Socket()
	if home.CheckSocketDir(socket) != nil {
		return nil, false
	}
	conn, err := net.DialTimeout("unix", socket, time.Until(deadline))
	if err != nil {
		return nil, false
	}
	defer func() { _ = conn.Close() }()
	if conn.SetDeadline(deadline) != nil {
		return nil, false
	}
	if _, err := conn.Write(c.request(payload)); err != nil {
		return nil, false
	}
	response, err := io.ReadAll(io.LimitReader(conn, maxPayload))
	if err != nil {
		return nil, false
	}
	return parseResponse(response)
}

func (c Call) request(payload []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(payload) + 512)
	b.WriteString("POST /hook/" + escape(c.Tool) + "/" + escape(c.Event) + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n")
	for name, value := range c.marks() {
		b.WriteString("X-Carryover-Mark: " + name + "=" + escape(value) + "\r\n")
	}
	b.WriteString("Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(payload)) + "\r\n\r\n")
	b.Write(payload)
	return b.Bytes()
}

func (c Call) marks() map[string]string {
	found := map[string]string{}
	for _, name := range append([]string{home.OpenedWith, home.InEditor}, marks...) {
		if value := clip(c.Getenv(name)); value != "" {
			found[name] = value
		}
	}
	if awaited[strings.ToLower(c.Event)] && c.unattended() {
		found[home.Unattended] = "1"
	}
	return found
}

// parseResponse takes an answer apart. Only a 200 whose body is complete is
// printed; 202 and 204 mean that there is nothing to print. Anything else is
// as good as no daemon.
func parseResponse(response []byte) ([]byte, bool) {
	head, body, found := bytes.Cut(response, []byte("\r\n\r\n"))
	if !found || len(head) < len("HTTP/1.1 200") {
		return nil, false
	}
	switch status := string(head[9:12]); status {
	case "202", "204":
		return nil, true
	case "200":
		for _, line := range bytes.Split(head, []byte("\r\n")) {
			name, value, _ := bytes.Cut(line, []byte(":"))
			if !strings.EqualFold(string(name), "Content-Length") {
				continue
			}
			length, err := strconv.Atoi(string(bytes.TrimSpace(value)))
			return body, err == nil && length == len(body)
		}
	}
	return nil, false
}

// escape makes a word safe for a request line or header.
func escape(word string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(word) {
		switch ch := word[i]; {
		case ch >= 'a' && ch <= 'z', ch >= 'A' && ch <= 'Z', ch >= '0' && ch <= '9', strings.IndexByte("-_.~", ch) >= 0:
			b.WriteByte(ch)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[ch>>4])
			b.WriteByte(hex[ch&15])
		}
	}
	return b.String()
}
