package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/carryover-go/carryover/integration/plot"
)

// short writes a figure with three digits.
func short(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func round(v float64) float64 { return math.Round(v*100) / 100 }

func compare(a, b string) int { return strings.Compare(a, b) }

// cutPart says whether a row belongs to the one before it.
func cutPart(name string) (string, bool) { return strings.CutPrefix(name, "– ") }

// document is the page of the figures.
func (b *bench) document() string {
	var text strings.Builder
	fmt.Fprintf(&text, introduction, time.Now().UTC().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor(), load())
	for _, r := range b.rows {
		floor, ratio := "", ""
		if r.floor > 0 {
			floor, ratio = short(r.floor)+" "+r.floorName, short(r.value/r.floor)
		}
		fmt.Fprintf(&text, "| %s | %s | %s | %s | %s |\n", r.name, short(r.value), floor, ratio, r.budget)
	}
	text.WriteString(conclusion)
	return text.String()
}

const introduction = `# How fast Carryover is

` + "`make bench`" + ` measures this on synthetic transcripts (` + "`integration/bench/history`" + `: the same bytes on every machine) and
rewrites the page. Of commands it is the processor time of the whole process, user and system, so that other work on the machine
counts less, and the cheapest of five runs. Milliseconds of a running daemon are those of a clock. Each floor is measured in the
same run: of an import, a program that reads the files and splits them into lines; of a command, ` + "`carryover version`" + `; of a
hook, a static program that asks the daemon one thing (` + "`integration/bench/bare`" + `), run in turns with the hook.

%s, %s/%s, %d processors, %s%s.

| | measured | floor | ratio | budget |
|---|---|---|---|---|
`

const conclusion = `
A nightly run fails when a ratio to a floor is a fifth above the one in ` + "`integration/bench/ratios.json`" + `.

![processor time of an import](plots/import-cost.svg)
![size of the ledger](plots/import-store.svg)
`

// paintSection begins what `make paint` writes at the end of the page, with a browser
// that this program has not.
const paintSection = "\n## First paint of the dashboard\n"

// paintIn is that section of the page as it was.
func paintIn(page string) string {
	_, section, found := strings.Cut(page, paintSection)
	if !found {
		return ""
	}
	return paintSection + section
}

// plots draws how the cost of an import grows with its size.
func (b *bench) plots(dir string) error {
	cost, store := plot.Line{Name: "measured"}, plot.Line{Name: "measured"}
	for _, one := range b.growth {
		cost.Points = append(cost.Points, plot.Point{X: one.bytes / 1e6, Y: one.cost})
		store.Points = append(store.Points, plot.Point{X: one.bytes / 1e6, Y: one.store})
	}
	most := b.growth[len(b.growth)-1].bytes / 1e6
	budget := plot.Line{Name: "budget", Points: []plot.Point{{X: 0, Y: 0.5}, {X: most, Y: 0.5}}}
	return errors.Join(os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(dir, "import-cost.svg"), []byte(plot.Chart{Title: "cold import", X: "MB of transcripts", Y: "ns a byte", Lines: []plot.Line{cost}}.SVG()), 0o644),
		os.WriteFile(filepath.Join(dir, "import-store.svg"), []byte(plot.Chart{Title: "store ÷ input", X: "MB of transcripts", Lines: []plot.Line{store, budget}}.SVG()), 0o644))
}

// load says how busy the machine is beside the run, where Linux tells.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return ""
	}
	return ", load average at the end " + fields[2]
}

// processor is the model of this machine's processor, where Linux tells.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // not Linux: unknown
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "processor unknown"
}
