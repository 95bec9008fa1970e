package dashboard_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/carryover-go/carryover/modules/daemon/leaktest"
)

// TestMain fails when a test leaves a goroutine behind: the daemon lives for weeks. The
// library of the log never ends the one that removes old files, one for each log.
func TestMain(m *testing.M) {
	os.Exit(leaktest.Run(m, goleak.IgnoreAnyFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun")))
}
