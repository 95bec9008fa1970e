package wiring

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
)

// Editor is an editor that starts agents by the Agent Client Protocol, as its settings
// file says.
type Editor struct {
	Name     string // zed, jetbrains
	Title    string
	Path     string
	typed    bool // an entry has "type": "custom"
	comments bool
}

// serversKey is the member of an editor's settings that holds the agents
// (zed.dev/docs/ai/external-agents, jetbrains.com/help/ai-assistant/acp.html).
const serversKey = "agent_servers"

// ourServer ends the name of an agent that is started behind `carryover acp`.
const ourServer = " (Carryover)"

// Editors are those that are known, with where their settings are on this machine.
func Editors() []Editor {
	user, _ := os.UserHomeDir()
	zed := filepath.Join(user, ".config", "zed", "settings.json")
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" && runtime.GOOS == "linux" {
		zed = filepath.Join(dir, "zed", "settings.json")
	}
	if dir := os.Getenv("APPDATA"); dir != "" && runtime.GOOS == "windows" {
		zed = filepath.Join(dir, "Zed", "settings.json")
	}
	return []Editor{
		{Name: "zed", Title: "Zed", Path: zed, typed: true, comments: true},
		{Name: "jetbrains", Title: "JetBrains", Path: filepath.Join(user, ".jetbrains", "acp.json")},
	}
}

// Here says whether the editor was ever started on this machine.
func (e Editor) Here() bool {
	info, err := os.Stat(filepath.Dir(e.Path))
	return err == nil && info.IsDir()
}

// server is an entry of an editor's settings.
type server struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

func (e Editor) serverOf(spec *toolspecs.Spec, program string) server {
	s := server{Command: program, Args: append([]string{"acp", "--"}, spec.Editor.Command...), Env: map[string]string{}}
	if e.typed {
		s.Type = "custom"
	}
	return s
}

func (e Editor) rules() toolspecs.Settings { return toolspecs.Settings{Comments: e.comments} }

// Entries are the settings of an editor for agents behind `carryover acp`, as they are
// printed. program is an absolute path: an editor has another PATH than a shell.
func (e Editor) Entries(specs []*toolspecs.Spec, program string) string {
	d := &document{eol: "\n", unit: "  "}
	servers := map[string]server{}
	for _, spec := range specs {
		servers[spec.Name+ourServer] = e.serverOf(spec, program)
	}
	return d.encode(map[string]any{serversKey: servers}, 0)
}

// PlanEditor says how the settings of an editor become with the agents in them. Other
// members stay as they are, byte for byte.
func PlanEditor(e Editor, specs []*toolspecs.Spec, program string) (Change, error) {
	data, err := readSettings(e.Path)
	if err != nil {
		return Change{}, err
	}
	text := data
	if len(strings.TrimSpace(string(text))) == 0 {
		text = []byte("{}\n")
	}
	d, err := parse(text, e.rules())
	if err != nil {
		return Change{}, fmt.Errorf("%s: %w", e.Path, err)
	}
	for _, spec := range specs {
		if err := d.putServer(spec.Name+ourServer, e.serverOf(spec, program), e.comments); err != nil {
			return Change{}, fmt.Errorf("%s: %w", e.Path, err)
		}
	}
	return Change{Tool: e.Name, Path: e.Path, Before: data, After: d.data}, nil
}

// putServer adds an entry, or leaves the one of that name as it is.
func (d *document) putServer(name string, s server, comments bool) error {
	if _, found := member(&d.root, serversKey); !found {
		d.add(&d.root, 1, string(marshal(serversKey))+": {}")
		if err := d.reparse(comments); err != nil {
			return err
		}
	}
	servers, _ := member(&d.root, serversKey)
	if _, ok := servers.Value.Value.(*hujson.Object); !ok {
		return fmt.Errorf("%w: %s is no object", ErrRefused, serversKey)
	}
	if _, found := member(&servers.Value, name); found {
		return nil
	}
	d.add(&servers.Value, 2, string(marshal(name))+": "+d.encode(s, 2))
	return d.reparse(comments)
}

// PlanEditorRemoval says how the settings of an editor become without our agents.
func PlanEditorRemoval(e Editor) (Change, error) {
	data, err := readSettings(e.Path)
	if err != nil || data == nil {
		return Change{Tool: e.Name, Path: e.Path}, err
	}
	d, err := parse(data, e.rules())
	if err != nil { // what was never ours to write holds nothing of ours
		return Change{Tool: e.Name, Path: e.Path, Before: data, After: data}, nil
	}
	for d.dropServer() {
		if err := d.reparse(e.comments); err != nil {
			return Change{}, fmt.Errorf("%s: %w", e.Path, err)
		}
	}
	return Change{Tool: e.Name, Path: e.Path, Before: data, After: d.data}, nil
}

// dropServer takes one of our agents out, and with the last one what held them.
func (d *document) dropServer() bool {
	servers, found := member(&d.root, serversKey)
	if !found {
		return false
	}
	object, ok := servers.Value.Value.(*hujson.Object)
	if !ok {
		return false
	}
	for i := range object.Members {
		literal, ok := object.Members[i].Name.Value.(hujson.Literal)
		if !ok || !strings.HasSuffix(literal.String(), ourServer) {
			continue
		}
		if len(object.Members) > 1 {
			d.removeChild(&servers.Value, i)
			return true
		}
		for at := range d.root.Value.(*hujson.Object).Members {
			if &d.root.Value.(*hujson.Object).Members[at] == servers {
				d.removeChild(&d.root, at)
				return true
			}
		}
	}
	return false
}

// WriteEditor carries a change of an editor's settings out. The file as it was is kept
// among the backups.
func WriteEditor(dir home.Dir, c Change) error {
	if !c.Changed() {
		return nil
	}
	if c.Before != nil {
		if _, err := backup(dir, c.Path, c.Before); err != nil {
			return err
		}
	}
	err := write(c.Path, c.Before, c.After)
	if errors.Is(err, errWritten) {
		return fmt.Errorf("%s: %w", c.Path, err)
	}
	return err
}
