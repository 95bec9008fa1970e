package wiring

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/carryover-go/carryover/toolspecs"
)

// tomlFormat is the Settings.Format of files whose hooks are tables of one
// list, [[hooks]].
const tomlFormat = "toml"

// tables is a TOML settings file, cut before each line that begins a table.
// After each edit the file is parsed again and must differ in our tables alone.
type tables struct {
	pieces []string
	eol    string
}

// addTables returns the file with a table for each of our hooks behind all
// others; those of an older install go.
func addTables(data []byte, t Target) ([]byte, error) {
	d, err := parseTOML(data, t)
	if err != nil {
		return nil, err
	}
	var want strings.Builder
	for _, hook := range t.Hooks {
		want.WriteString(t.tableOf(hook))
	}
	ours := strings.ReplaceAll(want.String(), "\n", d.eol)
	if strings.Contains(string(data), ours) && len(d.ours(t)) == len(t.Hooks) {
		return data, nil
	}
	rest := d.without(t)
	if rest != "" && !strings.HasSuffix(rest, d.eol) {
		rest += d.eol
	}
	return checkedTables(data, []byte(rest+ours), t, len(t.Hooks))
}

// tableOf is the table of one hook, behind an empty line.
func (t Target) tableOf(hook toolspecs.Hook) string {
	text := "\n[[" + t.key() + "]]\nevent = " + tomlString(hook.Event) + "\n"
	if hook.Matcher != "" {
		text += "matcher = " + tomlString(hook.Matcher) + "\n"
	}
	return text + "command = " + tomlString(t.commandOf(hook.Event)) + "\ntimeout = " + strconv.Itoa(hook.Timeout) + "\n"
}

// tomlString is a basic string, whose escapes are those of JSON.
func tomlString(text string) string { return string(marshal(text)) }

func removeTables(data []byte, t Target, _ []string) ([]byte, error) {
	d, err := parseTOML(data, t)
	if err != nil || len(d.ours(t)) == 0 {
		return data, err
	}
	return checkedTables(data, []byte(d.without(t)), t, 0)
}

// tablesToCreate names nothing: a list without tables leaves no trace.
func tablesToCreate([]byte, Target) []string { return nil }

// standingTables lists the events of our tables.
func standingTables(data []byte, t Target) ([]string, error) {
	root, err := decodeTOML(data)
	if err != nil {
		return nil, err
	}
	mine, _ := t.split(root)
	var events []string
	for _, table := range mine {
		event, _ := table["event"].(string)
		events = append(events, event)
	}
	return events, nil
}

func parseTOML(data []byte, t Target) (*tables, error) {
	if bytes.HasPrefix(data, bom) && !t.Settings.BOM {
		return nil, fmt.Errorf("%w: it begins with a byte order mark, which the tool does not read", ErrRefused)
	}
	if _, err := decodeTOML(data); err != nil {
		return nil, err
	}
	d := &tables{eol: "\n"}
	if bytes.Contains(data, []byte("\r\n")) {
		d.eol = "\r\n"
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "[") || len(d.pieces) == 0 {
			d.pieces = append(d.pieces, "")
		}
		d.pieces[len(d.pieces)-1] += line
	}
	return d, nil
}

func decodeTOML(data []byte) (map[string]any, error) {
	root := map[string]any{}
	if err := toml.Unmarshal(bytes.TrimPrefix(data, bom), &root); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrRefused, strings.TrimPrefix(err.Error(), "toml: "))
	}
	return root, nil
}

// ours are the pieces that are tables of ours, by their places.
func (d *tables) ours(t Target) []int {
	var found []int
	for at, piece := range d.pieces {
		if strings.HasPrefix(piece, "[["+t.key()+"]]") && strings.Contains(piece, strings.Trim(tomlString(quoted(t.Program)+" "), `"`)) {
			found = append(found, at)
		}
	}
	return found
}

// without is the file without our tables, each with the empty line before it.
// What stands behind a table's last value, such as a comment, stays.
func (d *tables) without(t Target) string {
	kept := append([]string{}, d.pieces...)
	for _, at := range d.ours(t) {
		if at > 0 && (kept[at-1] == d.eol || strings.HasSuffix(kept[at-1], d.eol+d.eol)) {
			kept[at-1] = strings.TrimSuffix(kept[at-1], d.eol)
		}
		kept[at] = behindTable(kept[at])
	}
	return strings.Join(kept, "")
}

// behindTable is what follows the values of a table.
func behindTable(piece string) string {
	lines := strings.SplitAfter(piece, "\n")
	end := 1
	for n, line := range lines {
		if strings.Contains(line, "=") && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			end = n + 1
		}
	}
	return strings.Join(lines[end:], "")
}

// split sorts the tables of our list into ours and the rest of the file.
func (t Target) split(root map[string]any) (mine []map[string]any, rest map[string]any) {
	rest = map[string]any{}
	for name, value := range root {
		rest[name] = value
	}
	list, _ := root[t.key()].([]any)
	var others []any
	for _, element := range list {
		table, _ := element.(map[string]any)
		if runs(any(table), quoted(t.Program)+" ") {
			mine = append(mine, table)
		} else {
			others = append(others, element)
		}
	}
	if mine != nil || len(others) == 0 {
		if rest[t.key()] = others; others == nil {
			delete(rest, t.key())
		}
	}
	return mine, rest
}

// checkedTables returns the edited bytes if they say what the old ones said, but
// for so many tables of ours.
func checkedTables(before, after []byte, t Target, count int) ([]byte, error) {
	was, err := decodeTOML(before)
	if err != nil {
		return nil, err
	}
	is, err := decodeTOML(after)
	if err != nil {
		return nil, unusual(t.key())
	}
	_, old := t.split(was)
	mine, rest := t.split(is)
	if len(mine) != count || !reflect.DeepEqual(old, rest) {
		return nil, unusual(t.key())
	}
	return after, nil
}
