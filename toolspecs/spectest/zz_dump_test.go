package spectest_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestZZDump(t *testing.T) {
	f := os.Getenv("DUMP")
	if f == "" {
		t.Skip()
	}
	table, _ := toolspecs.Load(nil)
	spec, _ := table.Lookup(os.Getenv("TOOL"))
	r, _ := readers.For(spec)
	data, _ := os.ReadFile(f)
	ev, _, _, err := spectest.ReadAll(r, transcript.Source{Path: f}, data, transcript.Position{})
	fmt.Println(err)
	cut := func(s string, n int) string {
		if len(s) > n {
			s = s[:n]
		}
		return fmt.Sprintf("%q", s)
	}
	for _, e := range ev {
		x := ""
		if e.Call != nil {
			x = fmt.Sprint(e.Call.Name, " ", e.Call.Meaning, " ", e.Call.Paths, " ", cut(e.Call.Command, 90), " D=", cut(e.Call.Detail, 40))
		}
		if e.Result != nil {
			ec := "-"
			if e.Result.ExitCode != nil {
				ec = fmt.Sprint(*e.Result.ExitCode)
			}
			x += fmt.Sprint(" fail=", e.Result.Failed, " exit=", ec, " ", e.Result.Outcome, " ", cut(e.Result.Text, 70))
		}
		if e.Decision != nil {
			x += fmt.Sprintf(" %+v", *e.Decision)
			if len(x) > 200 {
				x = x[:200]
			}
		}
		if e.Start != nil {
			x += fmt.Sprintf(" %+v", *e.Start)
		}
		if e.Place != nil {
			x += fmt.Sprintf(" %+v", *e.Place)
		}
		if e.Usage != nil {
			x += fmt.Sprintf(" %+v", *e.Usage)
		}
		if e.Compaction != nil {
			x += fmt.Sprintf(" %+v", *e.Compaction)
		}
		fmt.Println(e.Ref.Line, e.Kind, e.Origin, e.Subagent, cut(e.Text, 110), len(e.Items), x)
	}
}
