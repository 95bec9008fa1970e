package containers

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
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
	return newStageWith(t, func(home *runner.Home) {
		runner.ClaudeCode(t, home)
		runner.Codex(t, home)
	})
}

// newStageWith is newStage with agents of the caller's choice in the home.
func newStageWith(t *testing.T, prepare func(*runner.Home)) *stage {
	t.Helper()
	needEngine(t)
	s := &stage{home: runner.New(t, "http://"+modelAt), programs: build(t)}
	prepare(s.home)
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

// static is the folder of programs, "" until they were needed.
var static string

// programs are ours and the stand-in model, linked for any Linux, once for all tests.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "carryover-static")
	if err != nil {
		return "", err
	}
	static = dir
	cmd := exec.Command("go", "build", "-ldflags", "-s -w", "-o", dir,
		"./cmd/carryover", "./cmd/carryoverd", "./cmd/carryover-hook", "./integration/mockmodel/serve")
	cmd.Dir, cmd.Env = runner.Root(), append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := cmd.CombinedOutput(); err != nil {
		return dir, fmt.Errorf("build our programs: %w\n%s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if static != "" {
		_ = os.RemoveAll(static)
	}
	runner.Remove()
	os.Exit(code)
}

func build(t *testing.T) string {
	t.Helper()
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
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
