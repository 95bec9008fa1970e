package words_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/words"
)

func TestEmpty_KnowsTextsWithoutAWordOfContent(t *testing.T) {
	for text, want := range map[string]bool{
		"":                        true,
		"...":                     true,
		"ok":                      true,
		"Yes, please go on!":      true,
		"try agian":               true, // two letters swapped
		"contnue":                 true, // one dropped
		"keep going until done":   true,
		"b":                       true, // one letter
		"ja, mach weiter":         true,
		"pokračuj dál":            true,
		"sí, continúa":            true,
		"да, продолжай":           true,
		"evet devam et":           true,
		"继续":                      true,
		"好的，请继续":                  true,
		"続けてください":                 true,
		"계속 진행해줘":                 true,
		"add a test":              false,
		"ok, but without a cache": false,
		"weiter mit dem Export":   false,
		"继续导出":                    false,
		"続けてテスト":                  false,
		"계속 테스트":                  false,
		"gone":                    false, // four letters have to be right
	} {
		if got := words.Known().Empty(text); got != want {
			t.Errorf("Empty(%q) is %v", text, got)
		}
	}
}

func TestEmpty_WithoutWordsKnowsMarksOnly(t *testing.T) {
	var none *words.Lexicon
	for text, want := range map[string]bool{"": true, "…!": true, "b)": true, "ok": false, "继续": false} {
		if got := none.Empty(text); got != want {
			t.Errorf("Empty(%q) is %v", text, got)
		}
	}
}

func TestContent_IsWhatSaysSomething(t *testing.T) {
	for text, want := range map[string]string{
		"Add the retry to the client": "add retry client",
		"der Export und die Tests":    "export tests",
		"I don’t like it":             "like", // a typographic apostrophe
		"Round to 2 digits in v10":    "round digits v10",
		"订单导出":                        "订单 单导 导出",
		"导出 CSV 文件":                   "导出 csv 文件",
		"予約テスト":                       "予約 約テ テス スト",
		"长":                           "长",
	} {
		if got := strings.Join(words.Known().Content(text), " "); got != want {
			t.Errorf("Content(%q) is %q, want %q", text, got, want)
		}
	}
	var none *words.Lexicon
	if got := strings.Join(none.Content("Add the retry"), " "); got != "add the retry" {
		t.Errorf("without words: %q", got)
	}
}

func TestWeight_CountsPairsOfLettersForHalf(t *testing.T) {
	for text, want := range map[string]int{"": 0, "the": 0, "retry client": 2, "长": 1, "选择方案": 1, "导出改用当前汇率": 3, "导出 CSV": 2} {
		if got := words.Known().Weight(text); got != want {
			t.Errorf("Weight(%q) is %d, want %d", text, got, want)
		}
	}
}

func TestBegins_LooksBehindPunctuation(t *testing.T) {
	for _, tt := range []struct {
		class words.Class
		text  string
		want  bool
	}{
		{words.No, "no, put it there", true},
		{words.No, "- **No**: not there", true},
		{words.No, "nothing else", false}, // a word of its own
		{words.No, "I said no", false},
		{words.No, "nein, im Entwurf", true},
		{words.No, "нет, в коде", true},
		{words.No, "不对，放在这里", true},
		{words.No, "違います、条件は", true},
		{words.No, "아니요, 기록은", true},
		{words.Yes, "¡Sí! adelante", true},
		{words.Yes, "yesterday it broke", false},
		{words.Next, "Next steps", true},
		{words.Next, "Nächster Schritt", true},
		{words.Next, "下一步：更新", true},
		{words.Next, "nextjs is slow", false},
	} {
		if got := words.Known().Begins(tt.class, tt.text); got != tt.want {
			t.Errorf("Begins(%s, %q) is %v", tt.class, tt.text, got)
		}
	}
}

func TestIn_FindsPhrasesAtWordBounds(t *testing.T) {
	for _, tt := range []struct {
		class words.Class
		text  string
		want  bool
	}{
		{words.Contrast, "a table instead of a list", true},
		{words.Contrast, "Tabelle statt Liste", true},
		{words.Contrast, "die Werkstatt ist zu", false},
		{words.Contrast, "使用索引而不是锁", true},
		{words.Demand, "must not change the API", true},
		{words.Demand, "mustard", false},
		{words.Cause, "It turns out the lock is held", true},
		{words.Recommend, "A (recommended)", true},
		{words.Both, "both of them", true},
	} {
		if got := words.Known().In(tt.class, tt.text); got != tt.want {
			t.Errorf("In(%s, %q) is %v", tt.class, tt.text, got)
		}
	}
}

func TestHeads_WantsAHeadingAboutTheClass(t *testing.T) {
	for heading, want := range map[string]bool{"Next steps": true, "What is next": true, "": false, "How the parser reads the next token of its input": false} {
		if got := words.Known().Heads(words.Next, heading); got != want {
			t.Errorf("Heads(%q) is %v", heading, got)
		}
	}
}

func TestLexicon_WithoutWordsKnowsNone(t *testing.T) {
	var none *words.Lexicon
	if none.Has(words.Yes, "yes") || none.In(words.Yes, "yes") || none.Begins(words.Yes, "yes") || none.Heads(words.Next, "next") {
		t.Error("a lexicon of nothing knows a word")
	}
}

func TestNearlySame_AllowsOneSlip(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"continue", "continue", true},
		{"continue", "contnue", true},
		{"continue", "continuee", true},
		{"continue", "comtinue", true},
		{"again", "agian", true},
		{"continue", "cnotniue", false},
		{"go", "going", false},
		{"дальше", "далше", true},
		{"próximo", "proximo", true},
	} {
		if words.NearlySame(tt.a, tt.b) != tt.want || words.NearlySame(tt.b, tt.a) != tt.want {
			t.Errorf("NearlySame(%q, %q) is not %v both ways", tt.a, tt.b, tt.want)
		}
	}
}

func TestTokens_PartScripts(t *testing.T) {
	want := []string{"修复", "src", "cart", "ts", "的", "bug", "don't"}
	if got := words.Tokens("修复 src/cart.ts 的BUG, don’t"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAnnounces_KnowsWhatItsWriterIsAboutToDo(t *testing.T) {
	for text, want := range map[string]bool{
		"I'll add the retry":               true,
		"First, let me add the retry":      true,
		"Now I'm adding the retry":         true,
		"I'm not sure about the retry":     false,
		"The retry is there, I'll test it": false,
		"Dann werde ich den Test ergänzen": false, // not in a form that is known
	} {
		if got := words.Known().Announces(text); got != want {
			t.Errorf("Announces(%q) is %v", text, got)
		}
	}
}

// All languages are read together: a word that points, refuses or agrees in one of them
// must not be a function word of another.
func TestLanguages_DoNotContradictEachOther(t *testing.T) {
	for _, sentence := range []string{
		"add the export to the shop", "je voudrais un export", "el export es lento", "ein Export für den Shop", "export do obchodu",
	} {
		if words.Known().In(words.Pointer, sentence) {
			t.Errorf("%q points to nothing", sentence)
		}
	}
}
