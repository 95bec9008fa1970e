package timeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/timeline"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestEditOf_ComparesLines(t *testing.T) {
	edit := timeline.EditOf(transcript.EditText{Path: "a.go", Before: "one\ntwo\nthree\nfour", After: "one\n2\nthree\nfour\nfive\x1b"})
	var lines []string
	for _, line := range edit.Lines {
		lines = append(lines, line.Kind+" "+line.Text)
	}
	if got := strings.Join(lines, ", "); got != "same one, del two, add 2, same three, same four, add five␛" || edit.Added != 2 || edit.Removed != 1 {
		t.Errorf("%s: %d added, %d removed", got, edit.Added, edit.Removed)
	}
	long := timeline.EditOf(transcript.EditText{After: strings.Repeat("x\n", 1000)})
	if len(long.Lines) != 200 || long.More != 800 || long.Added != 1000 {
		t.Errorf("%d lines, %d more", len(long.Lines), long.More)
	}
	if huge := timeline.EditOf(transcript.EditText{After: strings.Repeat("x", 300<<10)}); !huge.TooLong || huge.Lines != nil {
		t.Error("a text that is too long is compared")
	}
}

// A long reply is parted between paragraphs, and both parts are read as Markdown.
func TestOf_ReadsRepliesAsMarkdown(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "Paragraph %d has some **words** of its own, and a few more.\n\n", i)
	}
	part := timeline.Of("/at", ledger.EventPart{Found: -1, Total: 1, Events: []ledger.IndexedEvent{
		{Located: transcript.Located{Event: transcript.Event{Kind: transcript.Reply, Text: text.String()}}},
	}}, "")
	reply := part.Events[0]
	if n := len(reply.Marked) + len(reply.MarkedMore); n != 60 || len(reply.Marked) < 5 || len(reply.MarkedMore) < 5 {
		t.Errorf("%d and %d paragraphs", len(reply.Marked), len(reply.MarkedMore))
	}
}
