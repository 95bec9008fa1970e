package look

import (
	"io"
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
		Long: "The dashboard shows projects, sessions and handoffs. The command prints a link and the code\n" +
			"that its page asks for. They let one browser in, once, within five minutes.",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			link, err := client.New(a.Home).Dashboard(cmd.Context())
			if err != nil {
				return err
			}
			return openPage(a, link, stay)
		},
	}
	cmd.Flags().BoolVar(&stay, "print", false, "print the link and its code without opening a browser")
	cmd.Flags().BoolVar(&stay, "no-browser", false, "the same as --print")
	return cmd
}

// dashboardReport is the JSON of dashboard.
type dashboardReport struct {
	view.LoginLink
	Opened bool `json:"opened"` // a browser was asked to open it
}

// openPage prints the link and its code before anything is opened: a browser that
// does not come is no failure. The link stands in the arguments of the browser,
// which every user of the machine can read; the code does not.
func openPage(a *cli.App, link view.LoginLink, stay bool) error {
	if !a.JSON {
		a.Print("%s", link.URL)
		a.Print("Code: %s", link.Code)
	}
	opened := !stay && openBrowser(link.URL)
	if a.JSON {
		return a.Object(dashboardReport{LoginLink: link, Opened: opened})
	}
	if !opened && !stay {
		a.Note("no browser could be opened; open the link yourself")
	}
	return nil
}

// openBrowser says whether a browser was asked to open a link. The program that
// is started for it may be the browser itself, which ends when it is closed:
// after a while it counts as opened.
func openBrowser(link string) bool {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	ended := make(chan error, 1)
	go func() { ended <- browser.OpenURL(link) }()
	select {
	case err := <-ended:
		return err == nil
	case <-time.After(2 * time.Second):
		return true
	}
}
