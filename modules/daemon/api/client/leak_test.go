package client_test

import (
	"os"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/leaktest"
)

// TestMain fails when a test leaves a goroutine behind: `carryover mcp` lives as long
// as its agent.
func TestMain(m *testing.M) { os.Exit(leaktest.Run(m)) }
