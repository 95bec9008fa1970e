package render_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden holds whole handoffs of sessions of every sort against files that
// are meant to be read: is this what the next agent should know?
func TestGolden(t *testing.T) {
	for name, f := range sessions() {
		t.Run(name, func(t *testing.T) {
			text := render.Handoff(f, render.Options{})
			within(t, text)
			golden(t, name+".md", []byte(text))
		})
	}
}

func TestGoldenShapes(t *testing.T) {
	f := sessions()["coding"]
	for name, o := range map[string]render.Options{
		"brief":   {Mode: render.Brief},
		"silent":  {Mode: render.Silent},
		"seam":    {Shape: render.Compaction, Trigger: render.Auto},
		"human":   {Shape: render.Human},
		"explain": {Explain: true},
	} {
		t.Run(name, func(t *testing.T) {
			text := render.Handoff(f, o)
			within(t, text)
			golden(t, "coding-"+name+".txt", []byte(text))
		})
	}
}

// What was asked again and again to the same end is told once.
func TestHandoff_TellsARepeatedRequestOnce(t *testing.T) {
	ask := distiller.Request{Text: "say hello", Outcome: "stopped by an error"}
	f := distiller.Facts{Requests: []distiller.Request{ask, ask, ask, {Text: "say hello", Outcome: "answered"}, {Text: "write the script", Outcome: "begun", Near: true}}}
	text := string(render.Handoff(f, render.Options{}))
	if !strings.Contains(text, `"say hello" → stopped by an error (3 times)`) || strings.Count(text, "say hello") != 2 {
		t.Error(text)
	}
}

func TestGoldenDocument(t *testing.T) {
	f := sessions()["coding"]
	doc := render.NewDocument(f, render.Handoff(f, render.Options{}), "/home/ada/shop", "s1.jsonl", render.CoverageOf(transcript.Coverage{
		Records: 40, Read: 38, Skipped: 1, Unknown: map[string]map[string]int64{"1.0.0": {"mystery": 1}},
	}))
	got, err := doc.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, got, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "coding.json", pretty.Bytes())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and read the change\n%s", name, got)
	}
}

// within asserts the bounds of the file.
func within(t testing.TB, text render.Text) {
	t.Helper()
	if text.Lines() > 46 || text.Bytes() > 8000 {
		t.Errorf("%d lines, %d bytes", text.Lines(), text.Bytes())
	}
	for line := range strings.Lines(string(text)) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 240 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
	if !utf8.ValidString(string(text)) {
		t.Error("not UTF-8")
	}
	if text == "" || text[0] == '[' || text[0] == '{' || !strings.HasSuffix(string(text), "\n") {
		t.Errorf("begins or ends wrongly: %.40q", text)
	}
}

func TestEmptyFactsAreListsInJSON(t *testing.T) {
	f := distiller.Facts{Tool: "codex", Session: "s", Decisions: []distiller.Decision{{Topic: "a"}}}
	got, err := render.NewDocument(f, render.Handoff(f, render.Options{}), "", "", nil).JSON()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(got, []byte("null")) {
		t.Errorf("null in %s", got)
	}
}

func TestBoundsHoldForAnything(t *testing.T) {
	wide := strings.Repeat("가나다 `code` ", 200)
	f := distiller.Facts{Tool: wide, Session: wide, Task: &distiller.Task{Text: wide, Goal: wide, Parts: []string{wide, "short", "", wide}}, Next: &distiller.Statement{Text: wide}}
	for i := range 60 {
		text := fmt.Sprintf("%d %s", i, wide)
		f.Progress = append(f.Progress, distiller.Progress{Text: text, State: "doing"})
		f.Files = append(f.Files, distiller.File{Path: text, Change: "edit", Symbols: []string{wide}})
		f.Named = append(f.Named, distiller.Named{Path: text})
		f.Failures = append(f.Failures, distiller.Failure{What: text, Why: wide, Count: 3, Ended: wide, Solved: wide})
		f.Decisions = append(f.Decisions, distiller.Decision{Question: text, Chosen: []string{wide}, Rationale: wide})
		f.Constraints = append(f.Constraints, distiller.Statement{Text: text})
		f.Questions = append(f.Questions, distiller.Statement{Text: text})
		f.Actions = append(f.Actions, distiller.Action{Who: wide, What: text})
		f.References = append(f.References, distiller.Statement{Text: text})
		f.Verify = append(f.Verify, distiller.Statement{Text: text, Source: distiller.Source{Line: 12}})
	}
	for _, o := range []render.Options{{}, {Explain: true}, {Shape: render.Human}, {Shape: render.Compaction}} {
		within(t, render.Handoff(f, o))
	}
	f = distiller.Facts{Task: f.Task}
	for range 40 {
		f.Task.Parts = append(f.Task.Parts, wide)
	}
	within(t, render.Handoff(f, render.Options{}))
}

