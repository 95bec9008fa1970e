package chaos

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/integration/plot"
)

var (
	soakFor   = flag.Duration("soak.for", 20*time.Second, "how long the daemon is kept busy")
	soakWrite = flag.String("soak.write", "", "write the figures into this page, and the plots beside it")
)

// Bounds of a soak: what the last third may have more than the middle third.
const (
	soakGrowth      = 1.25
	soakGoroutines  = 8
	soakDescriptors = 8
	soakLog         = 64 << 20 // bytes of the write-ahead log
)

// TestSoak_NothingGrows keeps a daemon busy as four agents at once would, and
// looks at what it holds: memory, files, goroutines and the write-ahead log.
func TestSoak_NothingGrows(t *testing.T) {
	if testing.Short() {
		t.Skip("takes its time")
	}
	s := newSoak(t)
	begin := time.Now()
	every := min(5*time.Second, *soakFor/20)
	sampled := begin
	for n := 0; time.Since(begin) < *soakFor; n++ {
		for _, agent := range s.agents {
			s.step(agent, n)
		}
		if time.Since(sampled) >= every {
			sampled = time.Now()
			s.samples = append(s.samples, s.sample(time.Since(begin)))
		}
		time.Sleep(250 * time.Millisecond)
	}
	s.check()
	if *soakWrite != "" {
		s.report(*soakWrite)
	}
}

// soak is a busy daemon and what was seen of it.
type soak struct {
	*box
	random  *rand.Rand
	daemon  *exec.Cmd
	trace   string // the file into which the runtime writes its goroutines
	agents  []*agent
	next    int // number of the next session
	counts  counts
	samples []sample
}

// counts are what was done to the daemon.
type counts struct{ Sessions, Records, Bytes, Hooks, Searches, Commands int }

// agent is one that works: it writes a session record by record, then begins another.
type agent struct {
	number int
	lines  []string
	at     int
}

// newSoak starts a daemon whose runtime tells its goroutines once a second. They
// stand in no figure of the product, and nothing else can count them from outside.
func newSoak(t *testing.T) *soak {
	s := &soak{box: newBox(t), random: rand.New(rand.NewPCG(*seed, 1))}
	s.trace = s.path("goroutines")
	out, err := os.Create(s.trace)
	if err != nil {
		t.Fatal(err)
	}
	s.hookProgram()
	s.daemon = s.command(filepath.Join(s.bin, "carryoverd"))
	s.daemon.Env = append(s.daemon.Env, "GODEBUG=schedtrace=1000,scheddetail=1,gctrace=1")
	s.daemon.Stderr = out
	if err := s.daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.daemon.Process.Kill()
		_ = s.daemon.Wait()
		_ = out.Close()
	})
	eventually(t, "the daemon answers", func() bool { return strings.Contains(s.run("status"), "running") })
	for range 4 {
		s.agents = append(s.agents, &agent{})
	}
	return s
}

// hookProgram puts the hook client where it finds its home.
func (b *box) hookProgram() {
	program := b.path(".carryover/bin/carryover-hook")
	if err := errors.Join(os.MkdirAll(filepath.Dir(program), 0o700), os.Symlink(filepath.Join(b.bin, "carryover-hook"), program)); err != nil {
		b.t.Fatal(err)
	}
}

// step writes the next record of an agent with its hook; now and then the user
// searches and looks.
func (s *soak) step(a *agent, n int) {
	if a.at == len(a.lines) {
		s.begin(a)
	}
	line := a.lines[a.at]
	a.at++
	s.append(transcriptOf(a.number), line)
	s.counts.Records++
	s.counts.Bytes += len(line)
	switch a.at % 4 {
	case 1:
		s.hook(a, "UserPromptSubmit", `"prompt":"Do it"`)
	case 3:
		s.hook(a, "PostToolUse", `"tool_name":"Bash","tool_input":{},"tool_response":{}`)
	case 0:
		s.hook(a, "Stop", `"stop_hook_active":false`)
	}
	if a.at%100 == 50 {
		s.hook(a, "PreCompact", `"trigger":"auto"`)
	}
	if n%20 == 7 && a == s.agents[0] {
		s.run("search", "--json", "part")
		s.counts.Searches++
	}
	if n%120 == 60 && a == s.agents[0] {
		s.run("status")
		s.run("handoff")
		s.counts.Commands += 2
	}
}

