package aider

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/tools"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func aider(t *testing.T) *toolspecs.Spec {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	for _, err := range failed {
		t.Fatal(err)
	}
	spec, err := table.Lookup("aider")
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// read decodes a history and returns its events, one line of text each.
func read(t *testing.T, text string) []transcript.Located {
	t.Helper()
	decoder, err := New(aider(t)).Decode(transcript.Source{Path: "/home/dev/notes/.aider.chat.history.md"}, strings.NewReader(text), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	var events []transcript.Located
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return events
		}
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, batch.Events...)
	}
}

const head = "\n# aider chat started at 2026-03-02 09:15:00\n\n> Aider v0.86.2  \n"

// Every type of line that is read stands in a fixture.
func TestLineTypesAndFixturesAgree(t *testing.T) {
	spec := aider(t)
	sorter := spec.Records.LineSorter()
	occurs := map[string]bool{"run": true, "prompt": true, "reply": true}
	err := fs.WalkDir(tools.Files, "aider/fixtures/transcript", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".md") {
			return err
		}
		data, err := fs.ReadFile(tools.Files, file)
		for line := range bytes.Lines(data) {
			if said, ok := strings.CutPrefix(string(line), "> "); ok {
				name, _, _ := sorter.Sort(strings.TrimRight(said, " \r\n"))
				occurs[name] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range spec.Records.Read {
		if !occurs[name] {
			t.Errorf("lines of type %s are read but stand in no fixture", name)
		}
	}
}

func TestBlocksThatAreEasilyMistaken(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"a heading and a quote of the model": {
			"\n#### Go.  \n\nOne.\n\n#### Two\n\n> three\n\n> Tokens: 1k sent, 2 received.  \n",
			"prompt:Go. reply:One.\n\n#### Two\n\n> three usage: turn:completed",
		},
		"a reply that begins with a quote": {
			"\n#### Go.  \n\n> You said so.\n\nYes.\n\n> Tokens: 1k sent, 2 received.  \n",
			"prompt:Go. reply:> You said so.\n\nYes. usage: turn:completed",
		},
		"a fence that never ends": {
			"\n#### Go.  \n\n```go\n> x  \n\n> y  \n\n> Tokens: 1k sent, 2 received.  \n\n#### Again.  \n> z  \n",
			"prompt:Go. reply:```go\n> x  \n\n> y usage: turn:completed prompt:Again.",
		},
		"what Aider says over several lines": {
			"\n#### /diff  \n> Diff since 1a2b3c4...  \n> Commit 5d6e7f8 Say hello\n\n# No heading\n\n#### nor a prompt\nthe end  \n\n#### Go.  \n> z  \n",
			"prompt:/diff call: result:[HEAD 5d6e7f8] Say hello prompt:Go.",
		},
		"two prompts without an answer": {
			"\n#### One.  \n\n#### Two.  \n> z  \n",
			"prompt:One. prompt:Two.",
		},
		"a reply that is not followed by anything yet": {"\n#### Go.  \n\nWorking on", "prompt:Go."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, event := range read(t, head+test.text)[2:] {
				text := event.Text
				if event.Result != nil {
					text = event.Result.Text
				}
				got = append(got, string(event.Kind)+":"+text)
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("got  %q\nwant %q", text, test.want)
			}
		})
	}
}

