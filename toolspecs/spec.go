// Package toolspecs holds what Carryover knows about the agent tools: as data,
// one spec.json per tool, and as one reader per tool beside it.
package toolspecs

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// SchemaVersion is the newest spec schema this code understands. A spec that
// says more is refused in one sentence (ErrTooNew).
const SchemaVersion = 1

// Spec is everything known about one tool.
type Spec struct {
	Schema      int          `json:"schema"`
	Tool        string       `json:"tool"`             // "claude-code"
	Name        string       `json:"name"`             // "Claude Code"
	Reader      string       `json:"reader,omitempty"` // the tool whose format its transcripts have (a fork's parent); "" where it has a reader of its own
	Detect      Detect       `json:"detect"`
	Launch      *LaunchForm  `json:"opens,omitempty"`    // how its program is opened with something to begin with
	Rescue      *RescueForm  `json:"rescue,omitempty"`   // how a session that the tool has deleted is given back to it
	Editor      *EditorForm  `json:"acp,omitempty"`      // how it speaks the Agent Client Protocol with an editor, nil where it does not
	Commands    string       `json:"commands,omitempty"` // folder beside the settings file from which a plugin of ours is loaded
	Recognise   Recognition  `json:"recognise"`          // how a transcript of it is known without a name
	Hooks       []Hook       `json:"hooks"`
	Versions    []Range      `json:"versions"`          // newest first, without gaps
	Heir        string       `json:"heir,omitempty"`    // a sentence for whoever has history of the tool: what came in its place
	Capture     string       `json:"capture,omitempty"` // "hook": there is no transcript, what the hooks receive is the history
	RetiredIn   string       `json:"gone,omitempty"`    // first version of the program that is without the tool: nothing is written for it
	Transcripts []Transcript `json:"transcripts"`
	Records     Records      `json:"records"`
	Names       []string     `json:"names,omitempty"` // members that its records have, at any depth; behind one with * other programs decide what follows. None: it is not known
	Calls       []Call       `json:"calls"`
	Identify    []Identity   `json:"identify"`           // which payloads are this tool's, whoever's hook was run
	Outcomes    []Ending     `json:"outcomes,omitempty"` // results that are no failure of the work
	Limits      Limits       `json:"limits,omitempty"`   // parts of what a failed turn says when a limit of the service was hit, in lower case; of the group "limits"
	Machine     []string     `json:"machine,omitempty"`  // beginnings of prompts that no person wrote
	HookFacts   []HookFact   `json:"hook_facts,omitempty"`
	// HookSwitches are where somebody can keep all hooks from running.
	HookSwitches []HookSwitch `json:"hook_switches,omitempty"`
	Headless     []Mark       `json:"headless,omitempty"` // how a run that nobody attends is known
	Terminal     *Terminal    `json:"terminal,omitempty"` // what its own screen shows and takes, nil where it has none or nobody looked
	Models       Models       `json:"models,omitempty"`
	// Proved says by Feats what the scenarios prove on the real program: "yes", or
	// why not. nil where no scenario runs it.
	Proved   map[string]string `json:"proved,omitempty"`
	Verified []Verified        `json:"verified"`

	pathPatterns func() []pathPattern // of its transcripts, compiled at the first call
	editorHooks  []Hook               // set when all are loaded
}

// Feats are what the scenarios prove of a tool: its sessions are read; one that is
// gone on with is given nothing twice; what a cut lost comes back; the handoff
// reaches the model; a subagent is not given its parent's; each request has it once.
var Feats = []string{"read", "resume", "compact", "inject", "subagent", "once"}

// Untested says that nobody has run a tool, nor seen a file of it: all that is
// known stands in documents.
func Untested(s *Spec) bool {
	return !slices.ContainsFunc(s.Verified, func(fact Verified) bool {
		return strings.Contains(fact.How, "live") || strings.Contains(fact.How, "file")
	})
}

// ReaderName is the tool by whose reader its transcripts are read.
func (s *Spec) ReaderName() string { return cmp.Or(s.Reader, s.Tool) }

// Queries are those of every place in which the tool keeps a database.
func (s *Spec) Queries() []transcript.RowQuery {
	var all []transcript.RowQuery
	for _, source := range s.Transcripts {
		all = append(all, source.Queries...)
	}
	return all
}

