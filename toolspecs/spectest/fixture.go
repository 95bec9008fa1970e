package spectest

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/tools"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Fixture is a synthetic transcript of a tool.
type Fixture struct {
	Tool     string
	Name     string // below the tool's fixtures/transcript, "work.jsonl"
	Data     []byte
	Expected []byte // events expected of it, one per line of a JSON array; nil when there are none yet
}

// Source is the fixture as a reader is handed it.
func (f Fixture) Source() transcript.Source {
	return transcript.Source{Tool: f.Tool, Path: "/home/dev/" + f.Name}
}

// Folder is where the fixtures of a tool's transcripts stand in tools.Files.
func Folder(tool string) string { return path.Join(tool, "fixtures", "transcript") }

// Fixtures are the transcripts of a tool.
func Fixtures(tool string) ([]Fixture, error) {
	var fixtures []Fixture
	folder := Folder(tool)
	err := fs.WalkDir(tools.Files, folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(file, eventsSuffix) {
			return err
		}
		data, err := fs.ReadFile(tools.Files, file)
		if err != nil {
			return err
		}
		expected, _ := fs.ReadFile(tools.Files, EventsFile(file))
		fixtures = append(fixtures, Fixture{
			Tool: tool, Name: strings.TrimPrefix(file, folder+"/"), Data: data, Expected: expected,
		})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list fixtures of %s: %w", tool, err)
	}
	return fixtures, nil
}

const eventsSuffix = ".events.json"

// EventsFile is the name of the events expected of a transcript.
func EventsFile(file string) string { return strings.TrimSuffix(file, path.Ext(file)) + eventsSuffix }

// Appended says that the tool only appends to its transcripts of the file's
// kind: any division of one, read on later, gives the same events.
func Appended(spec *toolspecs.Spec, file string) bool {
	return !strings.HasSuffix(file, rowsSuffix) && slices.ContainsFunc(spec.Transcripts, func(source toolspecs.Transcript) bool {
		return source.Growth == "append" && source.Role != "copy" && path.Ext(source.Glob) == path.Ext(file)
	})
}

// Typed says that each line of a transcript is a record that names its type.
func Typed(spec *toolspecs.Spec, file string) bool {
	return path.Ext(file) == ".jsonl" && Appended(spec, file)
}

// Payload is a synthetic hook payload; its name begins with the event's.
type Payload struct {
	Tool, Event, Name string
	Data              []byte
}

// Payloads are the hook payloads of a tool.
func Payloads(tool string) ([]Payload, error) {
	folder := path.Join(tool, "fixtures", "hooks")
	entries, err := fs.ReadDir(tools.Files, folder)
	if err != nil {
		return nil, fmt.Errorf("list hook payloads of %s: %w", tool, err)
	}
	var payloads []Payload
	for _, entry := range entries {
		data, err := fs.ReadFile(tools.Files, path.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("list hook payloads of %s: %w", tool, err)
		}
		event, _, _ := strings.Cut(entry.Name(), ".")
		payloads = append(payloads, Payload{Tool: tool, Event: event, Name: entry.Name(), Data: data})
	}
	return payloads, nil
}

// Lines writes events as a JSON array with one event per line.
func Lines(events []transcript.Located) []byte {
	var lines []string
	for _, event := range events {
		lines = append(lines, body(event))
	}
	return []byte("[\n" + strings.Join(lines, ",\n") + "\n]\n")
}
