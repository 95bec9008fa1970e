package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestRatios_AFifthWorseFails(t *testing.T) {
	b := &bench{rows: []row{
		{name: "search", value: 20, floor: 10}, {name: "– p99", value: 90, floor: 10}, {name: "peak", value: 120}, {name: "import", value: 5, floor: 0.01},
	}}
	kept := b.ratios()
	if len(kept) != 1 || kept["search"] != 2 {
		t.Fatalf("kept are %v", kept)
	}
	path := filepath.Join(t.TempDir(), "ratios.json")
	if err := kept.against(path); err != nil {
		t.Errorf("without a file: %v", err)
	}
	if err := kept.write(path); err != nil {
		t.Fatal(err)
	}
	if err := (ratios{"search": 2.3, "new": 9}).against(path); err != nil {
		t.Errorf("within the bound: %v", err)
	}
	if err := (ratios{"search": 2.5}).against(path); err == nil || !strings.Contains(err.Error(), "search: 2.50 times its floor, 2.00 before") {
		t.Errorf("a fifth worse: %v", err)
	}
}

func TestFigure_OfThreeDigits(t *testing.T) {
	for value, want := range map[float64]string{0.123: "0.12", 9.99: "9.99", 12.34: "12.3", 123.4: "123"} {
		if got := short(value); got != want {
			t.Errorf("%v is %s, want %s", value, got, want)
		}
	}
}
