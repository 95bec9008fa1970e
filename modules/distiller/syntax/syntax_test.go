package syntax_test

import (
	"slices"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/syntax"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func edit(path, before, after string) transcript.Located {
	return transcript.Located{
		Event: transcript.Event{Tool: "claude-code", Session: "s", ID: "e1", Kind: transcript.Call, Call: &transcript.CallInfo{ID: "c1", Meaning: transcript.Edit, Paths: []string{path}}},
		Edit:  &transcript.EditText{Path: path, Before: before, After: after},
	}
}

// The symbols that both engines find.
func TestSymbolsOfAnEdit(t *testing.T) {
	goFile := "package cart\n\ntype Total struct{ n int }\n\nfunc (t *Total) Add(n int) {\n\tt.n += n\n}\n\nfunc Sum() int {\n\treturn 1\n}\n"
	for name, c := range map[string]struct {
		path, before, after, file string
		want                      []string
	}{
		"a body in its file":          {"cart/total.go", "\tt.n += n\n", "\tt.n += 2 * n\n", "package cart\n\ntype Total struct{ n int }\n\nfunc (t *Total) Add(n int) {\n\tt.n += 2 * n\n}\n\nfunc Sum() int {\n\treturn 1\n}\n", []string{"Total.Add"}},
		"a function without its file": {"a.go", "", "func Login(user string) error {\n\treturn nil\n}\n", "", []string{"Login"}},
		"only what changed":           {"cart/total.go", goFile, goFile[:len(goFile)-12] + "\treturn 2\n}\n", goFile[:len(goFile)-12] + "\treturn 2\n}\n", []string{"Sum"}},
		"put before another":          {"a.go", "func Sum() int {\n", "func Mean() int {\n\treturn 2\n}\n\nfunc Sum() int {\n", "", []string{"Mean"}},
		"put behind another":          {"a.go", "func Sum() int {\n\treturn 1\n}", "func Sum() int {\n\treturn 1\n}\n\nfunc Mean() int {\n\treturn 2\n}", "", []string{"Mean"}},
		"a word put before it":        {"a.ts", "function total(n: number) {\n", "export function total(n: number) {\n", "", []string{"total"}},
		"python":                      {"a.py", "", "def login(user):\n    return user\n", "", []string{"login"}},
		"typescript":                  {"a.ts", "", "export function total(items: Item[]): number {\n  return 0\n}\n", "", []string{"total"}},
		"an arrow function":           {"a.tsx", "", "export const Cart = (props: Props) => {\n  return null\n}\n", "", []string{"Cart"}},
		"rust":                        {"a.rs", "", "pub fn peek(&self) -> Option<u8> {\n    None\n}\n", "", []string{"peek"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := syntax.Annotate(edit(c.path, c.before, c.after), c.file)
			if !ok || !slices.Equal(got.Symbols, c.want) {
				t.Errorf("%s found %v, want %v", syntax.Engine, got.Symbols, c.want)
			}
		})
	}
}

// A TODO counts in a comment, not in a string, and is gone when the comment is.
func TestNotesOfAnEdit(t *testing.T) {
	got, _ := syntax.Annotate(edit("a.go", "func F() {\n}\n", "func F() {\n\t// TODO: close the file\n\tprint(\"// TODO: not this\")\n}\n"), "")
	if !slices.Equal(got.Code.Added, []string{"TODO: close the file"}) {
		t.Errorf("added %q", got.Code.Added)
	}
	got, _ = syntax.Annotate(edit("a.py", "x = 1  # FIXME wrong\n", "x = 2\n"), "")
	if !slices.Equal(got.Code.Gone, []string{"FIXME wrong"}) {
		t.Errorf("gone %q", got.Code.Gone)
	}
}

func TestWhatIsNoCodeSaysNothing(t *testing.T) {
	stub, _ := syntax.Annotate(edit("a.py", "", "def total():\n    # Placeholder: the real implementation asks the shop\n    return 0  # input's placeholder text\n\nHINT = \"a placeholder\"\n"), "")
	if !slices.Equal(stub.Code.Added, []string{"Placeholder: the real implementation asks the shop"}) {
		t.Errorf("a placeholder: %+v", stub.Code)
	}
	for name, code := range map[string]string{
		"alone, in the middle": "func total() int {\n\t// Placeholder\n\treturn 0\n}\n", "behind code": "var total = 0 // placeholder\n",
	} {
		if alone, _ := syntax.Annotate(edit("a.go", "", "package shop\n\n"+code), ""); len(alone.Code.Added) != 1 {
			t.Errorf("%s: %+v", name, alone.Code)
		}
	}
	if _, ok := syntax.Annotate(edit("notes.md", "", "# TODO\n"), ""); ok {
		t.Error("a text file has symbols")
	}
}

func BenchmarkAnnotate(b *testing.B) {
	var file []byte
	for len(file) < 60<<10 {
		file = append(file, "func F(a int) int {\n\tif a > 1 {\n\t\treturn a * 2\n\t}\n\treturn 0 // TODO: more\n}\n\n"...)
	}
	after := string(file[30<<10 : 31<<10])
	call := edit("a.go", "", after)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		syntax.Annotate(call, string(file))
	}
}
