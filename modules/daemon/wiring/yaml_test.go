package wiring_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

const word = ".carryover/context.md"

// yamlTarget is a tool that reads what Aider reads.
func yamlTarget(path string) wiring.Target {
	return wiring.Target{Tool: "aider", Path: path, Program: program, Settings: toolspecs.Settings{
		Format: "yaml", Style: "list", BOM: true, Comments: true, Key: "read", Entry: word, Removal: "cut-or-delete",
	}}
}

// yamlFiles are files as people have them, and what becomes of each.
var yamlFiles = map[string]struct{ before, wired string }{
	"no list yet":         {"model: gpt-5 # the big one\n", "model: gpt-5 # the big one\nread:\n  - " + word + "\n"},
	"no last newline":     {"model: gpt-5", "model: gpt-5\nread:\n  - " + word},
	"one word":            {"read: AGENTS.md # ours\nmodel: gpt-5\n", "read: [AGENTS.md, " + word + "] # ours\nmodel: gpt-5\n"},
	"one quoted word":     {"read: 'it''s.md'\n", "read: ['it''s.md', " + word + "]\n"},
	"an inline list":      {"read: [ AGENTS.md, \"a \\\" b.md\" ]\n", "read: [ AGENTS.md, \"a \\\" b.md\", " + word + " ]\n"},
	"an empty list":       {"read: []\n", "read: [" + word + "]\n"},
	"a list":              {"read:\n- AGENTS.md\n- é ü.md   # accents\nmodel: gpt-5\n", "read:\n- AGENTS.md\n- é ü.md   # accents\n- " + word + "\nmodel: gpt-5\n"},
	"a list, wide":        {"read:\n    -   AGENTS.md\n\n# the model\nmodel: gpt-5\n", "read:\n    -   AGENTS.md\n    -   " + word + "\n\n# the model\nmodel: gpt-5\n"},
	"a list at the end":   {"read:\n  - AGENTS.md", "read:\n  - AGENTS.md\n  - " + word},
	"nothing in it":       {"read: # to come\nmodel: gpt-5\n", "read: # to come\n  - " + word + "\nmodel: gpt-5\n"},
	"braces":              {"{model: gpt-5}\n", "{read: [" + word + "], model: gpt-5}\n"},
	"empty braces":        {"# mine\n{}\n", "# mine\n{read: [" + word + "]}\n"},
	"CRLF":                {"model: gpt-5\r\nread:\r\n  - AGENTS.md\r\n", "model: gpt-5\r\nread:\r\n  - AGENTS.md\r\n  - " + word + "\r\n"},
	"CRLF, no list":       {"model: gpt-5\r\n", "model: gpt-5\r\nread:\r\n  - " + word + "\r\n"},
	"byte order mark":     {"\xef\xbb\xbfread: [AGENTS.md]\n", "\xef\xbb\xbfread: [AGENTS.md, " + word + "]\n"},
	"a key named twice":   {"read: a.md\nread: [b.md]\n", "read: a.md\nread: [b.md, " + word + "]\n"},
	"a block at the end":  {"set-env: |\n  A=1\n  B=2\n", "set-env: |\n  A=1\n  B=2\nread:\n  - " + word + "\n"},
	"a document begins":   {"%YAML 1.1\n---\nmodel: gpt-5\n", "%YAML 1.1\n---\nmodel: gpt-5\nread:\n  - " + word + "\n"},
	"a document ends":     {"model: gpt-5\n...\n", "-"},
	"an anchor":           {"read: &list [AGENTS.md]\nfile: *list\n", "-"},
	"a word over lines":   {"read: >-\n  AGENTS.md\n", "-"},
	"a list of lists":     {"read: [[a]]\n", "-"},
	"a mapping":           {"read: {a: b}\n", "-"},
	"an odd null":         {"read: ~\n", "-"},
	"broken":              {"read: [AGENTS.md\n", "-"},
	"a list at the top":   {"- a\n", "-"},
	"empty":               {"", "-"},
	"comments alone":      {"# model: gpt-5\n", "-"},
	"old Mac line ends":   {"model: gpt-5\rread: a\r", "-"},
	"a word with a comma": {"read: a,b.md\n", "-"},
}

