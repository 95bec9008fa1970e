package look

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// searchKinds are what --kind takes: the kinds of events that have words, and
// what named agents leave.
var searchKinds = []string{
	"", "prompt", "reply", "call", "result", "question", "decision", "plan", "todo", "goal", "title", "git", "compaction", "code",
	"ledger", "handoff", "learning",
}

// NewSearchCommand makes `carryover search`.
func NewSearchCommand(a *cli.App) *cobra.Command {
	var request view.SearchRequest
	var pick bool
	cmd := &cobra.Command{
		Use: "search [QUERY…]", Aliases: []string{"find"},
		Short: "Search all sessions",
		Long: "A hit contains all words. \"several words\" is a phrase, and word* matches every word with that prefix.\n" +
			"On a terminal, without QUERY or with --pick, search as you type: filter by tool, project and kind, read\n" +
			"the text around a hit, open its session in the pager, and come back.",
		Example: "  carryover search retry backoff\n" +
			"  carryover search --tool codex --since 14d '\"rate limit\" pars*'\n" +
			"  carryover search --kind decision database",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkSearch(a, cmd, request); err != nil {
				return err
			}
			request.Query = strings.Join(args, " ")
			pick = pick || cmd.CalledAs() == "find" && len(args) > 0
			screen := !a.JSON && term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("TERM") != "dumb"
			if screen && (pick || len(args) == 0) {
				return pickHit(cmd.Context(), a, request)
			}
			if err := cli.Takes(1, cli.Many, "QUERY")(cmd, args); err != nil {
				return err
			}
			found, err := searchLedger(cmd.Context(), a, request)
			if errors.Is(err, view.ErrInvalid) {
				return cli.Usage(cmd, "%w", err)
			}
			if err != nil {
				return err
			}
			if a.JSON {
				if err := a.Object(found); err != nil {
					return err
				}
			} else {
				printHits(a, found)
			}
			if len(found.Hits) == 0 {
				return cli.Ended(cli.ExitNothing)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&request.Limit, "limit", 20, "print at most `N` hits")
	flags.StringVar(&request.Project, "project", "", "search only the project in `DIR`")
	flags.StringVar(&request.Tool, "tool", "", "search only sessions of `TOOL`")
	flags.StringVar(&request.Kind, "kind", "", "search only events of `KIND` ("+strings.Join(searchKinds[1:], ", ")+")")
	flags.StringVar(&request.Since, "since", "", "search only events newer than `AGE` (36h, 14d)")
	flags.StringVar(&request.Until, "until", "", "search only events older than `AGE` (36h, 14d)")
	flags.BoolVar(&pick, "pick", false, "search as you type, starting with QUERY")
	return cmd
}

func checkSearch(a *cli.App, cmd *cobra.Command, request view.SearchRequest) error {
	if err := a.KnownTool("tool", request.Tool); err != nil {
		return err
	}
	if err := cli.OneOf("kind", request.Kind, searchKinds...); err != nil {
		return err
	}
	if request.Limit < 1 {
		return cli.Usage(cmd, "invalid --limit %d", request.Limit)
	}
	return nil
}

// searchLedger finds nothing where nothing was captured yet.
func searchLedger(ctx context.Context, a *cli.App, request view.SearchRequest) (view.SearchResult, error) {
	service, done, err := a.Reader()
	if errors.Is(err, view.ErrNoLedger) {
		a.Note("carryover: hint: the ledger is empty; run `carryover import` to read existing transcripts")
		return view.SearchResult{Schema: cli.Schema, Hits: []view.SearchHit{}}, nil
	}
	if err != nil {
		return view.SearchResult{}, err
	}
	defer done()
	return service.Search(ctx, request)
}

func printHits(a *cli.App, found view.SearchResult) {
	if len(found.Hits) == 0 {
		a.Note("nothing found")
		if found.Suggestion != "" {
			a.Note("carryover: hint: did you mean `carryover search %s`?", quoted(found.Suggestion))
		}
		return
	}
	printGroups(a, groupHits(found.Hits))
	if found.Total > len(found.Hits) {
		a.Note("%d of %d; more with --limit", len(found.Hits), found.Total)
	}
}

// quoted is a query as it is typed in a shell.
func quoted(query string) string {
	if strings.ContainsAny(query, `"*`) {
		return "'" + query + "'"
	}
	return query
}

// head says in one line what a hit is and where `carryover show` finds it.
func head(hit view.SearchHit) string {
	if hit.Agent != "" {
		return fmt.Sprintf("%-16s  %-11s  %-10s  %s", cli.Minute(hit.Time), hit.Agent, hit.Kind, hit.Handoff)
	}
	return fmt.Sprintf("%-16s  %-11s  %-10s  %s:%d", cli.Minute(hit.Time), hit.Tool, hit.Kind, render.ShortID(hit.Session), hit.Source.Line)
}
