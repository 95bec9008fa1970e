package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func committed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the README shows is what the programs print now, in a home that they do not know.
func TestRecording_IsNotStale(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: no pseudo-terminals as these")
	}
	kept, err := decodeCast([]byte(committed(t, "recording.cast")))
	if err != nil {
		t.Fatal(err)
	}
	if committed(t, "recording.svg") != draw(kept) {
		t.Error("the picture is not that of the cast: run `make recording`")
	}
	if testing.Short() {
		return
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/carryover").CombinedOutput(); err != nil {
		t.Fatalf("build carryover: %v\n%s", err, out)
	}
	now, err := record(bin, filepath.Join("..", "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := written(now), written(kept); got != want {
		t.Errorf("the programs print something else now: run `make recording`\nnow:\n%s\nrecorded:\n%s", got, want)
	}
}

var age = regexp.MustCompile(`\d+h\d\dm`)

// written is all that a cast writes, whatever the time is.
func written(c cast) string {
	var text strings.Builder
	for _, event := range c.Events {
		text.WriteString(event.Text)
	}
	return age.ReplaceAllString(text.String(), "AGE")
}

func TestRecording_NamesNoMachineAndIsLight(t *testing.T) {
	picture := committed(t, "recording.svg")
	for _, text := range []string{picture, committed(t, "recording.cast")} {
		if found := regexp.MustCompile(`/tmp/|/root|/Users/|/work/|/home/[^d]`).FindString(text); found != "" {
			t.Errorf("it holds %q", found)
		}
		if len(text) > 150<<10 {
			t.Errorf("%d bytes are too many for a README", len(text))
		}
	}
	if strings.Contains(picture, "<script") || strings.Contains(strings.ReplaceAll(picture, "http://www.w3.org/2000/svg", ""), "http") {
		t.Error("the picture runs or loads something")
	}
	decoder := xml.NewDecoder(strings.NewReader(picture))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
	}
}

func TestScreen_KnowsLinesAndColours(t *testing.T) {
	var s screen
	s.write("one\r\n\x1b[1mtwo\x1b[m <3\rT")
	s.write("\r\n" + strings.Repeat("x", columns+1))
	got := strings.Join(s.shown(), "|")
	want := `<tspan x="0.0">one</tspan>|<tspan x="0.0">T</tspan><tspan x="8.4" class="b">wo</tspan><tspan x="25.2"> &lt;3</tspan>|<tspan x="0.0">` +
		strings.Repeat("x", columns) + `</tspan>|<tspan x="0.0">x</tspan>`
	if got != want {
		t.Errorf("it shows %s", got)
	}
}
