// Package view is what both sides of the daemon's API speak: requests, results,
// progress and errors with codes, and the one interface that commands, page,
// MCP server and API ask. Other programs read these types as JSON
// (docs/json-output.md): the domain's own may change, these only grow. Times are
// RFC 3339 in UTC with milliseconds, unknown ones absent.
package view

// Service answers everything that is asked of Carryover. It is implemented in
// process, over an open ledger, and over the daemon's socket (api/client). Both
// answer alike: also an error is the same for errors.Is and errors.As.
type Service interface {
	Overview
	Sessions
	Search
	Handoffs
	Threads
	Files
	Worth
	Bundles
	Projects
	Agents
	Maintenance
	Changes
}
