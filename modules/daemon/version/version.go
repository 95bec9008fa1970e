// Package version says which build this is.
package version

// Version is set at build time.
var Version = "dev"
