// Package leaktest has the tests of a package fail that leave goroutines behind.
package leaktest

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long a goroutine may take to end after the last test. goleak alone waits
// for less than half a second, in which a busy machine closes no connection.
const patience = 10 * time.Second

// Run runs the tests of a package and returns the code to exit with: 1 when a goroutine
// is left that is not known to stay.
func Run(m *testing.M, known ...goleak.Option) int {
	if code := m.Run(); code != 0 {
		return code
	}
	for began := time.Now(); ; {
		err := goleak.Find(known...)
		if err == nil {
			return 0
		}
		if time.Since(began) > patience {
			fmt.Fprintln(os.Stderr, "left behind:", err)
			return 1
		}
	}
}
