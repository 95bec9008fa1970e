package ledger_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"Fix the Bug!":           "fix the bug",
		"getUserName":            "getusername get user name",
		"get_user_name":          "getusername get user name",
		"get-user-name":          "getusername get user name",
		"parseHTTPHeader":        "parsehttpheader parse http header",
		"MAX_RETRIES":            "maxretries max retries",
		"src/auth/login.go":      "src auth login go",
		"./web/userList.tsx:12":  "web userlist user list tsx 12",
		"sha256 v1.2":            "sha256 v1 2",
		"--dry-run":              "dryrun dry run",
		"a_b":                    "ab",
		"naïve Äpfel":            "naïve äpfel",
		"東京都庁":                   "東京 京都 都庁 庁",
		"修正 bug":                 "修正 正 bug",
		"한국어":                    "한국 국어 어",
		"木":                      "木",
		strings.Repeat("é", 100): strings.Repeat("é", 24),
		" \n\t…":                 "",
	} {
		if got := strings.Join(ledger.Words(text), " "); got != want {
			t.Errorf("Words(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTerms(t *testing.T) {
	for query, want := range map[string][]ledger.Term{
		"Fix bug":       {{Words: []string{"fix"}}, {Words: []string{"bug"}}},
		`"fix the bug"`: {{Words: []string{"fix", "the", "bug"}}},
		`say "fix the`:  {{Words: []string{"say"}}, {Words: []string{"fix", "the"}}},
		"auth*":         {{Words: []string{"auth"}, Prefix: true}},
		`"the au"*`:     {{Words: []string{"the", "au"}, Prefix: true}},
		"userName":      {{Words: []string{"username"}, Parts: []string{"user", "name"}}},
		"auth/login.go": {{Words: []string{"auth", "login", "go"}}},
		"東京都":           {{Words: []string{"東京", "京都"}}},
		"京":             {{Words: []string{"京"}, Prefix: true}},
		`"" * - AND(`:   {{Words: []string{"and"}}},
		"":              nil,
	} {
		got := ledger.Terms(query)
		equal := slices.EqualFunc(got, want, func(a, b ledger.Term) bool {
			return slices.Equal(a.Words, b.Words) && slices.Equal(a.Parts, b.Parts) && a.Prefix == b.Prefix
		})
		if !equal {
			t.Errorf("Terms(%q) = %+v, want %+v", query, got, want)
		}
	}
}

func TestSearchTextHoldsEveryText(t *testing.T) {
	event := &transcript.Event{
		Text:     "prose",
		Call:     &transcript.CallInfo{Name: "Bash", Command: "make", Detail: "detail", Paths: []string{"/a/file.go"}},
		Result:   &transcript.ResultInfo{Text: "output"},
		Decision: &transcript.Decision{Question: "which", Chosen: []string{"this"}, Options: []transcript.Option{{Label: "that"}}},
		Items:    []transcript.Item{{Text: "step"}},
		Symbols:  []string{"Login"},
	}
	got := " " + ledger.SearchText(event) + " "
	for _, word := range strings.Fields("prose bash make detail a file go output which this that step login") {
		if !strings.Contains(got, " "+word+" ") {
			t.Errorf("%q is not in %q", word, got)
		}
	}
}

func TestSnippet(t *testing.T) {
	event := &transcript.Event{Text: strings.Repeat("before ", 40) + "the\n\tLogin  handler fails " + strings.Repeat("after ", 60)}
	excerpt := ledger.Snippet(event, ledger.Terms("login"))
	got := excerpt.Text
	if !strings.Contains(got, "the Login handler fails") || len(got) > 260 {
		t.Errorf("snippet is %q", got)
	}
	if !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") {
		t.Errorf("snippet does not say that it is cut: %q", got)
	}
}

func TestWhatWasLookedForIsMarked(t *testing.T) {
	for query, want := range map[string]string{
		"login":           "fix the [login] in src/auth/[login].go of getUserName; this is 画面を修正",
		"is":              "fix the login in src/auth/login.go of getUserName; this [is] 画面を修正",
		"get*":            "fix the login in src/auth/login.go of [get]UserName; this is 画面を修正",
		"get_user_name":   "fix the login in src/auth/login.go of [getUserName]; this is 画面を修正",
		"auth/login.go":   "fix the [login] in src/[auth]/[login].[go] of getUserName; this is 画面を修正",
		"username of":     "fix the login in src/auth/login.go [of] get[UserName]; this is 画面を修正",
		"画面を":             "fix the login in src/auth/login.go of getUserName; this is [画面を]修正",
		`"THIS is" login`: "fix the [login] in src/auth/[login].go of getUserName; [this] [is] 画面を修正",
	} {
		event := &transcript.Event{Text: "fix the login in src/auth/login.go of getUserName; this is 画面を修正"}
		excerpt := ledger.Snippet(event, ledger.Terms(query))
		got, end := "", 0
		for _, mark := range excerpt.Marks {
			got += excerpt.Text[end:mark.From] + "[" + excerpt.Text[mark.From:mark.To] + "]"
			end = mark.To
		}
		if got += excerpt.Text[end:]; got != want {
			t.Errorf("%s:\n got %s\nwant %s", query, got, want)
		}
	}
}

// What stands in a text finds it, however it is cut and written.
func FuzzSearch(f *testing.F) {
	f.Add("call getUserName in src/auth.go", 5, 8)
	f.Add("東京都庁 and a_b-c", 0, 9)
	f.Fuzz(func(t *testing.T, text string, from, length int) {
		words := ledger.Words(text)
		for _, word := range words {
			if word == "" || strings.ContainsAny(word, " \"*·") || len(word) > 64 {
				t.Errorf("Words(%q) has %q", text, word)
			}
		}
		fields := strings.Fields(text)
		if len(fields) == 0 {
			return
		}
		piece := fields[max(0, from)%len(fields)]
		for _, term := range ledger.Terms(`"` + strings.ReplaceAll(piece, `"`, " ") + `"`) {
			if !found(words, term) {
				t.Errorf("%q does not find %q: %+v in %q", piece, text, term, words)
			}
		}
	})
}

func found(words []string, term ledger.Term) bool {
	return follows(words, term.Words, term.Prefix) || len(term.Parts) > 0 && follows(words, term.Parts, term.Prefix)
}

func follows(words, phrase []string, prefix bool) bool {
	for at := range words {
		if at+len(phrase) > len(words) {
			return false
		}
		part := words[at : at+len(phrase)]
		if slices.Equal(part, phrase) || prefix && slices.Equal(part[:len(part)-1], phrase[:len(phrase)-1]) &&
			strings.HasPrefix(part[len(part)-1], phrase[len(phrase)-1]) {
			return true
		}
	}
	return false
}
