// Command render draws the diagrams of architecture/d2: each FILE.d2 becomes FILE.svg
// beside it. The picture names the hash of its source, so that a stale one is seen
// without drawing it again (TestDiagrams in cmd/carryover).
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"oss.terrastruct.com/d2/d2graph"
	"oss.terrastruct.com/d2/d2layouts/d2dagrelayout"
	"oss.terrastruct.com/d2/d2lib"
	"oss.terrastruct.com/d2/d2renderers/d2svg"
	"oss.terrastruct.com/d2/d2themes/d2themescatalog"
	"oss.terrastruct.com/d2/lib/log"
	"oss.terrastruct.com/d2/lib/textmeasure"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: render FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "render:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	sources, err := filepath.Glob(filepath.Join(folder, "*.d2"))
	if err != nil {
		return err
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		picture, err := draw(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		target := strings.TrimSuffix(source, ".d2") + ".svg"
		if err := os.WriteFile(target, picture, 0o644); err != nil { //nolint:gosec // a file of the repository
			return err
		}
	}
	return nil
}

// draw makes the picture of a diagram, readable on light and on dark pages.
func draw(text string) ([]byte, error) {
	ctx := log.With(context.Background(), slog.New(slog.DiscardHandler))
	ruler, err := textmeasure.NewRuler()
	if err != nil {
		return nil, err
	}
	dark := d2themescatalog.DarkMauve.ID
	options := &d2svg.RenderOpts{ThemeID: &d2themescatalog.NeutralDefault.ID, DarkThemeID: &dark, Pad: pointer(int64(20))}
	diagram, _, err := d2lib.Compile(ctx, text, &d2lib.CompileOptions{
		Ruler: ruler,
		LayoutResolver: func(string) (d2graph.LayoutGraph, error) {
			return d2dagrelayout.DefaultLayout, nil
		},
	}, options)
	if err != nil {
		return nil, err
	}
	svg, err := d2svg.Render(diagram, options)
	if err != nil {
		return nil, err
	}
	mark := fmt.Sprintf("<!-- source sha256:%x -->\n", sha256.Sum256([]byte(text)))
	return append(bytes.TrimRight(svg, "\n"), []byte("\n"+mark)...), nil
}

func pointer[T any](value T) *T { return &value }
