package chaos

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/runner"
)

var (
	full  = flag.Bool("chaos.full", false, "do all faults, not a few of each kind")
	seed  = flag.Uint64("chaos.seed", 1, "what the faults are drawn from")
	write = flag.String("chaos.write", "", "write the report to this file")
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	runner.Remove()
	os.Exit(code)
}

// TestChaos_LosesNothing does the faults of every kind. Whatever happens, the
// ledger has what an undisturbed import has, or the loss is named.
func TestChaos_LosesNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the limits are set with a POSIX shell, and tried on Linux")
	}
	var lines []string
	total := 0
	for _, f := range faults {
		t.Run(strings.ReplaceAll(f.name, " ", "_"), func(t *testing.T) {
			n := f.full
			if !*full {
				n = (n + 24) / 25
			}
			kind := fnv.New64a()
			_, _ = kind.Write([]byte(f.name)) // of a hash, it cannot fail
			o := f.run(t, rand.New(rand.NewPCG(*seed, kind.Sum64())), n)
			total += o.done
			lines = append(lines, fmt.Sprintf("| %s | %s | %d | %s |\n", f.name, f.what, o.done, o))
			t.Logf("%d faults: %s", o.done, o)
		})
	}
	if *write == "" {
		return
	}
	text := fmt.Sprintf(report, *seed, total, strings.Join(lines, ""))
	if err := os.WriteFile(*write, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// String says what came of the faults.
func (o outcome) String() string {
	parts := []string{fmt.Sprintf("%d the same digest", o.same)}
	if o.named > 0 {
		parts = append(parts, fmt.Sprintf("%d the exact loss named", o.named))
	}
	if o.least > 0 {
		parts = append(parts, fmt.Sprintf("%d a loss of at least so much named", o.least))
	}
	if rest := o.done - o.same - o.named - o.least; rest > 0 {
		parts = append(parts, fmt.Sprintf("**%d failed**", rest))
	}
	return strings.Join(parts, ", ")
}

const report = `# Reliability

Made by ` + "`make chaos`" + ` with seed %d: %d faults, done to the built programs on Linux. After each, or each few in one home, the
ledger is compared with that of an undisturbed import (` + "`carryover ledger digest`" + `). The seed gives the same faults again; when
a process is killed depends on the machine too.

| fault | what is done | faults | outcome |
|---|---|---|---|
%s
"The exact loss named": the events that are missing are as many as ` + "`repair`" + ` says. "At least so much": the file was cut off, or so
much of it is damaged that nothing tells what stood there.

A short form runs with the tests. What else is held, and by which tests, is in [SECURITY.md](../SECURITY.md); how a damaged
ledger is read in [ADR 0034](adr/0034-a-checksum-for-each-row.md).

Not tried here: a power cut (SQLite syncs at checkpoints, so that a power cut may lose the last events until the transcripts
are read again), watch limits of the system (` + "`TestWatcher_PollsWithoutFileEvents`" + ` does), macOS and Windows.
`
