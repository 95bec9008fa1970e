package api

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when a test leaves a goroutine behind: the daemon lives for weeks.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
