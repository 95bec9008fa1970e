package antigravity

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// call is what the model asks for. It has no id.
type call struct {
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// arguments are those of a call, each of which may be written as a text of JSON.
func (c call) arguments() []byte {
	var plain bytes.Buffer
	plain.WriteByte('{')
	for walker := transcript.Walk(c.Args); ; {
		key, value, ok := walker.Next()
		if !ok {
			break
		}
		if inner := []byte(transcript.Text(value)); len(inner) > 0 && bytes.IndexByte([]byte(`"[{`), inner[0]) >= 0 && json.Valid(inner) {
			value = inner
		}
		if plain.Len() > 1 {
			plain.WriteByte(',')
		}
		name, _ := json.Marshal(string(key)) // a text is always written
		plain.Write(name)
		plain.WriteByte(':')
		plain.Write(value)
	}
	plain.WriteByte('}')
	return plain.Bytes()
}

func (c *conversation) call(part string, asked call) {
	known, found := c.Calls.Lookup(asked.Name)
	if !found {
		c.UnknownCall("", asked.Name)
	}
	arguments := asked.arguments()
	info := known.Info(c.id+"/"+strconv.FormatInt(c.Offset(), 10)+"."+part, asked.Name, arguments)
	c.placed(info.Cwd)
	event := c.emit(part, transcript.Event{Kind: transcript.Call, Call: info})
	c.EditedPieces(known, event, arguments, "ReplacementChunks", "TargetContent", "ReplacementContent")
	c.Memory.Open.Open(event)
}

var (
	// header is what the tool writes before every result.
	header = regexp.MustCompile(`^(?:(?:Created|Completed) At: [^\n]*\n\s*)+`)
	// ended is how a command ended; what it printed follows.
	ended = regexp.MustCompile(`^\s*The command (?:completed successfully\.|failed with exit code: (\d+))\s*(?:Output:\s*)?`)
	// invalid begins the result of a call that could not be made.
	invalid = regexp.MustCompile(`^Error (?:invalid tool call|executing)`)
)

// result reads what came of a call: nothing links the two, results come in the
// order of the calls.
func (c *conversation) result(failed bool) {
	if len(c.Memory.Open) == 0 {
		return // a notice of the tool's own
	}
	open := c.Memory.Open[0]
	c.Memory.Open = c.Memory.Open[1:]
	said := strings.TrimSpace(header.ReplaceAllString(c.Record.Content, ""))
	info := &transcript.ResultInfo{CallID: open.ID, Failed: failed || c.Record.Status == "ERROR" || invalid.MatchString(said)}
	if known, _ := c.Calls.Lookup(open.Name); known.Meaning == transcript.Shell {
		said = exited(said, info)
		if c.Record.Status == "RUNNING" {
			info.Outcome, info.Failed = transcript.UnknownOutcome, false
		}
	}
	info.Text = transcript.Foreign(said)
	c.emit("r", transcript.Event{Parent: open.Event, Kind: transcript.Result, Result: info})
}

// exited takes how a command ended off what it printed.
func exited(said string, info *transcript.ResultInfo) (printed string) {
	found := ended.FindStringSubmatchIndex(said)
	if found == nil {
		return said
	}
	code := 0
	if found[2] >= 0 {
		code, _ = strconv.Atoi(said[found[2]:found[3]])
	}
	info.ExitCode, info.Failed = &code, code != 0
	return strings.TrimSpace(said[found[1]:])
}
