//go:build unix

package terminal

import (
	"errors"
	"slices"
)

// InFront says whether the program that was started has the terminal: not a shell
// or an editor that it started, nor what followed it.
func (s *Session) InFront() bool {
	group, err := s.pty.foreground()
	return err == nil && group == s.pid
}

// MayType says why nothing can be typed just now: ErrNotInFront and ErrInterpreter
// where the text would reach another program or be run.
func (s *Session) MayType() error {
	switch {
	case s.pty == nil:
		return errors.New("the program has no terminal")
	case !s.InFront():
		return ErrNotInFront
	case slices.ContainsFunc(s.readers(), process.interprets):
		return ErrInterpreter
	}
	return nil
}
