package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/acp-go-sdk"
)

// ACP says how an agent is started to speak the Agent Client Protocol.
type ACP struct {
	Env     []string
	Command []string // program and arguments
}

// Speaks is how the agent is started for an editor; the test is skipped where its
// program is not here.
func (a *Agent) Speaks() ACP {
	a.t.Helper()
	env, _ := a.open(a)
	switch a.Name {
	case "claude-code":
		return ACP{append(env, "CLAUDE_CODE_EXECUTABLE="+a.binary), []string{findAdapter(a.t, "claude-agent-acp")}}
	case "codex":
		return ACP{env, []string{findAdapter(a.t, "codex-acp")}}
	case "opencode", "kilo", "kimi-code":
		return ACP{env, []string{a.binary, "acp"}}
	case "qwen-code":
		return ACP{env, []string{a.binary, "--acp", "-y"}}
	case "gemini-cli":
		return ACP{env, []string{a.binary, "--acp", "-y", "-m", "gemini-2.5-pro"}}
	}
	return ACP{env, []string{a.binary, "--acp"}}
}

// Editor is an editor with one connection to an agent: a real library of the
// protocol, and an agent that works without being refused anything.
type Editor struct {
	*acp.ClientSideConnection
	Command *exec.Cmd

	in      io.Closer
	ended   chan error
	mu      sync.Mutex
	updates []acp.SessionUpdate
}

// Edit starts a command line that speaks the protocol, as an editor would: the agent's
// own, or that of a program that stands before it.
func (h *Home) Edit(dir string, env []string, command ...string) *Editor {
	h.t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	e := &Editor{Command: cmd, in: in, ended: make(chan error, 1)}
	e.ClientSideConnection = acp.NewClientSideConnection(e, in, out)
	h.t.Cleanup(func() {
		e.Leave(h.t)
		if h.t.Failed() {
			h.t.Logf("%s wrote to stderr:\n%s", command[0], stderr.String())
		}
	})
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	if _, err := e.Initialize(ctx, acp.InitializeRequest{
		ProtocolVersion:    acp.ProtocolVersionNumber,
		ClientCapabilities: acp.ClientCapabilities{Fs: acp.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}},
	}); err != nil {
		h.t.Fatalf("initialize %v: %v\n%s", command, err, stderr.String())
	}
	return e
}

// Leave closes the connection, as an editor that is closed does, and waits until the
// program has ended.
func (e *Editor) Leave(t testing.TB) {
	t.Helper()
	if e.in == nil {
		return
	}
	_ = e.in.Close()
	e.in = nil
	go func() {
		_, err := e.Command.Process.Wait()
		e.ended <- err
	}()
	select {
	case err := <-e.ended:
		if err != nil {
			t.Errorf("%v: %v", e.Command.Args, err)
		}
	case <-time.After(20 * time.Second):
		_ = e.Command.Process.Kill()
		t.Errorf("%v did not end", e.Command.Args)
	}
}

// EditBehind is Edit of an agent behind `carryover acp`.
func (a *Agent) EditBehind(dir string) *Editor {
	a.t.Helper()
	speaks := a.Speaks()
	proxy := []string{filepath.Join(Programs(a.t), "carryover"), "acp", "--"}
	return a.Edit(dir, speaks.Env, append(proxy, speaks.Command...)...)
}

// Open begins a session and returns its id.
func (e *Editor) Open(dir string) (acp.SessionId, error) {
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	opened, err := e.NewSession(ctx, acp.NewSessionRequest{Cwd: dir, McpServers: []acp.McpServer{}})
	return opened.SessionId, err
}

// Ask sends a prompt and waits until the turn has ended.
func (e *Editor) Ask(session acp.SessionId, prompt string) error {
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	_, err := e.Prompt(ctx, acp.PromptRequest{SessionId: session, Prompt: []acp.ContentBlock{acp.TextBlock(prompt)}})
	return err
}

// Updates are what the agent reported so far.
func (e *Editor) Updates() []acp.SessionUpdate {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]acp.SessionUpdate(nil), e.updates...)
}

// SessionUpdate implements acp.Client.
func (e *Editor) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.updates = append(e.updates, n.Update)
	return nil
}

// RequestPermission implements acp.Client: what is asked is allowed.
func (e *Editor) RequestPermission(_ context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	for _, option := range p.Options {
		if option.Kind == acp.PermissionOptionKindAllowOnce || option.Kind == acp.PermissionOptionKindAllowAlways {
			selected := acp.RequestPermissionOutcomeSelected{OptionId: option.OptionId, Outcome: "selected"}
			return acp.RequestPermissionResponse{Outcome: acp.RequestPermissionOutcome{Selected: &selected}}, nil
		}
	}
	return acp.RequestPermissionResponse{}, fmt.Errorf("nothing allows %v", p.ToolCall.ToolCallId)
}

// ReadTextFile implements acp.Client.
func (e *Editor) ReadTextFile(_ context.Context, p acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	data, err := os.ReadFile(p.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return acp.ReadTextFileResponse{}, &acp.RequestError{Code: -32002, Message: "Resource not found"}
	}
	return acp.ReadTextFileResponse{Content: string(data)}, err
}

// WriteTextFile implements acp.Client.
func (e *Editor) WriteTextFile(_ context.Context, p acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	return acp.WriteTextFileResponse{}, errors.Join(os.MkdirAll(filepath.Dir(p.Path), 0o755), os.WriteFile(p.Path, []byte(p.Content), 0o600))
}

var errNoTerminal = errors.New("this editor has no terminals")

// CreateTerminal implements acp.Client.
func (e *Editor) CreateTerminal(context.Context, acp.CreateTerminalRequest) (acp.CreateTerminalResponse, error) {
	return acp.CreateTerminalResponse{}, errNoTerminal
}

// KillTerminal implements acp.Client.
func (e *Editor) KillTerminal(context.Context, acp.KillTerminalRequest) (acp.KillTerminalResponse, error) {
	return acp.KillTerminalResponse{}, errNoTerminal
}

// TerminalOutput implements acp.Client.
func (e *Editor) TerminalOutput(context.Context, acp.TerminalOutputRequest) (acp.TerminalOutputResponse, error) {
	return acp.TerminalOutputResponse{}, errNoTerminal
}

// ReleaseTerminal implements acp.Client.
func (e *Editor) ReleaseTerminal(context.Context, acp.ReleaseTerminalRequest) (acp.ReleaseTerminalResponse, error) {
	return acp.ReleaseTerminalResponse{}, errNoTerminal
}

// WaitForTerminalExit implements acp.Client.
func (e *Editor) WaitForTerminalExit(context.Context, acp.WaitForTerminalExitRequest) (acp.WaitForTerminalExitResponse, error) {
	return acp.WaitForTerminalExitResponse{}, errNoTerminal
}