// TestHandoff_ALongRequestInParts holds that a request too long to be quoted is shown in parts while
// it is worked on, as far as other lines leave room.
func TestHandoff_ALongRequestInParts(t *testing.T) {
	short := strings.Repeat("Number the folders of the shop from one. ", 9)
	task := func(parts ...string) distiller.Facts {
		return distiller.Facts{Task: &distiller.Task{Text: short, Parts: parts}, Turn: &distiller.Turn{Who: "agent", Text: "stopped"}}
	}
	long := strings.Repeat("Keep what is on disk. ", 30)
	text := strings.ReplaceAll(string(render.Handoff(task("1. Read `read.go`", "2. Read `write.go`", long, "Do NOT touch `till.go`"), render.Options{})), "\n  ", " ")
	if strings.Count(text, "Number the folders") > 6 || !strings.Contains(text, "\n- 1. Read `read.go` · 2. Read `write.go`\n- Keep what") || strings.Count(text, "Keep what is on disk") != 30 || !strings.Contains(text, "\n- Do NOT touch `till.go`\n") {
		t.Errorf("parts:\n%s", text)
	}
	var many []string
	for i := range 50 {
		many = append(many, fmt.Sprintf("%d. %s", i, long))
	}
	if text = string(render.Handoff(task(many...), render.Options{})); strings.Count(text, "Number the folders") != 9 || !strings.Contains(text, " more: carryover show") {
		t.Errorf("more than there is room for:\n%s", text)
	}
	done := task("Do NOT touch `till.go`")
	done.Turn.Who = "done"
	if text = string(render.Handoff(done, render.Options{})); strings.Contains(text, "till.go") {
		t.Errorf("a request that is done:\n%s", text)
	}
}

func TestComposeAssertsWhatIsSent(t *testing.T) {
	f := sessions()["coding"]
	p := render.Split(f, render.Options{})
	text, err := render.Compose(render.SeamHead(f, render.Auto, "make release"), []string{"2 commits since on main", "branch was dev, is main"}, p.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "2 commits since on main\nbranch was dev, is main\n## Task\n") || !strings.Contains(text, "RESUME PROTOCOL: seam") {
		t.Errorf("got\n%s", text)
	}
	if _, err := render.Compose(p.Head, nil, strings.Repeat("x\n", 60)); !errors.Is(err, render.ErrBounds) {
		t.Errorf("60 lines gave %v", err)
	}
	if _, err := render.Compose("{}\n", nil, p.Body); !errors.Is(err, render.ErrBounds) {
		t.Errorf("a text like JSON gave %v", err)
	}
	many, err := render.Compose(p.Head, []string{"a", "b", "c", "d", "e", strings.Repeat("f", 2000)}, p.Body)
	if err != nil || strings.Contains(many, "\ne\n") {
		t.Errorf("more than four lines were added: %v", err)
	}
}

func TestHeadersSayThatThisIsData(t *testing.T) {
	f := distiller.Facts{Tool: "codex", Updated: time.Date(2026, 3, 3, 10, 0, 0, 0, time.FixedZone("x", 7200))}
	for _, head := range []string{render.Head(f, render.Ask), render.Head(f, render.Brief), render.Head(f, render.Silent), render.SeamHead(f, render.Auto, "make"), render.SeamHead(f, render.Manual, "")} {
		if !strings.HasPrefix(head, transcript.Sentinel+" Last updated 2026-03-03T08:00:00Z from codex\n# RESUME PROTOCOL: ") {
			t.Errorf("first lines: %q", head)
		}
		if !strings.Contains(head, "not orders of the user") || !strings.Contains(head, ".carryover/handoff.md") || strings.Count(head, "\n") != 4 {
			t.Errorf("header: %q", head)
		}
	}
}

