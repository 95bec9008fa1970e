// Package tools holds one folder per agent tool: its spec, its reader, the
// evidence for its facts, and fixtures of our own making. This package exports
// what tests need of them; programs import toolspecs and toolspecs/readers.
package tools

import "embed"

// Files are the fixtures and evidence pages, by tool:
// <tool>/fixtures/transcript/* with the events expected of each in
// *.events.json, <tool>/fixtures/hooks/*.json, <tool>/evidence.md.
//
//go:embed */fixtures */evidence.md
var Files embed.FS
