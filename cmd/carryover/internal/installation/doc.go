// Package installation has the commands that connect agents and look after the
// program itself: settings, daemon, checks and the table of agents.
package installation
