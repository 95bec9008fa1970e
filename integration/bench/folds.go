package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/carryover-go/carryover/integration/bench/history"
)

// folds measures the distiller: a whole session of 15 MB read and distilled by a
// command, and one more event of a session of 100,000. Both in processor time.
func (b *bench) folds() error {
	in := filepath.Join(b.dir, "one")
	written, err := history.Write(in, history.Options{Bytes: 15_000_000, Files: 1, Seed: seed})
	if err != nil {
		return err
	}
	files, _ := filepath.Glob(filepath.Join(in, "claude", "projects", "*", "*.jsonl")) // the pattern is sound
	if len(files) != 1 {
		return fmt.Errorf("%d files in %s", len(files), in)
	}
	p := program{b.carryover, filepath.Join(b.dir, "home-one")}
	floor, err := repeated(p, "version")
	if err != nil {
		return err
	}
	took, err := repeated(p, "distill", files[0])
	if err != nil {
		return err
	}
	b.add("read, redact and distil a transcript of 15 MB: MB a CPU s", float64(written.Bytes)/1e6/(took.CPU-floor.CPU), 0, "", "150")
	test := filepath.Join(b.dir, "extract.test")
	if out, err := exec.Command("go", "test", "-c", "-o", test, "github.com/carryover-go/carryover/modules/distiller/extract").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	few, many := 101, 1101
	less, err := oneMoreEvent(test, few)
	if err != nil {
		return err
	}
	more, err := oneMoreEvent(test, many)
	if err != nil {
		return err
	}
	b.add("distil one more event at 100,000, with its handoff: CPU ms", (more-less)*1000/float64(many-few), 0, "", "1")
	return nil
}

// oneMoreEvent is the processor time of the benchmark, which makes the session first.
func oneMoreEvent(test string, rounds int) (float64, error) {
	_, took, err := spent(test, []string{"-test.run", "^$", "-test.bench", "^BenchmarkOneMoreEvent$", "-test.benchtime", strconv.Itoa(rounds) + "x"})
	return took.CPU, err
}

// remove deletes what no later row needs.
func (b *bench) remove(names ...string) error {
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(b.dir, name)); err != nil {
			return err
		}
	}
	return nil
}
