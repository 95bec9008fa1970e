package installation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/doctor"
	"github.com/carryover-go/carryover/modules/daemon/version"
	"github.com/carryover-go/carryover/modules/ledger/redact"
)

// NewDoctorCommand makes `carryover doctor`.
func NewDoctorCommand(a *cli.App) *cobra.Command {
	var all bool
	var bundle string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and suggest fixes",
		Long: "Errors come first, then warnings. --bundle writes the report, without the name of your home and of\n" +
			"your projects, for a bug report.",
		Example: "  carryover doctor\n" +
			"  carryover doctor --bundle report.txt",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report := doctor.Run(cmd.Context(), a.Home, a.Table())
			if bundle != "" {
				if err := writeBundle(bundle, report); err != nil {
					return err
				}
				a.Note("carryover: wrote %s; read it before you send it", bundle)
			}
			if a.JSON {
				if err := a.Object(report); err != nil {
					return err
				}
			} else {
				printReport(a, report, all)
			}
			if report.Failed() {
				return cli.Ended(cli.ExitFailed)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "print skipped checks too")
	cmd.Flags().StringVar(&bundle, "bundle", "", "also write a report for a bug form to `FILE`")
	return cmd
}

// printReport prints the summary and the checks, the gravest first.
func printReport(a *cli.App, report doctor.Report, all bool) {
	a.Print("%s", report.Summary())
	for _, check := range report.Ordered() {
		if check.Result == doctor.Skipped && !all {
			continue
		}
		a.Print("%-8s %-24s %s", check.Result, check.Name, cli.HomePaths(check.Message))
		if check.Fix != "" {
			a.Print("%-8s %-24s → %s", "", "", check.Fix)
		}
	}
	if skipped := report.Skipped(); len(skipped) > 0 && !all {
		a.Print("%-8s %s; list them with --all", doctor.Skipped, cli.Count(len(skipped), "check"))
	}
}

// writeBundle writes a report for a bug form. Paths lose the home, and what lies
// below it loses its names: those of projects are nobody's business.
func writeBundle(path string, report doctor.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "carryover %s, %s/%s\n%s\n", version.Version, runtime.GOOS, runtime.GOARCH, report.Summary())
	for _, check := range report.Ordered() {
		fmt.Fprintf(&b, "%-8s %-24s %s\n", check.Result, check.Name, redacted(check.Message))
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return cli.Hinted(err, "name a file that does not exist yet")
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(b.String())
	return errors.Join(err, file.Close())
}

// absolute is a path as it stands in a message.
var absolute = regexp.MustCompile(`(?:[A-Za-z]:\\|/)[^\s:;,“”]*[/\\][^\s:;,“”]*`)

// redacted is a message with secrets hidden and of each path only the last part.
func redacted(message string) string {
	return absolute.ReplaceAllStringFunc(redact.Text(message), func(path string) string { return "…/" + filepath.Base(path) })
}
