package keep

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/home"
)

// replaceFile makes a file, or puts another one in its place in one step: where writing
// fails, as on a full disk, it stays as it was. A device or a FIFO is written to.
func replaceFile(name string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return writeTo(name, write)
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".carryover-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	err = errors.Join(write(file), file.Chmod(mode), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

// writeTo writes to what a link leads to, or to what is no file.
func writeTo(name string, write func(io.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// notOurs refuses a file of Carryover's own as the place of a result.
func notOurs(dir home.Dir, name string) error {
	asked, err := os.Stat(name)
	if err != nil {
		return nil // it is not there yet
	}
	for _, own := range []string{dir.Ledger(), dir.Ledger() + "-wal"} {
		if info, err := os.Stat(own); err == nil && os.SameFile(asked, info) {
			return cli.Hinted(fmt.Errorf("%s is the ledger", name), "name another file")
		}
	}
	return nil
}
