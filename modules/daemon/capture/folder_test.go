package capture_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/carryover-go/carryover/modules/daemon/capture"
)

// linkedRoot is a root that is a symbolic link to a folder elsewhere.
func linkedRoot(t *testing.T) (root string) {
	t.Helper()
	dir := t.TempDir()
	root = filepath.Join(dir, ".agent", "projects")
	disk := filepath.Join(dir, "disk")
	err := errors.Join(os.MkdirAll(filepath.Dir(root), 0o700), os.MkdirAll(filepath.Join(disk, "p"), 0o700), os.Symlink(disk, root))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestFiles_ReadsAFolderThatIsALink(t *testing.T) {
	root := linkedRoot(t)
	path := filepath.Join(root, "p", "s.jsonl")
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := capture.SourceRoot{Tool: "a", Root: root, Glob: "*/*.jsonl"}.Files(t.Context())
	if err != nil || len(files) != 1 || files[0] != path {
		t.Errorf("found %v (%v), want %s", files, err, path)
	}
}

// watching runs a watcher of one root and returns the files it reports.
func watching(t *testing.T, root string, logger *zap.Logger) <-chan string {
	t.Helper()
	changed := make(chan string, 100)
	place := capture.SourceRoot{Tool: "a", Root: root, Glob: "*/*.jsonl"}
	w := &capture.Watcher{
		Roots: []capture.Root{{Tool: "a", Path: root}}, Logger: logger, Watching: make(chan struct{}),
		Changed: func(_ context.Context, _, path string) { changed <- path },
		Rescan: func(ctx context.Context, _ capture.Root) {
			files, _ := place.Files(ctx)
			for _, path := range files {
				changed <- path
			}
		},
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	<-w.Watching
	return changed
}

func wantChange(t *testing.T, changed <-chan string, path string) {
	t.Helper()
	late := time.After(30 * time.Second)
	for {
		select {
		case got := <-changed:
			if got == path {
				return
			}
		case <-late:
			t.Fatalf("%s was never reported", path)
		}
	}
}

// A file that is written all the time is read all the same.
func TestWatcher_ReportsAFileThatIsNeverQuiet(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "p"), 0o700); err != nil {
		t.Fatal(err)
	}
	changed := watching(t, root, zap.NewNop())
	file, err := os.Create(filepath.Join(root, "p", "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for begun := time.Now(); time.Since(begun) < 30*time.Second; {
		if _, err := file.WriteString("{}\n"); err != nil {
			t.Fatal(err)
		}
		select {
		case <-changed:
			return
		default:
		}
	}
	t.Error("nothing is reported while it is written")
}

func TestWatcher_WatchesAFolderThatIsALink(t *testing.T) {
	root := linkedRoot(t)
	changed := watching(t, root, zap.NewNop())
	path := filepath.Join(root, "p", "s.jsonl")
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantChange(t, changed, path)
}

// A folder that is deleted or moved away is told in the log, and is watched again
// once it is back.
func TestWatcher_ToldOfAFolderThatIsGone(t *testing.T) {
	for name, leave := range map[string]func(root string) error{
		"deleted": os.RemoveAll, "moved": func(root string) error { return os.Rename(root, root+"-away") },
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "projects")
			if err := os.MkdirAll(filepath.Join(root, "p"), 0o700); err != nil {
				t.Fatal(err)
			}
			core, logged := observer.New(zap.WarnLevel)
			changed := watching(t, root, zap.New(core))
			if err := leave(root); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(30 * time.Second); logged.Len() == 0 && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
			if logged.Len() == 0 || !strings.Contains(logged.All()[0].Message, "gone") {
				t.Fatalf("logged %v", logged.All())
			}
			path := filepath.Join(root, "p", "s.jsonl")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{}\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
			wantChange(t, changed, path)
		})
	}
}
