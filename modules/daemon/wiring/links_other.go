//go:build !unix

package wiring

import "io/fs"

// hasLinks says whether a file has another name, where that can be known.
func hasLinks(fs.FileInfo) bool { return false }
