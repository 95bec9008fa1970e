//go:build unix && !linux

package terminal

// readers is the program that was started: other processes cannot be looked at.
func (s *Session) readers() []process {
	return []process{{path: s.cmd.Path, args: s.cmd.Args}}
}
