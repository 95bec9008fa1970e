package doctor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/version"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// askAppServer is how a spec says that the tool can be asked over its app server.
const askAppServer = "app-server hooks/list"

// trustTimeout bounds the question to the tool.
const trustTimeout = 20 * time.Second

// trustCheck asks the tool itself whether it will run our hooks: trust is the
// user's own click, and nothing is shown where it is missing.
func trustCheck(ctx context.Context, p checkContext, spec *toolspecs.Spec, found setup.Detection) Check {
	name := spec.Tool + "-trust"
	if found.Resolved.Trust.Verify != askAppServer {
		return folderTrust(name, spec, found)
	}
	ctx, cancel := context.WithTimeout(ctx, trustTimeout)
	defer cancel()
	listed, warnings, err := listHooks(ctx, found.Binary)
	if err != nil {
		return Check{name, Warning, fmt.Sprintf("cannot ask %s which hooks it trusts: %s", spec.Name, err), found.Resolved.Trust.How}
	}
	program := wiring.Program(p.home)
	states := map[string]int{}
	for _, hook := range listed {
		if strings.Contains(hook.Command, `"`+program+`" `) {
			state := hook.Trust
			if !hook.Enabled {
				state = "disabled"
			}
			states[state]++
		}
	}
	want := len(found.Resolved.Wired())
	trusted := states["trusted"] + states["managed"]
	switch {
	case len(states) == 0 && len(warnings) > 0:
		return Check{name, Error, spec.Name + " does not load the file: " + strings.Join(warnings, "; "), "correct the file it names"}
	case trusted >= want:
		return ok(name, "%d of %d hooks trusted", trusted, want)
	}
	return Check{name, Warning, fmt.Sprintf("%d of %d hooks trusted %v; the others are skipped silently", trusted, want, states), found.Resolved.Trust.How}
}

// folderTrust looks up this folder in the tool's own list of trusted ones.
func folderTrust(name string, spec *toolspecs.Spec, found setup.Detection) Check {
	trust := found.Resolved.Trust
	user, _ := os.UserHomeDir()
	file, ok := toolspecs.Expand(trust.Verify, runtime.GOOS, os.Getenv, user)
	cwd, err := os.Getwd()
	if !ok || err != nil || !strings.HasSuffix(file, ".json") {
		return Check{name, Info, trust.How, ""}
	}
	data, err := os.ReadFile(file)
	folders := map[string]string{}
	if err == nil {
		err = json.Unmarshal(data, &folders)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Check{name, Warning, fmt.Sprintf("cannot read the trusted folders from %s: %s", file, err), trust.How}
	}
	for dir := cwd; ; dir = filepath.Dir(dir) {
		switch said := folders[dir]; {
		case strings.HasPrefix(said, "DO_NOT"):
			return Check{name, Warning, fmt.Sprintf("%s does not trust %s: no hook runs there", spec.Name, dir), trust.How}
		case said != "":
			return Check{name, OK, spec.Name + " trusts " + dir, ""}
		}
		if filepath.Dir(dir) == dir {
			return Check{name, Info, fmt.Sprintf("%s has not asked whether to trust %s yet", spec.Name, cwd), trust.How}
		}
	}
}

// listedHook is a hook as Codex' app server lists it (facts: hooks/list).
type listedHook struct {
	Command string `json:"command"`
	Enabled bool   `json:"enabled"`
	Trust   string `json:"trustStatus"` // untrusted, modified, trusted, managed
}

// listHooks speaks to `codex app-server` over stdio: JSON lines, initialize,
// initialized, then hooks/list.
func listHooks(ctx context.Context, binary string) (hooks []listedHook, warnings []string, err error) {
	cmd := exec.CommandContext(ctx, binary, "app-server")
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	defer func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	cwd, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	type object = map[string]any
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 4<<20)
	if err := send(in, object{"id": 1, "method": "initialize", "params": object{
		"clientInfo": object{"name": "carryover", "title": "Carryover", "version": version.Version},
	}}); err != nil {
		return nil, nil, err
	}
	if _, err := answerTo(answers, 1); err != nil {
		return nil, nil, err
	}
	if err := send(in, object{"method": "initialized"}); err != nil {
		return nil, nil, err
	}
	if err := send(in, object{"id": 2, "method": "hooks/list", "params": object{"cwds": []string{cwd}}}); err != nil {
		return nil, nil, err
	}
	result, err := answerTo(answers, 2)
	if err != nil {
		return nil, nil, err
	}
	var list struct {
		Data []struct {
			Hooks    []listedHook `json:"hooks"`
			Warnings []string     `json:"warnings"`
		} `json:"data"`
	}
	if err := json.Unmarshal(result, &list); err != nil {
		return nil, nil, fmt.Errorf("read its list: %w", err)
	}
	for _, folder := range list.Data {
		hooks = append(hooks, folder.Hooks...)
		warnings = append(warnings, folder.Warnings...)
	}
	return hooks, warnings, nil
}

func send(in io.Writer, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = in.Write(append(data, '\n'))
	return err
}

// answerTo reads lines until the answer to a request; notifications pass by.
func answerTo(lines *bufio.Scanner, id int) (json.RawMessage, error) {
	for lines.Scan() {
		var message struct {
			ID     *int            `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(lines.Bytes(), &message) != nil || message.ID == nil || *message.ID != id {
			continue
		}
		if message.Error != nil {
			return nil, fmt.Errorf("refused: %s", message.Error.Message)
		}
		return message.Result, nil
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return nil, io.ErrUnexpectedEOF
}