func TestYAMLListsAreSpliced(t *testing.T) {
	for name, test := range yamlFiles {
		t.Run(name, func(t *testing.T) {
			dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), ".aider.conf.yml"), wiring.Record{}
			write(t, path, test.before)
			_, err := wiring.Apply(dir, &record, yamlTarget(path), "0.86.2")
			if test.wired == "-" {
				if got := read(t, path); !errors.Is(err, wiring.ErrRefused) || got != test.before {
					t.Errorf("error is %v and the file holds %q", err, got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != test.wired {
				t.Errorf("wired\n%q\nwant\n%q", got, test.wired)
			}
			if again, err := wiring.Apply(dir, &record, yamlTarget(path), "0.86.2"); err != nil || again.Changed() {
				t.Errorf("a second install changes the file again (%v)\n%s", err, again.After)
			}
			if _, err := wiring.Remove(&record, yamlTarget(path)); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != test.before {
				t.Errorf("after the uninstall\n%q\nbefore the install\n%q", got, test.before)
			}
		})
	}
}

// When somebody else edited the file in between, only our word goes. A single
// word stays the list it was made to.
func TestYAMLRemovalKeepsWhatChangedSince(t *testing.T) {
	for name, test := range yamlFiles {
		if test.wired == "-" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), ".aider.conf.yml"), wiring.Record{}
			write(t, path, test.before)
			if _, err := wiring.Apply(dir, &record, yamlTarget(path), "0.86.2"); err != nil {
				t.Fatal(err)
			}
			end := "\n"
			if strings.HasSuffix(test.before, "\n") {
				end = ""
			}
			const comment = "# added since\n"
			write(t, path, read(t, path)+end+comment)
			if _, err := wiring.Remove(&record, yamlTarget(path)); err != nil {
				t.Fatal(err)
			}
			want := test.before + end + comment
			if strings.HasPrefix(name, "one ") {
				want = strings.Replace(strings.Replace(test.wired, ", "+word, "", 1), end+"\n", "\n", 1) + comment
			}
			if got := read(t, path); got != want {
				t.Errorf("after the uninstall\n%q\nwant\n%q", got, want)
			}
		})
	}
}

// Aider does not start with a file that holds nothing, so none is left.
func TestAYAMLFileThatWeMadeLeavesNothingTheToolRefuses(t *testing.T) {
	for name, test := range map[string]struct{ edit, want string }{
		"untouched":         {"", ""},
		"white space added": {"\n\n", ""},
		"a comment added":   {"# mine\n", "# mine\n{}\n"},
		"a setting added":   {"model: gpt-5\n", "model: gpt-5\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), ".aider.conf.yml"), wiring.Record{}
			if _, err := wiring.Apply(dir, &record, yamlTarget(path), "0.86.2"); err != nil {
				t.Fatal(err)
			}
			write(t, path, read(t, path)+test.edit)
			if _, err := wiring.Remove(&record, yamlTarget(path)); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if string(got) != test.want || (test.want == "") != os.IsNotExist(err) {
				t.Errorf("left behind: %q (%v)", got, err)
			}
		})
	}
}

// A word the user has put there is the user's, and stays so.
func TestAYAMLWordThatIsThereIsNotAddedAgain(t *testing.T) {
	dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), ".aider.conf.yml"), wiring.Record{}
	write(t, path, "read: "+word+"\n")
	change, err := wiring.Apply(dir, &record, yamlTarget(path), "0.86.2")
	if err != nil || change.Changed() {
		t.Errorf("changed to %q (%v)", change.After, err)
	}
	if _, err := wiring.Remove(&record, yamlTarget(path)); err != nil || read(t, path) != "read: "+word+"\n" {
		t.Errorf("the uninstall left %q (%v)", read(t, path), err)
	}
}

func FuzzYAMLAddAndRemove(f *testing.F) {
	for _, file := range yamlFiles {
		f.Add([]byte(file.before))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), ".aider.conf.yml"), wiring.Record{}
		write(t, path, string(text))
		if _, err := wiring.Apply(dir, &record, yamlTarget(path), "0.86.2"); err != nil {
			return
		}
		// Without the backup the splices alone have to undo it.
		for i := range record.Files {
			record.Files[i].Backup = ""
		}
		if _, err := wiring.Remove(&record, yamlTarget(path)); err != nil && !errors.Is(err, wiring.ErrRefused) {
			t.Fatal(err)
		}
	})
}
