package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/ledgertest"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// appendTo names, in the environment of a child process, the ledger it is to
// append to until it is killed.
const appendTo = "LEDGER_TEST_APPEND_TO"

func TestMain(m *testing.M) {
	if path := os.Getenv(appendTo); path != "" {
		if err := appendAll(path, func() { fmt.Println("appended") }); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// appendAll reads the history from where the ledger says it was left, seven
// events at a time.
func appendAll(path string, appended func()) error {
	ctx := context.Background()
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer log.Close()
	for _, batch := range ledgertest.History(700) {
		source, _, err := log.Source(ctx, batch.Source.Tool, batch.Source.Path)
		if err != nil {
			return err
		}
		if read := int(source.Position.Line); read > 0 {
			_, batch = ledgertest.Split(batch, read)
		}
		for len(batch.Events) > 0 {
			var head ledger.Batch
			head, batch = ledgertest.Split(batch, min(7, len(batch.Events)))
			if _, err := log.Append(ctx, head); err != nil {
				return err
			}
			appended()
		}
	}
	return nil
}

// A process that is killed in the middle of appending loses nothing it said
// was stored, stores nothing twice, and leaves a ledger that can be read.
func TestKilledWriter(t *testing.T) {
	undisturbed := filepath.Join(t.TempDir(), "ledger.sqlite")
	if err := appendAll(undisturbed, func() {}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	for _, batches := range []int{1, 40, 90} {
		appendAndKill(t, path, batches)
		reader, err := sqlite.OpenReadOnly(path)
		if err != nil {
			t.Fatal(err)
		}
		digest, err := reader.Digest(context.Background())
		if err != nil || digest.Events < 7 {
			t.Errorf("after a kill: %+v, %v", digest, err)
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := appendAll(path, func() {}); err != nil {
		t.Fatal(err)
	}
	if got, want := digestOf(t, path), digestOf(t, undisturbed); got != want {
		t.Errorf("digest is %+v, undisturbed %+v", got, want)
	}
}

// appendAndKill kills a child while it goes on after so many batches.
func appendAndKill(t *testing.T, path string, batches int) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), appendTo+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range batches {
		if !lines.Scan() {
			t.Fatal("the child ended by itself")
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed, and says so
}

func digestOf(t *testing.T, path string) ledger.Digest {
	t.Helper()
	digest, err := open(t, path).Digest(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return digest
}
