package home

import (
	"os"
	"path/filepath"
)

// CheckSocketDir only asks that the folder is there: below the user's profile
// it is private by inheritance.
func CheckSocketDir(socket string) error {
	_, err := os.Stat(filepath.Dir(socket))
	return err
}
