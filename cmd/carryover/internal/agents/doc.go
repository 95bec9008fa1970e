// Package agents has the commands that start other agents or answer them, and
// those for the notes of named ones.
package agents
