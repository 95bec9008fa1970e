package doctor

import (
	"strings"
	"testing"
)

func TestElsewhere_SaysTheLinesToAdd(t *testing.T) {
	tests := map[string]struct {
		env   map[string]string
		files map[string]bool
		want  []string // name and a part of the fix
	}{
		"a desktop":        {nil, nil, nil},
		"a container":      {nil, map[string]bool{"/.dockerenv": true}, []string{"container", `target=/home/dev/.carryover,type=volume`}},
		"a dev container":  {map[string]string{"REMOTE_CONTAINERS": "true", "SSH_CONNECTION": "a"}, nil, []string{"container", "export --bundle"}},
		"WSL":              {map[string]string{"WSL_DISTRO_NAME": "Ubuntu"}, nil, []string{"wsl", "import --root"}},
		"a machine by SSH": {map[string]string{"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, nil, []string{"ssh", "ssh -L 47823:127.0.0.1:47823 HOST"}},
	}
	for name, test := range tests {
		checks := elsewhereChecks("/home/dev/.carryover", "47823", func(key string) string { return test.env[key] }, func(path string) bool { return test.files[path] })
		switch {
		case len(test.want) == 0 && len(checks) == 0:
		case len(checks) != 1 || len(test.want) == 0 || checks[0].Name != test.want[0] || !strings.Contains(checks[0].Fix, test.want[1]) || checks[0].Result != Info:
			t.Errorf("%s: %+v", name, checks)
		}
	}
}
