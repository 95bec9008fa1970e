package scenario

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/carryover-go/carryover/integration/runner"
)

// What an agent under `carryover run` saved is there after kill -9, whichever
// of the three is killed: the agent, the wrapper, the daemon.
func TestNothingSavedIsLost(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"claude-code", shellScript} {
		t.Run(name, func(t *testing.T) {
			a := wrappedAs(t, name)
			a.answers("Save the first", "->continuity:save <<<\nCurrent task: the first task\n>>>\n")
			a.answers("Save the second", "->continuity:save <<<\nIn progress: the second step\n>>>\n")
			a.answers("Save the third", "->continuity:save <<<\nBlocked: the third wait\n>>>\n")
			state := func() string { return a.Carryover(a.Project, "continuity", "ledger", "mailer").Stdout }
			kill := func(what string, pid int) {
				t.Helper()
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
					t.Fatalf("kill %s, %d: %v", what, pid, err)
				}
				eventually(t, what+" is gone", func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) })
			}

			// again starts the next run, which is notified of the one before.
			again := func() *runner.Terminal {
				t.Helper()
				a.forget()
				term := a.open()
				eventually(t, "the state to be the first message\n"+term.Screen(), func() bool {
					return slices.ContainsFunc(a.heard(), containsAll([]string{sentinel, "the first task"}))
				})
				return term
			}

			term := a.open()
			term.Shows(a.ready)
			a.says(term, "Save the first, please.")
			eventually(t, "the first save\n"+term.Screen(), func() bool { return strings.Contains(state(), "the first task") })
			kill("the agent", term.Child(a.process))
			eventually(t, "a handoff of the crash", func() bool {
				return strings.Contains(a.Carryover(a.Project, "continuity", "handoffs", "mailer").Stdout, "crash")
			})

			term = again()
			a.says(term, "Save the second, please.")
			eventually(t, "the second save\n"+term.Screen(), func() bool { return strings.Contains(state(), "the second step") })
			kill("the wrapper", term.PID())

			term = again()
			kill("the daemon", a.DaemonPID())
			a.says(term, "Save the third, please.")
			eventually(t, "the third save, without a daemon\n"+term.Screen(), func() bool { return strings.Contains(state(), "the third wait") })
			a.Must(a.Project, "daemon", "start")

			got := state()
			if !containsAll([]string{"the first task", "the second step", "the third wait"})(got) {
				t.Errorf("the ledger has lost something:\n%s", got)
			}
		})
	}
}
