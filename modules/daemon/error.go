package daemon

import (
	"github.com/carryover-go/carryover/modules/daemon/ingest"
)

// ErrForeign says that a file is no transcript of a known tool.
var ErrForeign = ingest.ErrForeign
