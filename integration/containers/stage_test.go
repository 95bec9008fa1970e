package containers

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/testcontainers/testcontainers-go"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

const (
	// requiredVariable makes a missing container engine a failure.
	requiredVariable = "CARRYOVER_REQUIRE_CONTAINERS"
	// imageVariable names an image with git and python3 in it;
	// scripts/with-docker makes one and sets it.
	imageVariable = "CARRYOVER_BASE_IMAGE"
)

// stage is what the containers have in common.
type stage struct {
	home     *runner.Home
	programs string // folder with our programs, linked statically
	user     string // uid:gid in the containers: never root
	scripts  []mockmodel.Script
}

func newStage(t *testing.T) *stage {
	t.Helper()
	needEngine(t)
	s := &stage{home: runner.New(t, "http://"+modelAt), programs: build(t)}
	runner.ClaudeCode(t, s.home)
	runner.Codex(t, s.home)
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 1000, 1000
	}
	s.user = fmt.Sprintf("%d:%d", uid, gid)
	s.give(t, s.home.Dir)
	return s
}

// needEngine skips loudly, or fails where there must be an engine.
func needEngine(t *testing.T) {
	t.Helper()
	stop := t.Skipf
	if os.Getenv(requiredVariable) != "" {
		stop = t.Fatalf
	}
	if os.Getenv(imageVariable) == "" {
		stop("SKIPPED: %s names no image; run `make test-containers`", imageVariable)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	provider, err := testcontainers.NewDockerProvider()
	if err == nil {
		defer provider.Close()
		err = provider.Health(ctx)
	}
	if err != nil {
		stop("SKIPPED: no container engine answers (%v); run `make test-containers`", err)
	}
}

// build makes our programs and the stand-in model for any Linux.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", dir,
		"./cmd/carryover", "./cmd/carryoverd", "./cmd/carryover-hook", "./integration/mockmodel/serve")
	cmd.Dir, cmd.Env = runner.Root(), append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build our programs: %v\n%s", err, out)
	}
	return dir
}

// write makes a file that the containers' user may change.
func (s *stage) write(t *testing.T, path, content string) {
	t.Helper()
	s.home.Write(path, content)
	s.give(t, filepath.Dir(path))
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
}

// give hands a folder with all in it to the containers' user.
func (s *stage) give(t *testing.T, dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		return // it is ours, and we are that user
	}
	var uid, gid int
	if _, err := fmt.Sscanf(s.user, "%d:%d", &uid, &gid); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, uid, gid)
	})
	if err != nil {
		t.Fatal(err)
	}
}