// Detect says how to find the tool on a machine.
type Detect struct {
	Binaries []string          `json:"binaries"`          // in order
	Version  []string          `json:"version"`           // arguments of the version command
	Pattern  string            `json:"pattern"`           // regular expression; group 1 is the version
	Apps     map[string]string `json:"apps,omitempty"`    // GOOS → place, where there is no binary
	Install  string            `json:"install,omitempty"` // package to get it from, for hints
}

// LaunchForm says how the tool is opened, for a person to work in, with a text or
// a file as its start.
type LaunchForm struct {
	Binary string   `json:"binary,omitempty"` // where it is not the first of Detect's
	Args   []string `json:"args"`             // {handoff} stands for the text of a handoff, {file} for the path of its file
}

// RescueForm says how a transcript that was given back is taken up. Its facts are of the
// group "rescue".
type RescueForm struct {
	// Resume are the arguments with which the tool goes on with a session, {session}
	// its id; run in the session's directory.
	Resume []string `json:"resume"`
	// Document is, for a tool with a database, the query that gives a session
	// (:session) as one document, and Import are the arguments with which the tool
	// reads it, {file} its path.
	Document string   `json:"document,omitempty"`
	Import   []string `json:"import,omitempty"`
	// Cleanup says when the tool deletes its files; nil when it deletes none.
	Cleanup *Cleanup `json:"cleanup,omitempty"`
}

// Cleanup says when a tool deletes its transcripts by itself.
type Cleanup struct {
	Key  string `json:"key"`           // of the JSON settings file, a number of days
	Days int    `json:"days"`          // where no settings file has it
	Off  string `json:"off,omitempty"` // environment variable or key that turns transcripts off; "" when there is none
}

// EditorForm says how the tool speaks the Agent Client Protocol.
type EditorForm struct {
	Command []string `json:"command"` // program and arguments, as an editor starts it
	Names   []string `json:"names"`   // what it, or an adapter, calls itself in agentInfo
}

// Terminal is what the tool's screen shows and takes when a person, or a
// program for one, sits before it. Its facts are of the group "terminal".
type Terminal struct {
	Ready     string   `json:"ready"`               // shown when a person may type
	Wrapped   string   `json:"wrapped,omitempty"`   // the same under `carryover run`; "" says that nothing is proven there
	Asks      string   `json:"asks,omitempty"`      // shown first at the first start in a folder; Enter agrees
	Args      []string `json:"args,omitempty"`      // arguments with which it works without asking
	New       []string `json:"new,omitempty"`       // commands that begin a second session, and a third, in the same program
	Compact   string   `json:"compact,omitempty"`   // the command that shortens the context
	Compacted string   `json:"compacted,omitempty"` // shown once that is done; "" shows the summary itself
	Full      []string `json:"full,omitempty"`      // shown when the context is full, whatever the case of the letters
}

// Recognition tells a transcript by one of its records: it has all members of
// one of these sets, or is a line that begins so. Of the tools whose sets fit,
// the one with the largest set holds: a fork adds what its parent lacks.
type Recognition struct {
	Members [][]string `json:"members"` // names, or dotted paths to members of members
	Lines   []string   `json:"lines,omitempty"`
	Absent  []string   `json:"absent,omitempty"` // none of its records has one of these members; another tool's do
	Tables  []string   `json:"tables,omitempty"` // a database of the tool has all of them
	Row     string     `json:"row,omitempty"`    // or answers this query with a row, where other programs have the same tables
	// Forks write the tool's records and are not read: what is known to be theirs is
	// nobody's.
	Forks []Fork `json:"forks,omitempty"`
}

// Fork tells a file of a tool that no spec describes, although its records are those
// of one: by a folder on its path, or by a member that its records have.
type Fork struct {
	Name   string `json:"name"`
	Folder string `json:"folder,omitempty"`
	Member string `json:"member,omitempty"` // dotted path
	Prefix string `json:"prefix,omitempty"` // the member's value begins so; "" where any does
}

