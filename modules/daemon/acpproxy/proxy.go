// Package acpproxy stands between an editor and an agent that speak the Agent Client
// Protocol. Every message passes as it is, byte for byte, but one: the first prompt of
// a session, and the first after a compaction, get the handoff as their first block.
// What passes is written down, one file for each session, from which the daemon reads
// the session as it reads any transcript.
package acpproxy

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
)

// Proxy is one agent behind one editor.
type Proxy struct {
	Home    home.Dir
	Table   *toolspecs.Table
	Command []string // the agent's command line
	Env     []string // its environment
	In      io.Reader
	Out     io.Writer
	Err     io.Writer // what the agent writes there
	Now     func() time.Time
}

// Times that an agent has to end: by itself once the editor has gone, and after it was
// told to.
const (
	timeToEnd  = 3 * time.Second
	timeToStop = 2 * time.Second
)

// Run starts the agent and passes messages until one side ends. The code is the
// agent's own; the error says why there is none.
func (p *Proxy) Run(ctx context.Context) (code int, err error) {
	cmd := exec.Command(p.Command[0], p.Command[1:]...)
	cmd.Env, cmd.Stderr = slices.Concat(p.Env, []string{home.InEditor + "=1"}), p.Err
	ownGroup(cmd)
	toAgent, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	fromAgent, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	watch := newObserver(p)
	left := make(chan struct{}) // the editor has gone
	go func() {
		defer close(left)
		defer func() { _ = toAgent.Close() }()
		pass(p.In, toAgent, watch.fromEditor)
	}()
	ended := make(chan struct{}) // the agent has closed its output
	go func() {
		defer close(ended)
		pass(fromAgent, p.Out, watch.fromAgent)
	}()
	why := waitFor(ctx, cmd.Process, left, ended)
	<-ended
	err = cmd.Wait()
	watch.close(why)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

// waitFor waits until the agent has ended, and ends it when the editor has gone or the
// context says so. It returns why.
func waitFor(ctx context.Context, agent *os.Process, left, ended <-chan struct{}) string {
	why := "the agent ended"
	select {
	case <-ended:
		return why
	case <-left:
		why = "the editor left"
		select {
		case <-ended:
			return why
		case <-ctx.Done():
		case <-time.After(timeToEnd):
		}
	case <-ctx.Done():
		why = "stopped"
	}
	terminate(agent)
	select {
	case <-ended:
	case <-time.After(timeToStop):
		kill(agent)
	}
	return why
}

// maxMessage bounds a message that is looked at, in bytes. A longer one passes unseen.
const maxMessage = 32 << 20

// seer sees a message before it is written, and says what is written in its place. It
// keeps none of its bytes.
type seer func(line []byte) []byte

// pass carries messages, one a line, from one side to the other. A last one without an
// end of line passes as it is.
func pass(from io.Reader, to io.Writer, see seer) {
	lines := bufio.NewReaderSize(from, 64<<10)
	var held []byte
	long := false
	for {
		part, err := lines.ReadSlice('\n')
		whole := err == nil
		switch {
		case long:
			if _, err := to.Write(part); err != nil {
				return
			}
		case whole && len(held) == 0:
			if !deliver(part, to, see) {
				return
			}
		default:
			held = append(held, part...)
			if !errors.Is(err, bufio.ErrBufferFull) {
				if !deliver(held, to, see) {
					return
				}
				held = nil
			} else if len(held) > maxMessage {
				if _, err := to.Write(held); err != nil {
					return
				}
				held, long = nil, true
			}
		}
		if whole {
			long = false
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

// deliver writes one message; false when nobody reads any more.
func deliver(line []byte, to io.Writer, see seer) bool {
	if len(line) == 0 {
		return true
	}
	_, err := to.Write(see(line))
	return err == nil
}
