package wiring

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
)

// How entries lie in a settings file.
const (
	hooksMap  = "hooks-map"  // hooks: event → groups → entries
	hooksList = "hooks-list" // hooks: event → entries
	plainList = "list"       // a list of words, one of which is ours
)

// group is what Claude Code's form of the file puts around its entries.
type group struct {
	Matcher string            `json:"matcher,omitempty"`
	Hooks   []json.RawMessage `json:"hooks"`
}

// handler is an entry where the spec has no template for it.
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
func (t Target) commandOf(event string) string {
	return strings.NewReplacer("{bin}", quoted(t.Program), "{tool}", t.Tool, "{event}", event).Replace(t.Settings.Command)
}

func quoted(program string) string { return `"` + program + `"` }

// entryOf is what stands in an event's list for us.
func (t Target) entryOf(hook toolspecs.Hook) json.RawMessage {
	entry := t.handlerOf(hook)
	if t.Settings.Style != hooksList {
		entry = marshal(group{Matcher: hook.Matcher, Hooks: []json.RawMessage{entry}})
	}
	return entry
}

// handlerOf fills the spec's template of an entry, keys in its order.
func (t Target) handlerOf(hook toolspecs.Hook) json.RawMessage {
	command := t.commandOf(hook.Event)
	if t.Settings.Handler == nil {
		return marshal(handler{Type: "command", Command: command, Timeout: hook.Timeout, Status: hook.Status})
	}
	return json.RawMessage(strings.NewReplacer(
		`"{seconds}"`, strconv.Itoa(hook.Timeout), `"{milliseconds}"`, strconv.Itoa(hook.Timeout*1000),
		`"{command}"`, string(marshal(command)), `"{matcher}"`, string(marshal(hook.Matcher)),
		`"{name}"`, string(marshal("carryover-"+hook.Event)),
	).Replace(string(t.Settings.Handler)))
}

// marshal writes JSON as people would: "2>/dev/null" stays readable.
func marshal(value any) json.RawMessage {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("wiring: encode hook entry: " + err.Error()) // strings, numbers and what was JSON already
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// encode writes a value in the document's layout.
func (d *document) encode(value any, depth int) string {
	text := marshal(value)
	if d.unit != "" {
		var b bytes.Buffer
		if err := json.Indent(&b, text, strings.Repeat(d.unit, depth), d.unit); err != nil {
			panic("wiring: indent hook entry: " + err.Error())
		}
		text = b.Bytes()
	}
	return strings.ReplaceAll(string(text), "\n", d.eol)
}

// ours says whether an entry is one of ours: it runs our hook client, whatever
// its arguments, or is the word we put into a list.
func (t Target) ours(data []byte) bool {
	var value any
	if json.Unmarshal(data, &value) != nil {
		return false
	}
	if t.Settings.Style == plainList {
		return value == t.Settings.Entry
	}
	return runs(value, quoted(t.Program)+" ")
}

// runs looks for a command line in an entry.
func runs(value any, prefix string) bool {
	switch v := value.(type) {
	case string:
		return strings.HasPrefix(v, prefix)
	case []any:
		for _, element := range v {
			if runs(element, prefix) {
				return true
			}
		}
	case map[string]any:
		for _, element := range v {
			if runs(element, prefix) {
				return true
			}
		}
	}
	return false
}

// sameJSON says whether two texts hold the same value.
func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