// Range is what holds for a range of versions of the tool. Its upper end is
// the newest version that was looked at.
type Range struct {
	Range    string       `json:"range"`           // semver constraint, ">=2.1.277, <=2.1.329"
	Hooks    []Hook       `json:"hooks,omitempty"` // filled by Resolve: those of Spec.Hooks the version knows
	Settings []Settings   `json:"settings"`
	Context  ContextFiles `json:"context"`
	Trust    Trust        `json:"trust"`
	Limits   []string     `json:"limits,omitempty"` // behaviour worth knowing, one sentence each
}

// Hook is one event the tool can call out on.
type Hook struct {
	Event            string            `json:"event"`                // the tool's own name
	As               []string          `json:"as,omitempty"`         // its other names, as in a file that is shared with another tool
	Known            string            `json:"known"`                // semver constraint of the versions that accept the name
	Role             string            `json:"role"`                 // session_start, prompt, pre_tool, post_tool, pre_compact, post_compact, turn_end, session_end, interrupt, other
	Transport        string            `json:"transport"`            // command, http
	Wired            bool              `json:"wired"`                // written at install
	Matcher          string            `json:"matcher,omitempty"`    // written into the entry
	NarrowMatcher    string            `json:"narrow,omitempty"`     // written in the matcher's place where the hook need not tell the model anything: the calls it is for all the same
	Timeout          int               `json:"timeout,omitempty"`    // seconds, written into the entry
	Status           string            `json:"status,omitempty"`     // status text, written into the entry
	Output           string            `json:"output"`               // what reaches the model: plain, json, none
	Field            string            `json:"field,omitempty"`      // JSON field of the text when output is json
	Seen             string            `json:"seen,omitempty"`       // JSON field of a line that the person sees and the model does not
	Limit            int               `json:"limit,omitempty"`      // size of one output that passes whole
	LimitUnit        string            `json:"limit_unit,omitempty"` // characters, bytes
	Blocks           string            `json:"blocks,omitempty"`     // what exit code 2 would do
	Restores         []string          `json:"restores,omitempty"`   // what is given here: "start" of a session, after a "cut"; a session_start without it gives both
	SubagentUnmarked bool              `json:"unmarked,omitempty"`   // comes for the calls of subagents too, under the session's id, and nothing in it says so
	Unrecorded       bool              `json:"unrecorded,omitempty"` // what is given here stands in no transcript, or not in all
	Stdin            map[string]string `json:"stdin"`                // our name → field of the payload, or several with a bar between, the first present holds; $NAME is a variable of the environment: session, transcript, cwd, source, prompt, tool_use_id, trigger, reason…
}

// Settings is a settings file that hooks are written to.
type Settings struct {
	Paths    map[string][]string `json:"paths"`              // GOOS or "default" → candidates; ~ and $VAR are expanded by the caller
	Format   string              `json:"format"`             // json, yaml, toml (tables of one list), text (a file of ours that is no settings)
	Style    string              `json:"style"`              // how entries lie in it: "hooks-map" event → groups → entries, "hooks-list" event → entries
	BOM      bool                `json:"bom"`                // the tool accepts a byte order mark
	Comments bool                `json:"comments"`           // the tool accepts comments
	Empty    bool                `json:"empty"`              // the tool accepts an empty file
	Command  string              `json:"command"`            // template of the entry's command: {tool} {event} {bin}
	Of       string              `json:"of,omitempty"`       // the tool whose entries in this file serve this one too: they are written for it (SharedFrom)
	Key      string              `json:"key,omitempty"`      // member our entry goes to, where that is not hooks
	Entry    string              `json:"entry,omitempty"`    // our entry there, where it is no command
	Handler  json.RawMessage     `json:"handler,omitempty"`  // template of one entry, where it is not Claude Code's: "{command}" "{name}", and as numbers "{seconds}" "{milliseconds}"
	Own      bool                `json:"own,omitempty"`      // the file is ours alone: written whole, removed whole
	Lines    []string            `json:"lines,omitempty"`    // the text of such a file where it is no settings (format text); "{program}" and "{tool}" in it are filled in
	Skeleton json.RawMessage     `json:"skeleton,omitempty"` // what a file of ours is before the first entry
	Also     []Setting           `json:"also,omitempty"`     // members that stand beside ours, in files that have none of them (format yaml)
	Removal  string              `json:"removal"`            // cut, "empty-when-followed" (Codex trust is bound to position), or "cut-or-delete" (a file left empty is refused)

	sharedFrom *Spec // the spec of Of, set when all are loaded
}

