package wiring

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
)

// group and handler are a hook entry as Claude Code and Codex write it.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

type handler struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty"`
	Status  string `json:"statusMessage,omitempty"`
}

// Program is how a settings file names the hook client. It is one constant
// text per home, because Codex ties the user's trust to the command line:
// below $HOME it is written so, else in full.
func Program(dir home.Dir) string {
	path := dir.Hook()
	user, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(user, path); err == nil && filepath.IsLocal(rel) {
		return "$HOME/" + filepath.ToSlash(rel)
	}
	return path
}

// commandOf fills the spec's command template. The program is quoted: a home
// may have a space in its path, and the quoted path is how we know our own
// entries again.
func commandOf(settings toolspecs.Settings, program, tool, event string) string {
	return strings.NewReplacer("{bin}", quoted(program), "{tool}", tool, "{event}", event).Replace(settings.Command)
}

func quoted(program string) string { return `"` + program + `"` }

func entryOf(settings toolspecs.Settings, program, tool string, hook toolspecs.Hook) group {
	return group{Matcher: hook.Matcher, Hooks: []handler{{
		Type: "command", Command: commandOf(settings, program, tool, hook.Event),
		Timeout: hook.Timeout, Status: hook.Status,
	}}}
}

// encode writes an entry in the document's layout.
func (d *document) encode(value any, depth int) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // "2>/dev/null" must stay readable
	if d.unit != "" {
		encoder.SetIndent(strings.Repeat(d.unit, depth), d.unit)
	}
	if err := encoder.Encode(value); err != nil {
		panic("wiring: encode hook entry: " + err.Error()) // a struct of strings and numbers
	}
	return strings.ReplaceAll(strings.TrimRight(b.String(), "\n"), "\n", d.eol)
}

// ours says whether an entry calls our hook client, whatever its arguments:
// the program is our mark in other people's files.
func ours(data []byte, program string) bool {
	var g group
	if json.Unmarshal(data, &g) != nil {
		return false
	}
	for _, h := range g.Hooks {
		if strings.HasPrefix(h.Command, quoted(program)+" ") {
			return true
		}
	}
	return false
}

// sameEntry says whether a written entry already is what we would write.
func sameEntry(data []byte, want group) bool {
	var have group
	return json.Unmarshal(data, &have) == nil && reflect.DeepEqual(have, want)
}
