package client_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when a test leaves a goroutine behind: `carryover mcp` lives as long
// as its agent.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
