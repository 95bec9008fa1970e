package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pagerInput is the input of a pager that was started.
type pagerInput struct {
	strings.Builder
	closed bool
}

func (c *pagerInput) Close() error { c.closed = true; return nil }

func TestPager_ShowsWhatIsLongerThanTheTerminal(t *testing.T) {
	for name, test := range map[string]struct {
		lines   int
		broken  bool
		started bool
	}{
		"short": {lines: 9}, "long": {lines: 30, started: true}, "a pager that is not there": {lines: 30, broken: true},
	} {
		t.Run(name, func(t *testing.T) {
			to, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
			if err != nil {
				t.Fatal(err)
			}
			var in pagerInput
			started, waited := false, false
			p := &pager{to: to, argv: []string{"less"}, height: 10, start: func([]string, string, *os.File) (io.WriteCloser, func(), error) {
				if test.broken {
					return nil, nil, errors.New("there is none")
				}
				started = true
				return &in, func() { waited = true }, nil
			}}
			for range test.lines {
				if _, err := p.Write([]byte("a line\n")); err != nil {
					t.Fatal(err)
				}
			}
			p.end()
			printed, err := os.ReadFile(to.Name())
			if err != nil {
				t.Fatal(err)
			}
			all := string(printed) + in.String()
			if started != test.started || started != waited || started != in.closed || strings.Count(all, "a line\n") != test.lines || started && len(printed) > 0 {
				t.Errorf("started %t, waited %t, closed %t; %d lines printed, %d paged", started, waited, in.closed, strings.Count(string(printed), "\n"), strings.Count(in.String(), "\n"))
			}
		})
	}
}

func TestPagerOf_IsThePersonsChoice(t *testing.T) {
	for want, variables := range map[string]map[string]string{
		"less": nil, "most -s": {"PAGER": "most -s"}, "bat": {"PAGER": "most", "CARRYOVER_PAGER": "bat"},
		"": {"PAGER": "most", "CARRYOVER_PAGER": ""},
	} {
		got := PagerOf(func(name string) (string, bool) { value, set := variables[name]; return value, set },
			func(name string) (string, error) { return "/usr/bin/" + name, nil })
		if strings.Join(got, " ") != want {
			t.Errorf("%v: %q, want %q", variables, got, want)
		}
	}
	missing := func(string) (string, error) { return "", errors.New("not found") }
	none := func(string) (string, bool) { return "", false }
	if got := PagerOf(none, missing); got != nil {
		t.Errorf("without less: %q", got)
	}
	if got := PagerOf(func(string) (string, bool) { return "cat", true }, missing); got != nil {
		t.Errorf("cat: %q", got)
	}
}
