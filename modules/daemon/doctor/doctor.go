// Package doctor checks an installation: each check has a name, a result and a
// sentence, and where something is wrong the command that mends it.
package doctor

import (
	"context"
	"fmt"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// Results of a check.
const (
	OK      = "ok"
	Info    = "info"
	Warning = "warning"
	Error   = "error"
	Skipped = "skipped"
)

// Check is one finding.
type Check struct {
	Name    string `json:"name"`
	Result  string `json:"result"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
}

// Report is what `carryover doctor` says (docs/json-output.md).
type Report struct {
	Schema int     `json:"schema"`
	Checks []Check `json:"checks"`
}

// Failed says whether a check found an error. Warnings are none.
func (r Report) Failed() bool {
	for _, check := range r.Checks {
		if check.Result == Error {
			return true
		}
	}
	return false
}

// checkContext is what the checks look at.
type checkContext struct {
	home      home.Dir
	table     *toolspecs.Table
	record    wiring.Record
	installed bool
}

// checkGroup is a few checks that belong together.
type checkGroup func(ctx context.Context, p checkContext) []Check

// Run makes all checks.
func Run(ctx context.Context, dir home.Dir, table *toolspecs.Table) Report {
	report := Report{Schema: 1, Checks: []Check{}}
	record, installed, err := wiring.ReadRecord(dir)
	if err != nil {
		report.Checks = append(report.Checks, Check{"install-record", Error, err.Error(), "run `carryover install` again"})
	}
	p := checkContext{home: dir, table: table, record: record, installed: installed}
	for _, look := range []checkGroup{homeChecks, daemonChecks, ledgerChecks, toolChecks} {
		report.Checks = append(report.Checks, look(ctx, p)...)
	}
	return report
}

func ok(name, format string, args ...any) Check {
	return Check{Name: name, Result: OK, Message: fmt.Sprintf(format, args...)}
}