// begin starts the next session of an agent, 40 turns of it.
func (s *soak) begin(a *agent) {
	a.number, a.at = s.next, 0
	s.next++
	s.counts.Sessions++
	a.lines = session(s.random, a.number, 40, s.path("proj"), time.Now)
	s.hook(a, "SessionStart", `"source":"startup"`)
}

// hook runs the hook client as an agent does.
func (s *soak) hook(a *agent, event, rest string) {
	cmd := s.command(s.path(".carryover/bin/carryover-hook"), "claude-code", event)
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"hook_event_name":%q,%s}`,
		sessionID(a.number), s.path(transcriptOf(a.number)), s.path("proj"), event, rest))
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Errorf("hook %s: %v: %s", event, err, out)
	}
	s.counts.Hooks++
}

func (s *soak) append(name, text string) {
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o700); err != nil {
		s.t.Fatal(err)
	}
	file, err := os.OpenFile(s.path(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.WriteString(text)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// sample is what the daemon holds at one time.
type sample struct {
	at                          time.Duration
	resident, heap, log, ledger int // bytes
	descriptors, goroutines     int
}

func (s *soak) sample(at time.Duration) sample {
	pid := s.daemon.Process.Pid
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		s.t.Fatal(err)
	}
	one := sample{at: at, log: s.size(s.ledger() + "-wal"), ledger: s.size(s.ledger())}
	one.goroutines, one.heap = s.traced()
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &one.resident); err == nil {
			one.resident *= 1024
		}
	}
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		s.t.Fatal(err)
	}
	one.descriptors = len(open)
	return one
}

func (s *soak) size(path string) int {
	info, err := os.Stat(path)
	if err != nil {
		return 0 // a log that was merged is gone
	}
	return int(info.Size())
}

// traced counts the goroutines of the last complete trace, without the dead ones that
// the runtime keeps to use again, and the bytes of the heap that were alive after the
// last collection.
func (s *soak) traced() (goroutines, heap int) {
	file, err := os.Open(s.trace)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	_, _ = file.Seek(int64(-min(1<<20, s.size(s.trace))), io.SeekEnd)
	content, err := io.ReadAll(file)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, found := range collection.FindAllStringSubmatch(string(content), -1) {
		live, _ := strconv.Atoi(found[1]) // they are digits
		heap = live << 20
	}
	traces := strings.Split(string(content), "SCHED ")
	if len(traces) < 3 {
		return 0, heap
	}
	for line := range strings.Lines(traces[len(traces)-2]) {
		if strings.HasPrefix(line, "  G") && !strings.Contains(line, "status=6(") {
			goroutines++
		}
	}
	return goroutines, heap
}

// collection is how the runtime tells of one: the heap before, after and alive.
var collection = regexp.MustCompile(`(?m)^gc \d+ @.*->(\d+) MB, `)

// check holds the last third against the middle one, by their medians.
func (s *soak) check() {
	third := len(s.samples) / 3
	if third < 3 {
		s.t.Fatalf("%d samples", len(s.samples))
	}
	middle, last := s.samples[third:2*third], s.samples[2*third:]
	for _, figure := range soakFigures {
		before, after := median(middle, figure.of), median(last, figure.of)
		s.t.Logf("%s: %d, then %d", figure.name, before, after)
		if after > figure.bound(before) {
			s.t.Errorf("%s: %d in the middle third, %d in the last", figure.name, before, after)
		}
	}
	want := s.undisturbed()
	eventually(s.t, "the digest is that of an import", func() bool { return s.digest() == want })
}

// soakFigure is one that may not grow.
type soakFigure struct {
	name  string
	unit  int // one of the table in these
	of    func(sample) int
	bound func(before int) int
}

var soakFigures = []soakFigure{
	{"resident memory, MB", 1 << 20, func(s sample) int { return s.resident }, func(n int) int { return int(soakGrowth * float64(n)) }},
	{"live heap, MB", 1 << 20, func(s sample) int { return s.heap }, func(n int) int { return int(soakGrowth*float64(n)) + 4<<20 }},
	{"descriptors", 1, func(s sample) int { return s.descriptors }, func(n int) int { return n + soakDescriptors }},
	{"goroutines", 1, func(s sample) int { return s.goroutines }, func(n int) int { return n + soakGoroutines }},
	{"write-ahead log, MB", 1 << 20, func(s sample) int { return s.log }, func(int) int { return soakLog }},
}

func median(samples []sample, of func(sample) int) int {
	values := make([]int, 0, len(samples))
	for _, one := range samples {
		values = append(values, of(one))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// report writes the table into the page and a plot of each figure beside it.
func (s *soak) report(page string) {
	var rows strings.Builder
	third := len(s.samples) / 3
	for n, figure := range soakFigures {
		value := func(part []sample) string {
			return fmt.Sprintf("%.4g", float64(median(part, figure.of))/float64(figure.unit))
		}
		most := slices.MaxFunc(s.samples, func(a, b sample) int { return figure.of(a) - figure.of(b) })
		fmt.Fprintf(&rows, "| %s | %s | %s | %s | %.4g |\n", figure.name, value(s.samples[:third]), value(s.samples[third:2*third]), value(s.samples[2*third:]), float64(figure.of(most))/float64(figure.unit))
		line := plot.Line{Name: figure.name}
		for _, one := range s.samples {
			line.Points = append(line.Points, plot.Point{X: one.at.Minutes(), Y: float64(figure.of(one)) / float64(figure.unit)})
		}
		picture := plot.Chart{Title: "carryoverd", X: "minutes", Lines: []plot.Line{line}}.SVG()
		name := filepath.Join(filepath.Dir(page), "plots", soakPlots[n])
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(picture), 0o644)); err != nil {
			s.t.Fatal(err)
		}
	}
	done, err := json.Marshal(s.counts)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Logf("%s", done)
	last := s.samples[len(s.samples)-1]
	text := fmt.Sprintf(soakReport, last.at.Round(time.Minute).Minutes(), s.counts.Sessions, s.counts.Records, float64(s.counts.Bytes)/1e6, s.counts.Hooks, s.counts.Searches, s.counts.Commands,
		&rows, soakGrowth, soakDescriptors, soakGoroutines, soakLog>>20)
	writePart(s.t, page, "soak", text)
}

// soakPlots are the files of the plots, in the order of the figures.
var soakPlots = []string{"soak-memory.svg", "soak-heap.svg", "soak-descriptors.svg", "soak-goroutines.svg", "soak-log.svg"}

const soakReport = `## A soak

Made by ` + "`make soak`" + `: one daemon for %.0f minutes beside four agents that write without a pause: %d sessions, %d records, %.1f MB,
%d hooks, %d searches, %d other commands. Afterwards the ledger is that of an import of the same files.

| median of | first third | middle third | last third | most |
|---|---|---|---|---|
%s
The run fails when the last third has more than %g times the memory of the middle one, %d more descriptors, %d more goroutines, or a
log above %d MB.

![resident memory](plots/soak-memory.svg)
![live heap](plots/soak-heap.svg)
![descriptors](plots/soak-descriptors.svg)
![goroutines](plots/soak-goroutines.svg)
![write-ahead log](plots/soak-log.svg)
`
