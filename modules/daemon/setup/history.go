package setup

import (
	"os"
	"runtime"
	"slices"

	"github.com/carryover-go/carryover/toolspecs"
)

// HasHistory says that a folder of the tool's transcripts is on this machine,
// whether the tool is installed or not.
func HasHistory(spec *toolspecs.Spec) bool {
	user, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(spec.Transcripts, func(place toolspecs.Transcript) bool {
		roots := toolspecs.ExpandAll(place.Roots, runtime.GOOS, os.Getenv, user)
		return slices.ContainsFunc(roots, func(root string) bool {
			_, err := os.Stat(root)
			return err == nil
		})
	})
}

// HeirOf is what came in the place of a tool whose history is here, one
// sentence; "" where there is none.
func HeirOf(spec *toolspecs.Spec) string {
	if spec.Heir == "" || !HasHistory(spec) {
		return ""
	}
	return spec.Heir
}
