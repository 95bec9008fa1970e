package setup

import (
	"path/filepath"
	"strings"
)

// installedByPython is the version of the Python package that a program in an
// environment belongs to, by the name of the folder that pip keeps beside it; ""
// where there is none. Some such programs take seconds to say it themselves.
func installedByPython(binary string) string {
	real, err := filepath.EvalSymlinks(binary)
	if err != nil {
		return ""
	}
	prefix := filepath.Base(real) + "-"
	found, _ := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(real)), "lib", "python3*", "site-packages", prefix+"[0-9]*.dist-info"))
	if len(found) != 1 {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), prefix), ".dist-info")
}
