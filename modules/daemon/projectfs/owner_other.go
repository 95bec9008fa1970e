//go:build !unix

package projectfs

import "io/fs"

// foreign cannot be known from a file's information here.
func foreign(fs.FileInfo) bool { return false }

// names cannot be known from a file's information here.
func names(fs.FileInfo) uint64 { return 1 }
