package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestChart_IsWellFormedAndTheSame(t *testing.T) {
	c := Chart{Title: "a < b", X: "s", Y: "MB", Lines: []Line{{"one & two", []Point{{0, 3}, {1, 7.5}, {2, 4}}}, {Name: "none"}}}
	decoder := xml.NewDecoder(strings.NewReader(c.SVG()))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, c.SVG())
		}
	}
	if first := c.SVG(); first != c.SVG() {
		t.Error("two pictures of the same points differ")
	}
}

func TestStep_GivesAtMostFiveTicks(t *testing.T) {
	for most, want := range map[float64]float64{0: 1, 1: 0.2, 7: 2, 30: 10, 101: 50, 1000: 200} {
		if got := step(most); round(got) != want {
			t.Errorf("step(%g) = %g, want %g", most, got, want)
		}
	}
}