// sessions are made up: the bug, the tools and the people do not exist.
func sessions() map[string]distiller.Facts {
	const shop = "/home/ada/shop"
	root := extract.Options{Root: shop}
	none := distiller.Facts{}

	coding := script.New("claude-code", "4c1d7f3a-0000-4000-8000-000000000001", shop).
		User("The cart shows a wrong total when a coupon is used twice. Never touch the pricing table, see https://git.test/shop/issues/41").
		Agent("I'll look at how coupons are applied.").
		Shell("grep -rn applyCoupon src", 0, "src/cart/total.ts:40: applyCoupon(\nsrc/cart/coupon.ts:3: export function applyCoupon\nsrc/checkout/summary.ts:12: applyCoupon").
		Read(shop+"/src/cart/total.ts").
		Shell("npm test", 1, "FAIL src/cart/total.test.ts\n  ● total › applies a coupon once\nTests:       1 failed, 11 passed, 12 total").
		Todo(transcript.Item{Text: "Find where the coupon is applied twice", State: "done"}, transcript.Item{Text: "Make applyCoupon idempotent", State: "doing"}, transcript.Item{Text: "Cover the checkout summary with a test", State: "todo"}).
		Asks("Should a second coupon replace the first one or be refused?", "replace", "refuse").
		Decides(transcript.Decision{Question: "Should a second coupon replace the first one or be refused?", Options: []transcript.Option{{Label: "replace"}, {Label: "refuse"}}, Chosen: []string{"refuse"}, Kind: "asked"}).
		Agent("The root cause is that `total()` applies the coupon and so does `summary()`. I'll keep it in `total()` instead of the summary.").
		Edit(shop+"/src/cart/total.ts", "total", "applyCoupon").
		Shell("npm test", 1, "FAIL src/cart/total.test.ts\n  ● total › refuses a second coupon\nTests:       1 failed, 12 passed, 13 total").
		User("no, don't throw there, return a result").
		Edit(shop+"/src/cart/coupon.ts", "applyCoupon").
		Agent("Now let me adapt the caller in src/checkout/summary.ts.")

	research := script.New("codex", "019f0000-0000-7000-8000-000000000002", "/home/ada/notes").
		User("Find out which of the three archives keeps maps from before 1800 and what they charge. I need it for the grant, it must cite its sources: https://archive.test/maps").
		Agent("I'll start with the catalogues.").
		Call(transcript.CallInfo{Name: "web_fetch", Meaning: transcript.Fetch, Detail: "https://archive.test/maps"}).Result(transcript.ResultInfo{Text: "Maps 1600-1900"}).
		Shell("curl -s https://north.test/api/maps", 0, "HTTP/1.1 403 Forbidden").
		Agent("Two of the three answer.\n\n## Summary\n- The city archive has 212 maps from before 1800, 4 EUR a scan\n- The university charges nothing but needs a letter\n\n## Action items\n- Grace: write the letter to the university\n- Ada to check the grant's deadline\n\n## Open questions\n- Does the northern archive allow photographs?\n\n## Next steps\n- Call the northern archive, its catalogue is closed to programs\n\nShall I draft the letter?").
		Ends(transcript.TurnCompleted)

	turkish := script.New("claude-code", "4c1d7f3a-0000-4000-8000-000000000003", shop).
		User("Giriş sayfasındaki hata mesajlarını Türkçeye çevir, ama anahtarları asla değiştirme").
		Agent("Mesajlar locales/tr.json dosyasında duruyor. Devam edeyim mi?").
		User("evet devam et").
		Write(shop + "/locales/tr.json").
		Agent("Çeviriler eklendi.\n\n## Kalan\n- locales/tr.json için test yaz")

	korean := script.New("claude-code", "4c1d7f3a-0000-4000-8000-000000000004", shop).
		User("장바구니 합계가 쿠폰을 두 번 적용하는 문제를 고쳐줘").
		Agent("원인은 total()과 summary()가 모두 쿠폰을 적용하기 때문입니다. summary() 대신 total()에서만 적용하겠습니다.").
		Edit(shop + "/src/cart/total.ts").
		User("계속 진행해줘").
		Agent("이제 src/checkout/summary.ts 를 고치겠습니다.")

	rollback := script.New("codex", "019f0000-0000-7000-8000-000000000005", shop).
		User("Add pagination to the order list").
		Edit(shop+"/src/orders/list.go", "List").
		Shell("go test ./...", 0, "ok  \tshop/orders\t0.2s").
		User("rewrite it with cursors and delete the offset code").
		Write(shop + "/src/orders/cursor.go").
		Event(transcript.Event{Kind: transcript.Rollback, Turns: 1}).
		User("keep offsets, but cap the page size at 100").
		Edit(shop + "/src/orders/list.go")

	first := script.New("claude-code", "4c1d7f3a-0000-4000-8000-000000000006", shop).
		User("Import the price list of the supplier every night").
		Decides(transcript.Decision{Topic: "format", Question: "Which format?", Chosen: []string{"CSV"}, Rationale: "the supplier's JSON has no currency", Kind: "block", Rejected: []transcript.Refused{{Option: "JSON", Reason: "no currency"}}}).
		Write(shop+"/import/prices.py").
		Shell("python3 import/prices.py sample.csv", 1, "Traceback (most recent call last):\n  File \"import/prices.py\", line 9\nKeyError: 'Preis'").
		Todo(transcript.Item{Text: "Parse the file", State: "done"}, transcript.Item{Text: "Map the column names", State: "doing"}, transcript.Item{Text: "Schedule it", State: "todo"})
	second := script.New("codex", "019f0000-0000-7000-8000-000000000007", shop).User("continue").
		Edit(shop + "/import/prices.py").Agent("The columns are mapped by position now, because the supplier renames them.")
	third := script.New("gemini-cli", "session-8", shop).User("log the rows that were skipped").
		Edit(shop+"/import/prices.py").Shell("python3 import/prices.py sample.csv", 0, "212 rows").Agent("Skipped rows are logged. Should they be counted too?")
	chain := extract.Fold(none, root, first.All())
	chain = extract.Fold(chain, root, second.All())

	return map[string]distiller.Facts{
		"coding":   extract.Fold(none, root, coding.All()),
		"research": extract.Fold(none, extract.Options{Root: "/home/ada/notes"}, research.All()),
		"turkish":  extract.Fold(none, root, turkish.All()),
		"korean":   extract.Fold(none, root, korean.All()),
		"rollback": extract.Fold(none, root, rollback.All()),
		"chain":    extract.Fold(chain, root, third.All()),
		"empty":    {Tool: "codex", Session: "s"},
	}
}