// Setting is a member of a settings file with its value: a word, or a command in which
// "{program}" and "{tool}" are filled in.
type Setting struct {
	Key     string `json:"key"`
	Value   string `json:"value,omitempty"`
	Command string `json:"command,omitempty"`
}

// Filled is the value as it is written.
func (s Setting) Filled(program, tool string) string {
	if s.Command == "" {
		return s.Value
	}
	return strings.NewReplacer("{program}", program, "{tool}", tool).Replace(s.Command)
}

// SharedFrom is the spec whose entries stand in a file that tools share, nil for a
// file of the tool's own.
func (s Settings) SharedFrom() *Spec { return s.sharedFrom }

// ContextFiles are the rules by which the tool reads context files.
type ContextFiles struct {
	Reads    []string            `json:"reads"`               // in order of precedence
	Shadows  map[string][]string `json:"shadows,omitempty"`   // a file → the files it silences
	Create   string              `json:"create,omitempty"`    // file to create when none of Reads exists
	CreateAs string              `json:"create_as,omitempty"` // whole content when it is created ("@AGENTS.md\n")
	Imports  bool                `json:"imports"`             // @path imports
	Comments string              `json:"comments"`            // stripped, verbatim
	MaxBytes int                 `json:"max_bytes,omitempty"`
	Position string              `json:"place"` // top: the tail of long files is cut
}

// Trust says how a hook becomes active.
type Trust struct {
	Needed bool   `json:"needed"`
	How    string `json:"how,omitempty"`    // one sentence for the user
	Verify string `json:"verify,omitempty"` // "app-server hooks/list"
}

// Transcript is a place where the tool keeps history.
type Transcript struct {
	Roots      map[string][]string `json:"roots"`               // GOOS or "default" → folders
	Glob       string              `json:"glob"`                // relative to the root, ** for any depth
	Format     string              `json:"format"`              // jsonl, jsonl.zst, text
	Growth     string              `json:"growth"`              // append, rewrite, database
	Role       string              `json:"role"`                // main, subagent, overflow, plan, history
	Project    string              `json:"project"`             // where the project is found: "cwd field of the record"
	Session    string              `json:"session,omitempty"`   // path below the root by the "{session}", * for any folder, for hooks that do not name it
	Superseded bool                `json:"stands_in,omitempty"` // tells less of a session than a database does: holds only until that has the session
	In         string              `json:"in,omitempty"`        // "project": in the root of each project instead of Roots
	Sidecar    *Sidecar            `json:"beside,omitempty"`    // where no record says the project

	Protocol bool `json:"-"` // what `carryover acp` wrote down of sessions in an editor: read by its reader

	Queries []transcript.RowQuery `json:"queries,omitempty"` // of a database, in the order they are asked
}

// Sidecar is a JSON file beside a transcript that names its project, or one of JSON
// lines with those of all transcripts.
type Sidecar struct {
	File   string `json:"file"`   // relative to the transcript's folder; * for any folder, {session} for the transcript's name
	Member string `json:"member"` // name or dotted path; holds the folder, as a path or a file URL
	// Where, of a file of JSON lines, is the member that names a folder on the
	// transcript's path: the last line that does is its own. "" where the file is one
	// object.
	Where string `json:"where,omitempty"`
}

// Records sorts the record types of a transcript. A name is a record's type, or
// "type/subtype" for types that Subtype names, any number of times over.
type Records struct {
	Type    string            `json:"type,omitempty"`    // dotted path of the member that names the type, "type" when not given
	Subtype map[string]string `json:"subtype,omitempty"` // name → dotted path of the member that divides it
	Read    []string          `json:"read"`
	Skipped []Skip            `json:"skipped"`
	Lines   []LineType        `json:"lines,omitempty"`   // of a text transcript, in order: the first that fits holds
	Members map[string]string `json:"members,omitempty"` // member → type of a record that has it and no member "type"
}

// LineType tells what a line of a text transcript is. The groups of the pattern
// are what a reader takes from it.
type LineType struct {
	Type    string `json:"type"`
	Pattern string `json:"pattern"` // regular expression
}

