package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"github.com/carryover-go/carryover/integration/bench/history"
)

// row is one figure beside its budget and its floor.
type row struct {
	name      string
	value     float64
	floor     float64 // 0: there is none
	floorName string
	budget    string
}

// bench is one run over all rows.
type bench struct {
	carryover string
	dir       string
	rows      []row
	growth    []grown
}

// grown is what an import of a size took.
type grown struct {
	bytes       float64
	cost, store float64 // nanoseconds a byte, and bytes a byte
}

func (b *bench) add(name string, value, floor float64, floorName, budget string) {
	b.rows = append(b.rows, row{name, value, floor, floorName, budget})
	fmt.Fprintf(os.Stderr, "%s: %s (floor %s)\n", name, short(value), short(floor))
}

// measure fills the table and writes it, the plots and the ratios; it fails when a
// ratio to a floor is a fifth above the one that was kept.
//
// With groups only their rows are measured and printed.
func measure(carryover, to, kept string, groups []string) (err error) {
	if carryover, err = filepath.Abs(carryover); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "co-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{carryover: carryover, dir: dir}
	for _, group := range []struct {
		name string
		run  func() error
	}{
		{"imports", b.imports}, {"search", b.search}, {"daemon", b.withDaemon}, {"compactions", b.compactions}, {"folds", b.folds}, {"many", b.many},
	} {
		if len(groups) > 0 && !slices.Contains(groups, group.name) {
			continue
		}
		if err := group.run(); err != nil {
			return err
		}
	}
	if len(groups) > 0 {
		return nil
	}
	old, _ := os.ReadFile(to) // none: there is nothing to keep
	if err := errors.Join(os.WriteFile(to, []byte(b.document()+paintIn(string(old))), 0o644), b.plots(filepath.Join(filepath.Dir(to), "plots"))); err != nil {
		return err
	}
	now := b.ratios()
	if err := now.against(kept); err != nil {
		return err
	}
	return now.write(kept)
}

// imports are cold ones of growing size. Only the ledger that is searched is kept.
func (b *bench) imports() error {
	costs := map[int64]float64{}
	for _, one := range []struct {
		name  string
		size  int64
		files int
	}{{"50 MB in 40 sessions", 50_000_000, 40}, {"200 MB in 130 sessions", 200_000_000, 130}, {"1 GB in 650 sessions", 1_000_000_000, 650}} {
		if room(b.dir) < 4*one.size {
			fmt.Fprintf(os.Stderr, "%s: not measured, there is no room for it\n", one.name)
			continue
		}
		cost, err := b.cold(one.name, one.size, one.files)
		if err != nil {
			return err
		}
		costs[one.size] = cost
		if one.size == searched {
			continue
		}
		if err := errors.Join(os.RemoveAll(b.in(one.size)), os.RemoveAll(b.home(one.size))); err != nil {
			return err
		}
	}
	b.add("processor time a byte, 200 MB against 50 MB", costs[200_000_000]/costs[50_000_000], 0, "", "1.1")
	if large, measured := costs[1_000_000_000]; measured {
		b.add("processor time a byte, 1 GB against 200 MB", large/costs[200_000_000], 0, "", "1.1")
	}
	return nil
}

// room is how many bytes a folder's disk has left.
func room(dir string) int64 {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return 1 << 40 // unknown: it will show
	}
	return int64(disk.Bavail) * int64(disk.Bsize) //nolint:unconvert // 32 bits on macOS
}

// searched is the size of the history that commands search.
const searched = 200_000_000

func (b *bench) in(size int64) string   { return filepath.Join(b.dir, fmt.Sprint("in", size)) }
func (b *bench) home(size int64) string { return filepath.Join(b.dir, fmt.Sprint("home", size)) }

// cold imports transcripts into a new ledger and returns the processor time a
// byte. Its floor reads the files and splits them into lines.
func (b *bench) cold(name string, size int64, files int) (float64, error) {
	in := b.in(size)
	written, err := history.Write(in, history.Options{Bytes: size, Files: files, Seed: seed})
	if err != nil {
		return 0, err
	}
	p := program{b.carryover, b.home(size)}
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
	store := float64(info.Size()) / float64(written.Bytes)
	b.add("cold import, "+name+": CPU s", took.CPU, floor.CPU, "read and split", "")
	b.add("– peak MB", took.Peak, 0, "", "150")
	b.add("– store ÷ input", store, 0, "", "0.5")
	b.growth = append(b.growth, grown{float64(written.Bytes), took.CPU * 1e9 / float64(written.Bytes), store})
	return took.CPU / float64(written.Bytes), nil
}

// search asks the larger ledger by whole commands; the floor is a command that
// does nothing.
func (b *bench) search() error {
	p := program{b.carryover, b.home(searched)}
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
		b.add("`carryover search`, "+query.name+": CPU ms", took.CPU*1000, floor.CPU*1000, "`version`", "25")
	}
	return nil
}

// manyFiles is how many small transcripts are read; CARRYOVER_BENCH_MANY=100000 measures
// as many, which takes minutes of processor time. Budgets grow with it.
func manyFiles() int {
	if n, err := strconv.Atoi(os.Getenv("CARRYOVER_BENCH_MANY")); err == nil {
		return n
	}
	return 20_000
}

// many are transcripts of 2 to 3 KB.
func (b *bench) many() error {
	in := filepath.Join(b.dir, "many")
	written, err := history.Write(in, history.Options{Files: manyFiles(), Seed: seed})
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
	files := float64(manyFiles())
	b.add(fmt.Sprintf("%.0f small transcripts: import, CPU s", files), took.CPU, 0, "", short(60*files/100_000))
	b.add("– peak MB", took.Peak, 0, "", "150")
	b.add("– store ÷ input", float64(info.Size())/float64(written.Bytes), 0, "", "2")
	b.add("– unchanged import, CPU s", again.CPU, 0, "", short(2*files/100_000))
	b.add("– `carryover status`, CPU ms", status.CPU*1000, 0, "", short(300*files/100_000))
	return b.remove("many", "home-many")
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
