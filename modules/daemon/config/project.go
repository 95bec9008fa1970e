package config

import "fmt"

// Projects are the user's choices as each project may narrow them.
type Projects struct {
	Choices Choices
	Report  func(err error) // is told of a broken .carryover.toml, which is left aside
}

// Of are the choices in a worktree.
func (p Projects) Of(worktree string) Choices {
	choices, err := p.Choices.ForProject(worktree)
	if err != nil && p.Report != nil {
		p.Report(fmt.Errorf("defaults are used: %w", err))
	}
	return choices
}
