package version

import (
	"runtime/debug"
	"testing"
)

func TestInstalled_IsTheVersionOfOurModule(t *testing.T) {
	for _, c := range []struct {
		path, version string
		ok            bool
		want          string
	}{
		{program, "v1.2.3", true, "v1.2.3"},
		{program, "v0.0.0-20260302134020-4be1c07a9d10", true, "v0.0.0-20260302134020-4be1c07a9d10"},
		{program, "(devel)", true, "dev"},
		{program, "", true, "dev"},
		{"example.org/another/program", "v1.2.3", true, "dev"},
		{program, "v1.2.3", false, "dev"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Path: c.path, Version: c.version}}
		if got := installed(info, c.ok); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.path, c.version, got, c.want)
		}
	}
}
