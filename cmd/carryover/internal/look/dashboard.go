package look

import (
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"time"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewDashboardCommand makes `carryover dashboard`.
func NewDashboardCommand(a *cli.App) *cobra.Command {
	var stay bool
	cmd := &cobra.Command{
		Use:     "dashboard",
		Short:   "Open the local dashboard in a browser",
		Example: "  carryover dashboard",
		Long: "The dashboard shows projects, sessions and handoffs. The command prints a link that logs one\n" +
			"browser in, once, within a minute.",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			link, err := client.New(a.Home).Dashboard(cmd.Context())
			if err != nil {
				return err
			}
			return openPage(a, link, stay)
		},
	}
	cmd.Flags().BoolVar(&stay, "print", false, "print the link without opening a browser")
	cmd.Flags().BoolVar(&stay, "no-browser", false, "the same as --print")
	return cmd
}

// dashboardReport is the JSON of dashboard.
type dashboardReport struct {
	view.LoginLink
	Opened bool `json:"opened"` // a browser was asked to open it
}

// openPage prints the link before anything is opened: a browser that does not
// come is no failure.
func openPage(a *cli.App, link view.LoginLink, stay bool) error {
	if !a.JSON {
		a.Print("%s", link.URL)
	}
	opened := !stay && openLink(a, link.URL)
	if a.JSON {
		return a.Object(dashboardReport{LoginLink: link, Opened: opened})
	}
	if !opened && !stay {
		a.Note("no browser could be opened; the link works once, for a minute")
	}
	return nil
}

// openLink says whether a browser was asked to open a link. The link lets its
// bearer in, and every user of the machine can read the arguments of a program:
// the browser gets the name of a file that only this user can read.
func openLink(a *cli.App, link string) bool {
	page, err := redirect(a, link)
	if err != nil {
		return false
	}
	defer func() { _ = os.Remove(page) }()
	if !openBrowser(page) {
		return false
	}
	time.Sleep(readTime)
	return true
}

// readTime is how long a browser has to read the file, from when it was asked to.
const readTime = 5 * time.Second

// redirect writes a page that leads to a link, and returns its path.
func redirect(a *cli.App, link string) (string, error) {
	if err := a.Home.Make("run"); err != nil {
		return "", err
	}
	file, err := os.CreateTemp(a.Home.Path("run"), "dashboard-*.html") // made with mode 0600
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(file, "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><meta http-equiv=refresh content=\"0;url=%s\">\n",
		html.EscapeString(link))
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// openBrowser says whether a browser was asked to open a file. The program that
// is started for it may be the browser itself, which ends when it is closed:
// after a while it counts as opened.
func openBrowser(page string) bool {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	ended := make(chan error, 1)
	go func() { ended <- browser.OpenFile(page) }()
	select {
	case err := <-ended:
		return err == nil
	case <-time.After(2 * time.Second):
		return true
	}
}
