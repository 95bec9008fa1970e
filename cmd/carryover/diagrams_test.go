package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each diagram names the text that it was drawn from: one that is older than its text
// is found without drawing it again.
func TestDiagrams_AreDrawnFromTheirTexts(t *testing.T) {
	folder := filepath.Join("..", "..", "architecture", "d2")
	sources, _ := filepath.Glob(filepath.Join(folder, "*.d2"))
	if len(sources) == 0 {
		t.Fatal("there are no diagrams")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		picture := strings.TrimSuffix(source, ".d2") + ".svg"
		drawn, err := os.ReadFile(picture)
		if err != nil || !strings.Contains(string(drawn), fmt.Sprintf("sha256:%x", sha256.Sum256(text))) {
			t.Errorf("%s is not drawn from its text: run `make diagrams` (%v)", picture, err)
		}
		if !strings.Contains(string(page), "architecture/d2/"+filepath.Base(picture)) {
			t.Errorf("ARCHITECTURE.md does not name %s", filepath.Base(picture))
		}
	}
}