func TestEditsAreTakenOutOfTheProse(t *testing.T) {
	tests := map[string]struct {
		format, text, prose string
		edits               []edit
	}{
		"name above the fence": {
			"diff", "Now.\n\na/b.go\n```go\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n\nDone.",
			"Now.\n\nDone.",
			[]edit{{path: "a/b.go", before: "old\n", after: "new\n"}},
		},
		"name inside the fence": {
			"diff-fenced", "Now.\n```\n**a/b.go**\n<<<<<<< SEARCH\nold\n=======\n>>>>>>> REPLACE\n```",
			"Now.",
			[]edit{{path: "a/b.go", before: "old\n"}},
		},
		"code that changes nothing": {
			"diff", "Like so:\n```go\nx()\n```", "Like so:\n```go\nx()\n```", nil,
		},
		"a block that was cut off": {
			"diff", "a.go\n```go\n<<<<<<< SEARCH\nold", "a.go\n```go\n<<<<<<< SEARCH\nold", nil,
		},
		"a whole file with a fence in it": {
			"whole", "`README.md`:\n````\n```\nx\n```\n````\n", "",
			[]edit{{path: "README.md", after: "```\nx\n```\n", whole: true}},
		},
		"code that is shown, whose last line is no name": {
			"whole", "It refers to:\n\n```csharp\nSleepSpeed\nSleepAngle\n```\n\nAdd:\n\n```\nint x;\n```",
			"It refers to:\n\n```csharp\nSleepSpeed\nSleepAngle\n```\n\nAdd:\n\n```\nint x;\n```", nil,
		},
		"a whole file between tags": {
			"editor-whole", "README.md\n<source>\n```\nx\n```\n</source>\nsort.py\n<source>\nprint(1)\n</source>", "",
			[]edit{{path: "README.md", after: "```\nx\n```\n", whole: true}, {path: "sort.py", after: "print(1)\n", whole: true}},
		},
		"a block between tags": {
			"diff", "a.go\n<source>\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n</source>\nThat is all.", "That is all.",
			[]edit{{path: "a.go", before: "old\n", after: "new\n"}},
		},
		"a tag that nothing ends": {
			"whole", "notes.md\n<pre>\nx", "notes.md\n<pre>\nx", nil,
		},
		"two files of one patch": {
			"patch", "*** Begin Patch\n*** Add File: a.go\n+package a\n*** Update File: b.go\n-x\n+y\n*** End Patch",
			"",
			[]edit{{path: "a.go", after: "package a\n"}, {path: "b.go", before: "x\n", after: "y\n"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			prose, edits := split(test.text, test.format)
			if prose != test.prose || len(edits) != len(test.edits) {
				t.Fatalf("prose %q, edits %+v", prose, edits)
			}
			for i, want := range test.edits {
				if edits[i] != want {
					t.Errorf("edit %+v, want %+v", edits[i], want)
				}
			}
		})
	}
}

// Two runs that begin in one second are two sessions, in one file and in two.
func TestSessionsOfOneSecond(t *testing.T) {
	seen := map[string]bool{}
	other := strings.Replace(head, "2026", "2025", 1)
	for _, text := range []string{head + head, other + head} {
		for _, event := range read(t, text) {
			if event.Start != nil && event.Start.Version == "" {
				seen[event.Session] = true
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("sessions: %v", seen)
	}
}

func texts(events []transcript.Located, kind transcript.Kind, origin transcript.Origin) []string {
	var found []string
	for _, event := range events {
		if event.Kind == kind && event.Origin == origin {
			found = append(found, event.Text)
		}
	}
	return found
}

// A formatter takes the blanks off that mark Aider's lines, and headings of the
// model look like prompts then.
func TestFormattedHistory_PromptsFollowAidersOwnLines(t *testing.T) {
	data, err := fs.ReadFile(tools.Files, "aider/fixtures/transcript/formatted.md")
	if err != nil {
		t.Fatal(err)
	}
	events := read(t, string(data)+"\n> Aider v0.86.2  \n")
	want := []string{
		"sort the notes by date\nand keep the order of equal dates", "which tests cover it?", "how do I add a file", "write one",
		"go on with the tests", "why a stable sort?",
	}
	if got := texts(events, transcript.Prompt, transcript.Typed); !slices.Equal(got, want) {
		t.Errorf("the requests are %q, want %q", got, want)
	}
	if got := len(texts(events, transcript.Reply, "")); got != 6 {
		t.Errorf("%d replies, want 6", got)
	}
}

func TestConfirmation_IsNoRequest(t *testing.T) {
	const answer = "#### Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]: all  \n> Aider v0.86.2  \n"
	events := read(t, head+"\n"+answer)
	if got := texts(events, transcript.Prompt, transcript.Typed); len(got) != 0 {
		t.Errorf("the requests are %q", got)
	}
}

// A command behind /ask is run, and no request.
func TestCommandBehindAsk_IsNoRequest(t *testing.T) {
	events := read(t, head+"\n#### /ask /drop notes.md  \n\n#### /drop notes.md  \n\n#### /add list.md  \n> Added list.md to the chat  \n\n#### /ask which one is longer?  \n\n#### which one is longer?  \n\nThe list.\n")
	if got := texts(events, transcript.Prompt, transcript.Typed); !slices.Equal(got, []string{"which one is longer?"}) {
		t.Errorf("the requests are %q", got)
	}
}

// Aider says that a reply was not in the agreed format, and why, also when no
// edit could be made out in it.
func TestMalformedReply_IsAFailedEdit(t *testing.T) {
	events := read(t, head+"\n#### sort the notes  \n\nHere is the file:\n\n```\nnotes\n```\n\n> Tokens: 2k sent, 10 received.  \n"+
		"> The LLM did not conform to the edit format.  \n> https://aider.chat/docs/troubleshooting/edit-errors.html  \n> No filename provided before ``` in file listing  \n\n> Aider v0.86.2  \n")
	var failed []string
	for _, event := range events {
		if event.Kind == transcript.Result && event.Result.Failed {
			failed = append(failed, event.Result.Text)
		}
	}
	if len(failed) != 1 || !strings.HasPrefix(failed[0], "No filename provided") {
		t.Errorf("the failures are %q", failed)
	}
}

// The person wrote a comment in the code; the words around it are Aider's.
func TestCommentsOfCode_AreWhatThePersonAsked(t *testing.T) {
	text := head + `
#### I've written your instructions in comments in the code and marked them with "ai"  
#### You can see the "AI" comments shown below (marked with █).  
#### Find them in the code files I've shared with you, and follow their instructions.  
####   
#### After completing those instructions, also be sure to remove all the "AI" comments from the code too.  
####   
#### src\shop\cart.ts:  
#### ⋮  
#### │export const total = 0;  
#### │  
#### █// AI! Round the total to cents  
#### │  
####   
#### web/page.py:  
#### █# show the rounded total, ai!  

The total is rounded.
`
	want := []string{"src/shop/cart.ts: Round the total to cents\nweb/page.py: show the rounded total"}
	if got := texts(read(t, text), transcript.Prompt, transcript.Typed); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	plain := head + "\n#### Why is a line marked with █ in the \"AI\" comments?  \n\nIt is a mark.\n"
	if got := texts(read(t, plain), transcript.Prompt, transcript.Typed); len(got) != 1 || !strings.Contains(got[0], "Why is a line") {
		t.Errorf("a question about it: %q", got)
	}
}

// In architect mode the model's own plan goes to the editor model like a prompt.
func TestPlanOfTheArchitect_IsNoRequest(t *testing.T) {
	const plan = "Sort the notes by their date in `sort.py`, and keep the order of equal dates."
	text := head + "\n#### sort the notes  \n\n" + plan + "\n\nNothing else changes.\n\n> Tokens: 2k sent, 10 received.  \n\n#### " + plan + "  \n####   \n#### Nothing else changes.  \n\nDone.\n\n> Tokens: 2k sent, 10 received.  \n\n#### and now the tests  \n\nThey pass.\n"
	want := []string{"sort the notes", "and now the tests"}
	if got := texts(read(t, text), transcript.Prompt, transcript.Typed); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The editor model comes behind the plan, unless the person declines or only asked.
func TestTurn_APlanOfTheArchitectEndsNone(t *testing.T) {
	run := "\n# aider chat started at 2026-03-04 10:00:00\n\n> Aider v0.86.1  \n> Main model: openai/gpt-4o with architect edit format  \n> Editor model: openai/gpt-4o with editor-diff edit format  \n"
	const plan = "\n#### sort the notes  \n\nSort them by their date in `sort.py`, and keep the order of equal dates.\n\n> Tokens: 2k sent, 10 received.  \n"
	const editor = "\n#### Sort them by their date in `sort.py`, and keep the order of equal dates.  \n\nDone.\n\n> Tokens: 2k sent, 10 received.  \n"
	for name, test := range map[string]struct {
		text string
		want int
	}{
		"not yet edited": {plan, 0},
		"edited":         {plan + editor, 1},
		"declined":       {plan + "> Edit the files? (Y)es/(N)o [Yes]: n  \n", 1},
		"only asked":     {"\n#### /ask how are they sorted?  \n#### how are they sorted?  \n\nBy name.\n\n> Tokens: 2k sent, 10 received.  \n", 1},
	} {
		ended := 0
		for _, event := range read(t, run+test.text+"> z  \n") {
			if event.Kind == transcript.Turn && event.Text == transcript.TurnCompleted {
				ended++
			}
		}
		if ended != test.want {
			t.Errorf("%s: %d turns ended", name, ended)
		}
	}
}

// A comment that asks for a change is sent without being written down.
func TestCommentOfCode_ThatIsNotWrittenDown_IsARequest(t *testing.T) {
	const watched = "> Processing your request...  \n"
	text := head + watched + "> web/page.py  \n> Add file to the chat? (Y)es/(N)o [Yes]: y  \n\nOkay, I will round the total:\n\nDone.\n\n> Tokens: 2k sent, 10 received.  \n" +
		watched + "\n#### and now the tests  \n\nThey pass.\n"
	want := []string{"[by a comment in the code; the answer begins:] I will round the total", "and now the tests"}
	if got := texts(read(t, text), transcript.Prompt, transcript.Typed); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A turn ends when its edits are made; a reply whose edits failed is followed by another.
func TestTurn_EndsWithItsEdits(t *testing.T) {
	const fence = "```"
	edit := "\n#### sort the notes  \n\nSorted:\n\nnotes.txt\n" + fence + "\n<<<<<<< SEARCH\nb\n=======\na\n>>>>>>> REPLACE\n" + fence + "\n\n> Tokens: 1k sent, 2 received.  \n"
	for name, test := range map[string]struct {
		text string
		want int
	}{
		"not said yet what came of it":      {edit, 0},
		"made":                              {edit + "> Applied edit to notes.txt  \n> Commit 5d6e7f8 docs: sort the notes  \n\n#### thanks  \n> z  \n", 1},
		"made, and a file added after it":   {edit + "> Applied edit to notes.txt  \n\n#### /add more.txt  \n> Added more.txt to the chat  \n> z  \n", 1},
		"made, in a form that is not known": {"\n#### sort the notes  \n\nSorted.\n\n> Tokens: 1k sent, 2 received.  \n> Applied edit to notes.txt  \n> z  \n", 2},
		"a file added before any":           {"\n#### /add more.txt  \n> Added more.txt to the chat  \n> z  \n", 0},
		"failed": {edit + "> # 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in notes.txt\n<<<<<<< SEARCH\nb\n=======\na\n>>>>>>> REPLACE\n\n" +
			"The SEARCH section must exactly match an existing block of lines  \n> z  \n", 0},
	} {
		ended := 0
		for _, event := range read(t, head+test.text) {
			if event.Kind == transcript.Turn && event.Text == transcript.TurnCompleted {
				ended++
			}
		}
		if ended != test.want {
			t.Errorf("%s: %d turns ended", name, ended)
		}
	}
}
