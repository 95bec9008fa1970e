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
	writePart(t, *write, "faults", fmt.Sprintf(report, *seed, total, strings.Join(lines, "")))
}

// writePart puts a text between the marks of a part of a page.
func writePart(t *testing.T, page, part, text string) {
	t.Helper()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+part+":start -->\n", "<!-- "+part+":end -->\n"
	before, rest, hasBegin := strings.Cut(string(content), begin)
	_, after, hasEnd := strings.Cut(rest, end)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s has no part %s", page, part)
	}
	if err := os.WriteFile(page, []byte(before+begin+text+end+after), 0o644); err != nil {
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

const report = `Made by ` + "`make chaos`" + ` with seed %d: %d faults, done to the built programs on Linux. After each, or each few in one home, the
ledger is compared with that of an undisturbed import (` + "`carryover ledger digest`" + `). The seed gives the same faults again; when
a process is killed depends on the machine too.

| fault | what is done | faults | outcome |
|---|---|---|---|
%s
"The exact loss named": the events that are missing are as many as ` + "`repair`" + ` says. "At least so much": the file was cut off, or so
much of it is damaged that nothing tells what stood there.
`
