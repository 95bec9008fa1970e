package render

import "github.com/carryover-go/carryover/modules/distiller"

// shownHead is how much of a commit's name is shown.
const shownHead = 9

// gitLines tell where HEAD stood, to be held against where it stands.
func gitLines(f distiller.Facts) []line {
	if f.Git == nil || f.Git.Head == "" {
		return nil
	}
	text := "- HEAD was " + code(f.Git.Head[:min(len(f.Git.Head), shownHead)], shownHead)
	if f.Git.Branch != "" {
		text += " on branch " + clean(f.Git.Branch)
	}
	return []line{{text: text}}
}
