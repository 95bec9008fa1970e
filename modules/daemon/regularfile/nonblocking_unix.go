//go:build unix

package regularfile

import "syscall"

// NonBlocking is the flag with which opening a FIFO does not wait for its other
// end, and opening a terminal does not take it over.
const NonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
