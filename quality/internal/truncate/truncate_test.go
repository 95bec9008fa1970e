package truncate

import (
	"strings"
	"testing"
)

func TestTruncate_KeepsTheMessagesBeforeALine(t *testing.T) {
	raw := "{\n \"info\": {},\n \"messages\": [\n  {\"id\": 1},\n  {\n   \"id\": 2\n  },\n  {\"id\": 3}\n ]\n}\n"
	for line, want := range map[int]string{4: "", 5: `{"id": 1}`, 6: "{\"id\": 1},\n  {\n   \"id\": 2\n  }", 100: "{\"id\": 3}"} {
		got, err := truncateMessages([]byte(raw), line)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(got), "[")
		body, _, _ = strings.Cut(body, "\n  ]")
		if !strings.HasSuffix(strings.TrimSpace(body), want) || want == "" && strings.TrimSpace(body) != "" {
			t.Errorf("line %d: %q", line, got)
		}
	}
}
