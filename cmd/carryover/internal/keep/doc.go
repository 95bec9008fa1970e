// Package keep has the commands that change what Carryover keeps: read more,
// forget, repair, put a project elsewhere; and export, which takes it along.
package keep
