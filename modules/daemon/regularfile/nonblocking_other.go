//go:build !unix

package regularfile

// NonBlocking is nothing where files cannot wait.
const NonBlocking = 0
