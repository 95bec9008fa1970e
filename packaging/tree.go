package packaging

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/carryover-go/carryover/toolspecs"
)

// skills are where the skills of `install --commands` are; the plugin has the
// same.
const skills = "modules/daemon/wiring/plugin/skills"

// Tree are the manifests that stand in the source tree, by their path in it.
func Tree(root string, p Product) (map[string][]byte, error) {
	files, err := renderAll(inTree, p)
	if err != nil {
		return nil, err
	}
	if files["plugin/hooks/hooks.json"], err = pluginHooks(); err != nil {
		return nil, err
	}
	below := os.DirFS(filepath.Join(root, skills))
	err = fs.WalkDir(below, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files["plugin/skills/"+name], err = fs.ReadFile(below, name)
		return err
	})
	return files, err
}

// handler is one hook of Claude Code; see the spec of claude-code.
type handler struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty"`
	Status  string `json:"statusMessage,omitempty"`
}

type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// pluginHooks are the hooks that `install` wires in Claude Code, run through the
// plugin's script: it does nothing where `install` has wired them already.
func pluginHooks() ([]byte, error) {
	table, broken := toolspecs.Load(nil)
	if err := errors.Join(broken...); err != nil {
		return nil, err
	}
	spec, err := table.Lookup("claude-code")
	if err != nil {
		return nil, err
	}
	hooks := map[string][]group{}
	for _, hook := range spec.Hooks {
		if hook.Wired {
			hooks[hook.Event] = []group{{Matcher: hook.Matcher, Hooks: []handler{{
				Type: "command", Command: `"${CLAUDE_PLUGIN_ROOT}/bin/hook" ` + hook.Event + " 2>/dev/null || true", Timeout: hook.Timeout, Status: hook.Status,
			}}}}
		}
	}
	text, err := json.MarshalIndent(map[string]any{"hooks": hooks}, "", "  ")
	return append(text, '\n'), err
}

// Write puts files below a folder.
func Write(root string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if Executable(name) {
			mode = 0o755
		}
		if err := os.WriteFile(path, text, mode); err != nil {
			return err
		}
		if err := os.Chmod(path, mode); err != nil {
			return err
		}
	}
	return nil
}
