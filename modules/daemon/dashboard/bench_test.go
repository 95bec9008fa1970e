package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// longSession is a session whose transcript is about 15 MB: 600 turns of ten calls.
func longSession() []record {
	var records []record
	output := strings.Repeat("ok  example.com/tally/internal/part  0.013s\n", 40)
	for turn := range 600 {
		records = append(records, says(fmt.Sprintf("Turn %d: teach part %d to read dates.", turn, turn%40)))
		for call := range 10 {
			id := fmt.Sprintf("t%d-%d", turn, call)
			run := runs(id, fmt.Sprintf("go test ./part%d -run TestDates%d", turn%40, call))
			run.usage = 20_000 + 150*turn
			records = append(records, run, record{kind: "user", content: []any{map[string]any{
				"type": "tool_result", "tool_use_id": id, "content": fmt.Sprintf("%d\n%s", call, output),
			}}})
		}
		records = append(records, replies(fmt.Sprintf("Part %d reads dates now.", turn%40)))
	}
	return records
}

// BenchmarkPages is the server's time for each page beside a session of 15 MB, when
// nothing of it is held in memory yet and when it is.
func BenchmarkPages(b *testing.B) {
	w := newWorld(b)
	w.works(one, first, longSession()...)
	w.comesIn()
	project := w.projectPage()
	for name, path := range map[string]string{
		"session": "/sessions/claude-code/" + one, "more": "/sessions/claude-code/" + one + "?before=5000&more=1", "whole": "/sessions/claude-code/" + one + "?whole=1", "project": project,
		"now": "/", "sessions": "/sessions", "search": "/search?q=dates",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if got := w.get(path); got.status != http.StatusOK {
					b.Fatal(got.status)
				}
			}
		})
	}
}
