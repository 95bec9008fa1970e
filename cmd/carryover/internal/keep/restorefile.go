package keep

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewRestoreFileCommand makes `carryover restore-file`.
func NewRestoreFileCommand(a *cli.App) *cobra.Command {
	var at string
	var write bool
	cmd := &cobra.Command{
		Use:   "restore-file PATH",
		Short: "Recover a file from the edits of agents",
		Long: "Print the difference between the file and what agents left in it, now or at a time. The file\n" +
			"changes only with --write.",
		Example: "  carryover restore-file parser.go\n" +
			"  carryover restore-file parser.go --at 2026-03-02T10:30 --write",
		Args: cli.Takes(1, 1, "PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			moment, err := momentOf(at)
			if err != nil {
				return cli.Usage(cmd, "%w", err)
			}
			now, err := regularfile.Read(args[0], maxRestored)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("restore-file: %w", err)
			}
			if err := writable(args[0]); write && err != nil {
				return err
			}
			services, err := daemon.OpenReadOnly(a.Home, a.Warn)
			if err != nil {
				return err
			}
			defer func() { _ = services.Store.Close() }()
			file, err := services.FileAt(cmd.Context(), view.BlameRequest{Path: args[0], Directory: "."}, moment, string(now))
			if err != nil {
				return err
			}
			return showRestored(a, file, args[0], now, write)
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "as it was at `TIME` (2026-03-02T10:30)")
	cmd.Flags().BoolVar(&write, "write", false, "write the file")
	return cmd
}

// maxRestored is how much is read of a file, in bytes.
const maxRestored = 64 << 20

// writable refuses what is no file of the project: through a link a file elsewhere
// would be replaced.
func writable(name string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("restore-file: %w", err)
	case !info.Mode().IsRegular():
		return cli.Hinted(fmt.Errorf("restore-file: %s is a link", name), "name the file that it leads to")
	}
	return nil
}

// momentOf reads a time, of this machine's zone where it names none.
func momentOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if moment, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return moment, nil
		}
	}
	return time.Time{}, fmt.Errorf("--at %s: a time is written 2026-03-02T10:30", text)
}

func showRestored(a *cli.App, file view.FileAt, name string, now []byte, write bool) error {
	if a.JSON && !write {
		return a.Object(file)
	}
	if file.Commands > 0 {
		a.Note("carryover: warning: %s changed the file, and what they changed is not known: see `carryover blame`", cli.Count(file.Commands, "shell command"))
	}
	if !a.JSON {
		changes := diff.Diff(name, now, name+" (as agents left it)", []byte(file.Text))
		switch {
		case len(changes) == 0 && (file.Skipped > 0 || file.Text == ""):
			a.Print("nothing of %s can be restored: the ledger holds no text of it", name)
			return nil
		case len(changes) == 0:
			a.Print("%s is as agents left it", name)
			return nil
		}
		a.Print("%s", strings.TrimRight(string(changes), "\n"))
	}
	a.Note("from %s of %s", cli.Count(file.Edits, "edit"), cli.Count(len(file.Sessions), "session"))
	if file.Skipped > 0 {
		a.Note("carryover: warning: %s could not be placed: something else changed the file too", cli.Count(file.Skipped, "edit"))
	}
	if strings.Contains(file.Text, "[redacted:") {
		a.Note("carryover: warning: a secret was redacted in the text; put it back by hand")
	}
	if !write {
		a.Note("nothing was written; --write does")
		return nil
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	err := replaceFile(name, mode, func(to io.Writer) error {
		_, err := io.WriteString(to, file.Text)
		return err
	})
	if err != nil {
		return fmt.Errorf("restore-file: %w", err)
	}
	if a.JSON {
		return a.Object(file)
	}
	a.Note("wrote %s", name)
	return nil
}
