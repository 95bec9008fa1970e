// Package look has the commands that show what the ledger, a transcript or the
// daemon knows. They change nothing.
package look
