package image_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/carryover-go/carryover/integration/image"
	"github.com/carryover-go/carryover/integration/runner"
)

var update = flag.Bool("update", false, "write the Dockerfiles")

func TestDockerfiles_AreWhatTheTableSays(t *testing.T) {
	for _, i := range image.Images {
		want, err := i.Dockerfile()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(i.Tool, "Dockerfile")
		if *update {
			if err := os.MkdirAll(i.Tool, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what the table says (%v); run `go test ./integration/image -update`", path, err)
		}
	}
}

// An image for each live agent and for no other; what it installs has a version and a
// hash in the lock files.
func TestImages_AreThoseOfTheLiveAgents(t *testing.T) {
	live := slices.Sorted(maps.Keys(runner.Agents))
	live = slices.Sorted(slices.Values(slices.Concat(live, slices.Collect(maps.Keys(runner.Further)))))
	var have []string
	var npm struct{ Dependencies map[string]string }
	agents := filepath.Join("..", "agents")
	data, err := os.ReadFile(filepath.Join(agents, "package.json"))
	if err == nil {
		err = json.Unmarshal(data, &npm)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range image.Images {
		have = append(have, i.Tool)
		switch _, err := os.Stat(filepath.Join(agents, i.Requirements)); {
		case i.Requirements != "" && err != nil:
			t.Error(err)
		case i.Requirements == "" && npm.Dependencies[i.Package] == "":
			t.Errorf("%s: package.json does not name %s", i.Tool, i.Package)
		}
	}
	if !slices.Equal(have, live) {
		t.Errorf("there are images of %v, and live agents %v", have, live)
	}
}

func TestBases_AreNamedByDigest(t *testing.T) {
	digest := regexp.MustCompile(`^[a-z]+:[a-z0-9.-]+@sha256:[0-9a-f]{64}$`)
	for name, base := range image.Bases {
		if !digest.MatchString(base) {
			t.Errorf("%s is %q", name, base)
		}
	}
}
