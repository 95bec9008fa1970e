package terminal

import (
	"strings"
	"testing"
)

func drawn(output ...string) *Screen {
	s := NewScreen(20, 4)
	for _, part := range output {
		s.draw([]byte(part))
	}
	return s
}

func texts(s *Screen) string {
	rows, _ := s.Rows()
	var lines []string
	for _, row := range rows {
		lines = append(lines, row.Text)
	}
	return strings.Join(lines, "\n")
}

func TestScreenShowsWhatAPersonSees(t *testing.T) {
	for name, test := range map[string]struct{ output, want string }{
		"colours and split sequences": {"a\x1b[3\x1b[31mred\x1b[0m\r\nb", "ared\nb"},
		"overwritten":                 {"wrong\rright\r\n", "right"},
		"wrapped":                     {"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst\nuvwxyz"},
		"scrolled off":                {"1\r\n2\r\n3\r\n4\r\n5", "1\n2\n3\n4\n5"},
		"redrawn":                     {"old\r\n\x1b[1A\x1b[2Knew\r\n", "new"},
	} {
		s := drawn(test.output)
		if got := texts(s); got != test.want {
			t.Errorf("%s: the screen shows\n%s\nwant\n%s", name, got, test.want)
		}
		s.Close()
	}
}

func TestRowsThatGoOn(t *testing.T) {
	rows, _ := drawn("abcdefghijklmnopqrstuvwxyz\r\nshort").Rows()
	if !rows[0].Full || rows[1].Full {
		t.Errorf("rows are %+v", rows)
	}
}

func TestPlainUntilItRedraws(t *testing.T) {
	if !drawn("a\r\nb\x1b[31m").Plain() {
		t.Error("colours are no redrawing")
	}
	if drawn("a\r\n\x1b[2J").Plain() {
		t.Error("a cleared screen is redrawn")
	}
}

func TestAFloodIsSkimmed(t *testing.T) {
	noise := strings.Repeat("nothing of interest on this line\r\n", 20000)
	output := noise + "->continuity:save <<<\r\nTask: " + strings.Repeat("x", 100) + "\r\n>>>\r\n" + noise +
		"->\x1b[1mcontin\x1b[0muity:load\r\n" + noise + "\x1b[?2004h" + noise + "the end"
	got := string(sample([]byte(output)))
	if len(got) > len(output)/10 {
		t.Errorf("%d bytes are kept of %d", len(got), len(output))
	}
	for _, want := range []string{"->continuity:save <<<\r\nTask: x", ">>>\r\n", "->\x1b[1mcontin\x1b[0muity:load\r\n", "\x1b[?2004h", "the end"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is lost", want)
		}
	}
}
