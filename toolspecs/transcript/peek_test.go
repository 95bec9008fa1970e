package transcript_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestPeek(t *testing.T) {
	tests := []struct {
		name, line string
		path       []string
		want       string
		ok         bool
	}{
		{"first", `{"type":"user","x":1}`, []string{"type"}, "user", true},
		{"last, behind text and objects that have one too", `{"text":"\"type\":\"no\" {","data":{"type":"no","a":["]"]},"type":"user"}`, []string{"type"}, "user", true},
		{"space anywhere", " {\r\n \"a\" : [1 , 2] , \"type\" :\t\"user\" }", []string{"type"}, "user", true},
		{"an escaped key", `{"\u0074ype":"user"}`, []string{"type"}, "user", true},
		{"a key that ends in a backslash", `{"type\\":"no","type":"user"}`, []string{"type"}, "user", true},
		{"nested", `{"payload":{"a":{"type":"no"},"type":"message"}}`, []string{"payload", "type"}, "message", true},
		{"only nested", `{"a":{"type":"no"}}`, []string{"type"}, "", false},
		{"not a string", `{"type":12}`, []string{"type"}, "", false},
		{"not an object", `["type","user"]`, []string{"type"}, "", false},
		{"torn before it", `{"a":"b`, []string{"type"}, "", false},
		{"torn inside it", `{"type":"us`, []string{"type"}, "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := transcript.Peek([]byte(test.line), test.path...)
			if string(got) != test.want || ok != test.ok {
				t.Errorf("got %q, %v; want %q, %v", got, ok, test.want, test.ok)
			}
		})
	}
}

// The walker must agree with the decoder of the standard library on every
// record that is valid, and must never panic on one that is not.
func FuzzWalk(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c\\\"d"}],"type":"x","n":null}`))
	f.Add([]byte(`{"a":"\\","b":-1.5e3,"c":true}`))
	f.Add([]byte(`{"a`))
	f.Fuzz(func(t *testing.T, data []byte) {
		walker := transcript.Walk(data)
		got := map[string]string{}
		for {
			key, value, ok := walker.Next()
			if !ok {
				break
			}
			got[string(key)] = string(value)
		}
		var want map[string]json.RawMessage
		if !utf8.Valid(data) || json.Unmarshal(data, &want) != nil || want == nil {
			return
		}
		if walker.Err() != nil {
			t.Fatalf("%s: %v", data, walker.Err())
		}
		for key, value := range want {
			if got[key] != string(value) {
				t.Errorf("%s: %q is %s, want %s", data, key, got[key], value)
			}
		}
	})
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{`"a\nb\\\"c\/"`, `"\ud83d\ude00\u00e9"`, `""`, `"\`, `12`, "\"\xff\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := transcript.Text(raw)
		var want string
		if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &want) == nil && raw[len(raw)-1] == '"' && got != want {
			t.Errorf("%q is %q, want %q", raw, got, want)
		}
	})
}

func TestElements(t *testing.T) {
	tests := map[string][]string{
		`["a", {"b":[1]} ,2]`: {`"a"`, `{"b":[1]}`, `2`},
		` [ ] `:               nil,
		`["a", {"b"`:          {`"a"`},
		`{"a":1}`:             nil,
	}
	for array, want := range tests {
		var got []string
		for index, value := range transcript.Elements([]byte(array)) {
			if index != len(got) {
				t.Errorf("%s: index %d", array, index)
			}
			got = append(got, string(value))
		}
		if asJSON(t, got) != asJSON(t, want) {
			t.Errorf("%s has %q", array, got)
		}
	}
}

func TestOurs(t *testing.T) {
	for text, want := range map[string]bool{
		"# [CARRYOVER] Last updated":        true,
		"\n  # [CARRYOVER] x":               true,
		"     1→# [CARRYOVER] x":            true,
		"1: # [CARRYOVER] x":                true,
		"read # [CARRYOVER] in the handoff": false,
		"## [CARRYOVER]":                    false,
		"":                                  false,
	} {
		if transcript.Ours(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