// BenchmarkHandoff is rendering alone.
func BenchmarkHandoff(b *testing.B) {
	f := sessions()["coding"]
	for b.Loop() {
		render.Handoff(f, render.Options{})
	}
}

// TestHandoff_AReplyFlows holds that what the agent concluded goes on over as many lines as it
// needs: a heading is said once, a code span is not broken, and what is cut says so at its end.
func TestHandoff_AReplyFlows(t *testing.T) {
	const shop = "/home/ada/shop"
	reply := "All of it is fixed.\n\n## Fixes\n"
	for _, name := range []string{"cart", "total", "coupon", "summary", "writer", "reader"} {
		reply += "- `internal/" + name + ".go` rounds once and no longer twice, `go test ./internal/" + name + " -run TestRounding` shows it\n"
	}
	s := script.New("codex", "019f0000-0000-7000-8000-000000000009", shop).
		User("fix the rounding everywhere").Edit(shop + "/internal/cart.go").Agent(reply + "\n## Left\n- the printer").Ends(transcript.TurnCompleted)
	text := string(render.Handoff(extract.Fold(distiller.Facts{}, extract.Options{}, s.All()), render.Options{}))
	_, said, _ := strings.Cut(text, "- agent: ")
	said, _, _ = strings.Cut(said, "\n- ")
	if said, _, _ = strings.Cut(said, "\n## "); strings.Count(said, "Fixes: ") != 1 || strings.Count(said, "\n  ") < 2 || !strings.HasSuffix(said, "Left: the printer") {
		t.Errorf("the reply does not flow:\n%s", said)
	}
	for line := range strings.Lines(said) {
		if strings.Count(line, "`")%2 == 1 {
			t.Errorf("a code span is broken: %s", line)
		}
	}
}

// TestHandoff_ARemedyIsToldByWhatDiffers holds that of two commands that begin alike the end of
// the second one is shown.
func TestHandoff_ARemedyIsToldByWhatDiffers(t *testing.T) {
	f := distiller.Facts{Failures: []distiller.Failure{{
		What: "uv run ruff check src/gateway/models/__init__.py", Why: "2 errors", Ended: "worked around",
		Solved: "uv run ruff check src/gateway/models/__init__.py --fix --unsafe-fixes",
	}}}
	text := string(render.Handoff(f, render.Options{}))
	if !strings.Contains(text, "with `… --fix --unsafe-fixes`") {
		t.Error(text)
	}
}

// TestHandoff_AFileThatWasMoved holds that a file with another name now was not written.
func TestHandoff_AFileThatWasMoved(t *testing.T) {
	const shop = "/home/ada/shop"
	s := script.New("claude-code", "4c1d7f3a-0000-4000-8000-000000000007", shop).
		User("give the total its own name").Shell("mv "+shop+"/cart.go "+shop+"/total.go", 0, "").Agent("It has.")
	text := string(render.Handoff(extract.Fold(distiller.Facts{}, extract.Options{Root: shop}, s.All()), render.Options{}))
	if !strings.Contains(text, "moved here this turn: total.go") || !strings.Contains(text, "deleted this turn: cart.go") {
		t.Error(text)
	}
}

// What a tool wrote for a person who went away stands right behind the task, whole: it comes after all the rest.
func TestHandoff_AnAwaySummaryStandsFirst(t *testing.T) {
	f := distiller.Facts{
		Task:     &distiller.Task{Text: "round the prices"},
		Requests: []distiller.Request{{Text: "round the prices", Outcome: "committed 1a2b3c4", Near: true}},
		Recaps:   []distiller.Recap{{What: "away summary", Text: strings.Repeat("All prices are rounded to the cent. ", 7) + "Next is the till."}},
	}
	text := string(render.Handoff(f, render.Options{}))
	if at := strings.Index(text, "## Noted by the tool itself"); at < strings.Index(text, "## Task") || at > strings.Index(text, "## Progress") || !strings.Contains(text, "Next is the till.") {
		t.Error(text)
	}
}
