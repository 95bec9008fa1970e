package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/carryover-go/carryover/integration/bench/history"
)

// row is one figure beside its budget and its floor.
type row struct {
	name, measured, floor, ratio, budget string
}

// bench is one run over all rows.
type bench struct {
	carryover string
	dir       string
	rows      []row
}

// measure fills the table and writes it.
func measure(carryover, to string) (err error) {
	if carryover, err = filepath.Abs(carryover); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "carryover-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{carryover: carryover, dir: dir}
	small, err := b.cold("50 MB in 40 sessions", 50_000_000, 40)
	if err != nil {
		return err
	}
	large, err := b.cold("200 MB in 130 sessions", 200_000_000, 130)
	if err != nil {
		return err
	}
	b.rows = append(b.rows, row{"processor time a byte, 200 MB against 50 MB", fmt.Sprintf("%.2f", large/small), "", "", "1.1"})
	for _, step := range []func() error{b.search, b.many} {
		if err := step(); err != nil {
			return err
		}
	}
	return os.WriteFile(to, []byte(b.document()), 0o644)
}

// cold imports transcripts into a new ledger and returns the processor time a
// byte. Its floor reads the files and splits them into lines.
func (b *bench) cold(name string, size int64, files int) (float64, error) {
	in := filepath.Join(b.dir, fmt.Sprint("in", size))
	written, err := history.Write(in, history.Options{Bytes: size, Files: files, Seed: seed})
	if err != nil {
		return 0, err
	}
	p := program{b.carryover, filepath.Join(b.dir, fmt.Sprint("home", size))}
	_, took, err := p.do("import", "--root", in)
	if err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	_, floor, err := spent(self, []string{"split", in})
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(filepath.Join(p.home, "ledger.sqlite"))
	if err != nil {
		return 0, err
	}
	b.rows = append(b.rows,
		row{"cold import, " + name + ": CPU s", seconds(took.CPU), seconds(floor.CPU) + " read and split", times(took.CPU, floor.CPU), ""},
		row{"– peak MB", fmt.Sprintf("%.0f", took.Peak), "", "", "150"},
		row{"– store ÷ input", fmt.Sprintf("%.2f", float64(info.Size())/float64(written.Bytes)), "", "", "0.5"})
	return took.CPU / float64(written.Bytes), nil
}

// search asks the larger ledger by whole commands; the floor is a command that
// does nothing.
func (b *bench) search() error {
	p := program{b.carryover, filepath.Join(b.dir, "home200000000")}
	floor, err := repeated(p, "version")
	if err != nil {
		return err
	}
	common, rare := history.Words(seed)
	for _, query := range []struct{ name, text string }{
		{"a rare word", rare}, {"a common word", common}, {"three words", common + " internal example"}, {"nothing found", "xyzzyplugh"},
	} {
		took, err := repeated(p, "search", "--json", query.text)
		if err != nil {
			return err
		}
		b.rows = append(b.rows, row{"`carryover search`, " + query.name + ": CPU ms", milliseconds(took.CPU), milliseconds(floor.CPU) + " `version`", times(took.CPU, floor.CPU), "25"})
	}
	return nil
}

// many are 20,000 transcripts of 2 to 3 KB.
func (b *bench) many() error {
	in := filepath.Join(b.dir, "many")
	written, err := history.Write(in, history.Options{Files: 20_000, Seed: seed})
	if err != nil {
		return err
	}
	p := program{b.carryover, filepath.Join(b.dir, "home-many")}
	_, took, err := p.do("import", "--root", in)
	if err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(p.home, "ledger.sqlite"))
	if err != nil {
		return err
	}
	_, again, err := p.do("import", "--root", in)
	if err != nil {
		return err
	}
	status, err := repeated(p, "status")
	if err != nil {
		return err
	}
	b.rows = append(b.rows,
		row{"20,000 small transcripts: import, CPU s", seconds(took.CPU), "", "", "12"},
		row{"– peak MB", fmt.Sprintf("%.0f", took.Peak), "", "", "150"},
		row{"– store ÷ input", fmt.Sprintf("%.2f", float64(info.Size())/float64(written.Bytes)), "", "", "2"},
		row{"– unchanged import, CPU s", seconds(again.CPU), "", "", "0.4"},
		row{"– `carryover status`, CPU ms", milliseconds(status.CPU), "", "", "60"})
	return nil
}

// repeated is the cheapest of five runs.
func repeated(p program, args ...string) (best cost, err error) {
	for n := range 5 {
		out, took, err := p.do(args...)
		if err != nil && len(out) == 0 { // a search that finds nothing prints so, and ends with 3
			return best, err
		}
		if n == 0 || took.CPU < best.CPU {
			best = took
		}
	}
	return best, nil
}

// split reads every file below a folder and counts its lines: the least that an
// import could do.
func split(dir string) error {
	lines := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		scanner := bufio.NewScanner(file)
		scanner.Buffer(make([]byte, 1<<16), 64<<20)
		for scanner.Scan() {
			lines++
		}
		return scanner.Err()
	})
	fmt.Println(lines)
	return err
}

func seconds(s float64) string      { return fmt.Sprintf("%.2f", s) }
func milliseconds(s float64) string { return fmt.Sprintf("%.0f", s*1000) }
func times(s, floor float64) string { return fmt.Sprintf("%.1f", s/max(floor, 0.001)) }

// document is the page of the figures.
func (b *bench) document() string {
	var text strings.Builder
	fmt.Fprintf(&text, `# How fast Carryover is

`+"`make bench-table`"+` measures this on synthetic transcripts (`+"`integration/bench/history`"+`: the same bytes on every machine) and
rewrites the table. Figures are processor time of whole processes, user and system, so that other work on the machine
counts less; of commands, the cheapest of five runs. The floor of an import reads the files and splits them into lines,
that of a command is `+"`carryover version`"+`.

%s, %s/%s, %d processors, %s.

| | measured | floor | ratio | budget |
|---|---|---|---|---|
`, time.Now().UTC().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor())
	for _, r := range b.rows {
		fmt.Fprintf(&text, "| %s | %s | %s | %s | %s |\n", r.name, r.measured, r.floor, r.ratio, r.budget)
	}
	return text.String()
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