// Skip is a record type that is left out on purpose.
type Skip struct {
	Type string `json:"type"`
	Why  string `json:"why"` // repeats, state, rendering…
}

// Call maps one of the tool's tool names to what it means.
type Call struct {
	Name     string             `json:"name"` // exact, or ending in * for a prefix
	Meaning  transcript.Meaning `json:"meaning"`
	Paths    []string           `json:"paths,omitempty"`    // argument names that hold paths
	Command  string             `json:"command,omitempty"`  // argument name of the command
	Detail   []string           `json:"detail,omitempty"`   // argument names of pattern, URL, description
	Question string             `json:"question,omitempty"` // argument name of the questions
	Before   string             `json:"before,omitempty"`   // argument name of the text an edit replaces
	After    string             `json:"after,omitempty"`    // argument name of the new text
	Cwd      string             `json:"cwd,omitempty"`      // argument name of the directory it runs in
}

// Ending is a mark of an outcome in the text of a result. Exactly one of
// Prefix and Contains is set; Contains is looked for in the first 500 bytes.
type Ending struct {
	Outcome  transcript.Outcome `json:"outcome"`
	Prefix   string             `json:"prefix,omitempty"`
	Contains string             `json:"contains,omitempty"`
}

// Identity tells from a hook payload or its environment which tool sent it.
type Identity struct {
	Tool   string `json:"tool,omitempty"`  // whose payload it then is, when another tool runs this one's hooks
	Field  string `json:"field,omitempty"` // present in the payload
	Env    string `json:"env,omitempty"`   // present in the marks
	Equals string `json:"equals,omitempty"`
	Prefix string `json:"prefix,omitempty"`
	Within string `json:"within,omitempty"` // stands anywhere in the value
}

// HookFact is a fact that only a hook knows, or knows first.
type HookFact struct {
	Event string `json:"event"`
	Tool  string `json:"tool_name,omitempty"`
	Keeps string `json:"keeps,omitempty"` // "session": that the session is at work, when, where and by which version; "compaction": that its context was compacted; "decision": what the user chose; "todo": the list of steps
	Why   string `json:"why"`
}

// Mark is an environment variable or record field with a value, or an option
// of the agent's own command line.
type Mark struct {
	Env    string `json:"env,omitempty"`
	Record string `json:"record,omitempty"`
	First  bool   `json:"first_line,omitempty"` // the record's member stands in the first line of the transcript: known without reading on
	Option string `json:"option,omitempty"`     // the hook client, a child of the agent, looks for it
	Piped  bool   `json:"piped,omitempty"`      // the agent's standard input is no terminal

	Unless []string `json:"unless,omitempty"` // options with which a person is there although it is piped
	Equals string   `json:"equals,omitempty"`
	Prefix string   `json:"prefix,omitempty"`
}

// Models are the models of a tool.
type Models []Model

// Model is what is known of models by a prefix of their names. It comes with the specs, so
// that a release of them brings newer figures; a window that a transcript tells holds over
// it.
type Model struct {
	Prefix string `json:"prefix"`
	Window int64  `json:"window,omitempty"` // tokens; 0: unknown
	Price  *Price `json:"price,omitempty"`  // nil: unknown
	Date   string `json:"date,omitempty"`   // when it was looked up, 2006-01-02
	Source string `json:"source,omitempty"` // where
}

// Price is the list price of a model, in US dollars for a million tokens.
type Price struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheWrite float64 `json:"cache_write,omitempty"`
	CacheRead  float64 `json:"cache_read,omitempty"`
}

// Verified says when a group of facts was last checked, and on what.
type Verified struct {
	Group   string `json:"group"` // hooks, transcripts, context, settings, trust
	Version string `json:"version"`
	Date    string `json:"date"` // 2006-01-02
	How     string `json:"how"`  // live, documents, files
}

// SaysEnd says whether the tool tells, by a wired hook, when a session ends. Of one
// that does not, nobody knows whether it is still there.
func (s *Spec) SaysEnd() bool {
	return slices.ContainsFunc(s.Hooks, func(h Hook) bool { return h.Wired && h.Role == "session_end" })
}
