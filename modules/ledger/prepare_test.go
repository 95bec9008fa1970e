package ledger_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const secret = "glpat-" + "Zx81mQ02LpW7vB45nKjH"

func TestPrepareBoundsOutput(t *testing.T) {
	long := "first line\n" + strings.Repeat("é", 10_000) + "\nlast line"
	event := transcript.Event{ID: "r", Kind: transcript.Result, Result: &transcript.ResultInfo{Text: long}}
	ledger.Prepare(&event)

	got := event.Result.Text
	if !strings.HasPrefix(got, "first line\n") || !strings.HasSuffix(got, "\nlast line") {
		t.Errorf("head or tail is gone: %.40q … %q", got, got[len(got)-40:])
	}
	if !strings.Contains(got, "\n[… 15926 bytes left out]\n") {
		t.Errorf("no marker in %q", got[2000:2200])
	}
	if !utf8.ValidString(got) || len(got) > 4200 {
		t.Errorf("%d bytes, valid %t", len(got), utf8.ValidString(got))
	}
}

func TestPrepareKeepsWhole(t *testing.T) {
	long := strings.Repeat("a sentence that matters. ", 1000)
	events := map[string]transcript.Event{
		"prompt":   {Kind: transcript.Prompt, Text: long},
		"reply":    {Kind: transcript.Reply, Text: long},
		"command":  {Kind: transcript.Call, Call: &transcript.CallInfo{Command: long}},
		"error":    {Kind: transcript.Result, Result: &transcript.ResultInfo{Failed: true, Text: long}},
		"decision": {Kind: transcript.Decided, Decision: &transcript.Decision{Rationale: long}},
	}
	for name, event := range events {
		before := fmt.Sprintf("%+v %+v %+v %+v", event.Text, event.Call, event.Result, event.Decision)
		ledger.Prepare(&event)
		if after := fmt.Sprintf("%+v %+v %+v %+v", event.Text, event.Call, event.Result, event.Decision); after != before {
			t.Errorf("%s was changed", name)
		}
	}
}

func TestPrepareIsIdempotentAndChangesNoShared(t *testing.T) {
	result := &transcript.ResultInfo{Text: strings.Repeat("x"+secret+"\n"+secret+" ", 500)}
	original := *result
	event := transcript.Event{
		Kind: transcript.Result, Result: result,
		Time: time.Date(2024, 5, 1, 12, 0, 0, 0, time.FixedZone("", 7200)),
	}
	ledger.Prepare(&event)
	once := *event.Result
	ledger.Prepare(&event)
	if *event.Result != once {
		t.Error("preparing twice is not the same as once")
	}
	if *result != original {
		t.Error("what the event pointed to was changed")
	}
	if event.Time.Location() != time.UTC || event.Time.Hour() != 10 {
		t.Errorf("time is %v", event.Time)
	}
}

// unredacted are the fields that hold names of ours or of the tool, never text.
var unredacted = map[string]bool{
	"Tool": true, "Session": true, "ID": true, "Parent": true, "Kind": true, "Origin": true, "Recap": true,
	"Call.ID": true, "Call.Meaning": true, "Result.CallID": true, "Result.Outcome": true, "Usage.Model": true,
	"Decision.Kind": true, "Decision.CallID": true, "Items.State": true, "WorkDir.Head": true, "Git.Head": true,
	"Start.Version": true, "Start.Originator": true, "Start.From": true, "Start.How": true, "Start.Model": true,
	"Compaction.Trigger": true, "Compaction.Kept": true,
}

// A field that is added to the event must be redacted or listed above.
func TestPrepareRedactsEveryField(t *testing.T) {
	var event transcript.Event
	fill(reflect.ValueOf(&event).Elem())
	ledger.Prepare(&event)
	walk(reflect.ValueOf(event), "", func(path, text string) {
		leaked := strings.Contains(text, secret)
		if leaked && !unredacted[path] {
			t.Errorf("%s holds a secret", path)
		}
		if !leaked && unredacted[path] {
			t.Errorf("%s is redacted, but listed as not", path)
		}
	})
}

// fill puts the secret into every string of a value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("a " + secret)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// walk calls visit for every string of a value, with the names of its fields.
func walk(v reflect.Value, path string, visit func(path, text string)) {
	switch v.Kind() {
	case reflect.String:
		visit(path, v.String())
	case reflect.Pointer:
		walk(v.Elem(), path, visit)
	case reflect.Slice:
		walk(v.Index(0), path, visit)
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if field.IsExported() {
				walk(v.Field(i), strings.TrimPrefix(path+"."+field.Name, "."), visit)
			}
		}
	}
}

func FuzzPrepare(f *testing.F) {
	f.Add(strings.Repeat("word "+secret+" ", 300), true)
	f.Add(strings.Repeat("password: \"hT9xq2LpW7\"\xff", 400), false)
	f.Fuzz(func(t *testing.T, text string, failed bool) {
		event := transcript.Event{Result: &transcript.ResultInfo{Text: text, Failed: failed}}
		ledger.Prepare(&event)
		once := *event.Result
		ledger.Prepare(&event)
		if *event.Result != once {
			t.Errorf("preparing twice is not the same as once:\n%q\n%q", once.Text, event.Result.Text)
		}
	})
}

// What is said is kept whole, but not a file that was pasted: all that is made of
// a text is a multiple of it.
func TestPrepare_BoundsEveryText(t *testing.T) {
	event := transcript.Event{Kind: transcript.Prompt, Text: strings.Repeat("word ", 6<<20/5) + "end", Call: &transcript.CallInfo{Command: strings.Repeat("x", 3<<20)}}
	ledger.Prepare(&event)
	if n := len(event.Text); n > 1<<20+200 || n < 1<<20-8<<10 || !strings.HasSuffix(event.Text, "word end") || !strings.Contains(event.Text, "bytes left out") {
		t.Errorf("the text has %d bytes and ends with %q", n, event.Text[n-20:])
	}
	if n := len(event.Call.Command); n > 1<<20+200 {
		t.Errorf("the command has %d bytes", n)
	}
	again := event
	ledger.Prepare(&again)
	if again.Text != event.Text {
		t.Error("preparing twice gives something else")
	}
}
