package mcpserver_test

import (
	"os"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/leaktest"
)

// TestMain fails when a test leaves a goroutine behind: the daemon lives for weeks.
func TestMain(m *testing.M) { os.Exit(leaktest.Run(m)) }
