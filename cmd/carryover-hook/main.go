// Command carryover-hook is what agents run at their hooks:
//
//	carryover-hook TOOL EVENT <payload
//
// It always exits 0 and never writes to stderr.
package main

import (
	"os"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/hookclient"
)

func main() { hookclient.Main(time.Now(), os.Args) }
