package codex

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestScanScript(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{
			"an object with bare keys", `const r = await tools.exec_command({cmd:"go test ./...", timeout: 30}); text(r.output);`,
			`[{"Name":"exec_command","Argument":{"cmd":"go test ./...","timeout":30}}]`,
		},
		{
			"quoted keys and escapes", `tools.exec_command({"cmd":"printf \"a\\n\" \u00e9 \x41 \ud83d\ude00 \u{1f600}"})`,
			`[{"Name":"exec_command","Argument":{"cmd":"printf \"a\\n\" é A 😀 😀"}}]`,
		},
		{
			"several in parallel", "await Promise.all([tools.a({x:'1'}), tools.b({x:`2`})])",
			`[{"Name":"a","Argument":{"x":"1"}},{"Name":"b","Argument":{"x":"2"}}]`,
		},
		{
			"a name bound before, and shorthand", "const cmd = 'ls ' + '-l'; let p = `x`;\ntools.run({cmd}); tools.patch(p)",
			`[{"Name":"run","Argument":{"cmd":"ls -l"}},{"Name":"patch","Argument":"x"}]`,
		},
		{
			"a template keeps what it computes", "tools.run({cmd:`go test ./${pkg}`})",
			`[{"Name":"run","Argument":{"cmd":"go test ./${pkg}"}}]`,
		},
		{
			"lines that are joined", `tools.patch(["*** Begin Patch", "*** End Patch"].join("\n"))`,
			`[{"Name":"patch","Argument":"*** Begin Patch\n*** End Patch"}]`,
		},
		{
			"a list of objects", `tools.update_plan({plan:[{step:'one',status:'pending'},{step:"two"}]})`,
			`[{"Name":"update_plan","Argument":{"plan":[{"status":"pending","step":"one"},{"step":"two"}]}}]`,
		},
		{
			"what is computed is left out, the rest is kept", `tools.run({cmd: build(x, {y: 1}), dir: "/p", ok: true})`,
			`[{"Name":"run","Argument":{"dir":"/p","ok":true}}]`,
		},
		{"comments and strings are not code", "// tools.a({x:'1'})\n/* tools.b() */ text(\"tools.c({})\")", `null`},
		{"no argument", `tools.get_goal()`, `[{"Name":"get_goal","Argument":null}]`},
		{"cut off", `tools.run({cmd:"ls`, `[{"Name":"run","Argument":{"cmd":"ls"}}]`},
		{"another object's method", `other.run({cmd:"ls"})`, `null`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := json.Marshal(scanScript(test.source))
			if err != nil || string(got) != test.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, test.want)
			}
		})
	}
}

func FuzzScanScript(f *testing.F) {
	f.Add("const p = [\"a\", `b${c}`].join('\\n'); await tools.x({a, \"b\": p, c: [1, {d: 'e'}], ...rest})")
	f.Add("tools.x({a:'\\u{1f600}\\ud83d\\x4")
	f.Add("let x = tools.y(")
	f.Fuzz(func(t *testing.T, source string) {
		if calls := scanScript(source); len(calls) > strings.Count(source, "tools") {
			t.Errorf("%d calls in %q", len(calls), source)
		}
	})
}
