package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/damage"
	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/daemon/query"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// daemonChecks ask the daemon at both its doors.
func daemonChecks(ctx context.Context, p checkContext) []Check {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	const start = "run `carryover daemon start`"
	health, err := client.New(p.home).Health(ctx)
	if err != nil {
		check := Check{"daemon", Warning, "not running; hooks use the last saved handoff and queue events", start}
		return append(append([]Check{check}, foreignCheck(ctx, p)...), spoolCheck(p)...)
	}
	checks := []Check{ok("daemon", "running, pid %d, up %s", health.PID, display.Duration(time.Duration(health.Uptime)*time.Second))}
	checks = append(checks, olderDaemon(health.Version)...)
	running, err := p.home.ReadRunning()
	if err != nil {
		return append(checks, Check{"port", Error, err.Error(), "run `carryover daemon restart`"})
	}
	if running.Listen != "" {
		checks = append(checks, portCheck(ctx, p, running.Listen))
	} else {
		checks = append(checks, foreignCheck(ctx, p)...)
	}
	checks = append(checks, statusChecks(ctx, p)...)
	return append(checks, spoolCheck(p)...)
}

// statusChecks say what the daemon does without, and which hooks came that no spec
// knows: a tool has changed, or another program posts to the daemon.
func statusChecks(ctx context.Context, p checkContext) (checks []Check) {
	status, err := client.New(p.home).Status(ctx)
	if err != nil {
		return nil
	}
	for _, reason := range status.Degraded {
		checks = append(checks, Check{"degraded", Warning, reason, degradedFix(reason)})
	}
	if len(status.UnknownHooks) > 0 {
		checks = append(checks, Check{"hooks-unknown", Info, "unknown hooks: " + listed(status.UnknownHooks), "upgrade carryover to a newer tool table"})
	}
	return checks
}

// degradedFix is what gives the daemon back what it does without.
func degradedFix(reason string) string {
	switch {
	case strings.Contains(reason, "watched"):
		return "raise fs.inotify.max_user_watches and fs.inotify.max_user_instances (sysctl), then run `carryover daemon restart`"
	case strings.Contains(reason, "API"):
		return "end the program that has the port, or choose another one with `carryover config listen 127.0.0.1:PORT`, then run `carryover daemon restart`"
	}
	return "free space on the disk, then run `carryover daemon restart`"
}

// portCheck asks for the status with and without the token.
func portCheck(ctx context.Context, p checkContext, listen string) Check {
	token, err := regularfile.ReadOwn(p.home.Token())
	if err != nil {
		return Check{"port", Error, err.Error(), "run `carryover daemon restart`"}
	}
	with, err := statusOf(ctx, listen, strings.TrimSpace(string(token)))
	if err != nil {
		return Check{"port", Error, fmt.Sprintf("%s does not answer: %s", listen, err), "run `carryover daemon restart`"}
	}
	without, err := statusOf(ctx, listen, "")
	if err != nil || with != http.StatusOK || without != http.StatusUnauthorized {
		return Check{"port", Error, fmt.Sprintf("%s answers %d with the token and %d without", listen, with, without), "run `carryover daemon restart`"}
	}
	return ok("port", "%s answers and refuses requests without the token", listen)
}

// asking keeps no connection: the daemon asks too, for its page of checks, and lives on.
var asking = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

func statusOf(ctx context.Context, listen, token string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+listen+"/api/v1/status", nil)
	if err != nil {
		return 0, err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := asking.Do(request)
	if err != nil {
		return 0, err
	}
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode, response.Body.Close()
}

func spoolCheck(p checkContext) []Check {
	spooled, err := capture.ReadSpool(p.home)
	switch {
	case err != nil:
		return []Check{{"spool", Warning, err.Error(), ""}}
	case spooled.Lost > 0:
		return []Check{{"spool", Warning, fmt.Sprintf("%s waiting, %d lost: the queue was full", counted(len(spooled.Envelopes), "hook"), spooled.Lost), "run `carryover daemon start` to read everything from the transcripts"}}
	case len(spooled.Envelopes) > 0:
		return []Check{{"spool", Info, fmt.Sprintf("waiting for the daemon: %s", counted(len(spooled.Envelopes), "hook")), ""}}
	}
	return nil
}

// parkedFix is what lets a transcript be read again that could not be.
func parkedFix(parked view.SourceError) string {
	if file, err := os.Open(parked.Path); err != nil {
		return "run `chmod u+r " + parked.Path + "`, then `carryover import`"
	} else if err := file.Close(); err != nil {
		return ""
	}
	return "run `carryover import`; if that does not help, report it: `carryover doctor --bundle FILE`"
}

// ledgerChecks open the ledger and look for sources that are not read.
func ledgerChecks(ctx context.Context, p checkContext) []Check {
	if _, err := os.Stat(p.home.Ledger()); err != nil {
		return []Check{{"ledger", Info, "empty", "run `carryover import` to read existing transcripts"}}
	}
	store, err := sqlite.OpenReadOnly(p.home.Ledger())
	if err != nil {
		return []Check{{"ledger", Error, err.Error(), "run `carryover daemon restart`"}}
	}
	defer func() { _ = store.Close() }()
	status, err := query.New(query.Options{
		Home: p.home, Table: p.table, Store: store, Sessions: session.New(store), Windows: contextusage.Open(p.home), Now: time.Now,
	}).Status(ctx)
	if err != nil {
		return []Check{{"ledger", Error, err.Error(), "run `carryover daemon restart`"}}
	}
	if err := store.Check(ctx); errors.Is(err, ledger.ErrCorrupt) {
		return []Check{{"ledger", Error, err.Error(), "run `carryover repair`"}}
	}
	checks := []Check{ok("ledger", "%s in %s", counted(status.Ledger.Events, "event"), counted(status.Ledger.Sessions, "session"))}
	checks = append(checks, damageChecks(p)...)
	checks = append(checks, skewCheck(status.Ledger)...)
	checks = append(checks, projectChecks(ctx, p, store)...)
	for _, tool := range status.Tools {
		checks = append(checks, coverageCheck(tool))
		for _, parked := range tool.Parked {
			checks = append(checks, Check{tool.Tool + "-parked", Warning, parked.Path + ": " + parked.Message, parkedFix(parked)})
		}
	}
	checks = append(checks, keptChecks(ctx, p, store)...)
	checks = append(checks, folderChecks(status.Tools)...)
	checks = append(checks, restoreChecks(ctx, p, store)...)
	return append(checks, hookStatsChecks(ctx, p, store)...)
}

// folderChecks tell of folders of transcripts that are gone.
func folderChecks(tools []view.ToolStatus) (checks []Check) {
	for _, tool := range tools {
		for _, folder := range tool.Missing {
			checks = append(checks, Check{tool.Tool + "-folder", Warning, folder.String(), "put the folder back, or a symbolic link to where it is now"})
		}
	}
	return checks
}

// damageChecks tell of a damage that was mended: nothing is wrong with the new
// ledger, but something may be missing.
func damageChecks(p checkContext) []Check {
	record, found := damage.Read(p.home)
	if !found {
		return nil
	}
	result := Warning
	if record.IsComplete() {
		result = Info
	}
	return []Check{{"ledger-damage", result, "the ledger was " + record.String(), "delete the file when you miss nothing"}}
}

func coverageCheck(tool view.ToolStatus) Check {
	name := tool.Tool + "-coverage"
	if tool.Records == 0 {
		return Check{name, Skipped, "no transcripts read yet", ""}
	}
	lost := tool.Unknown + tool.Broken
	if lost == 0 && len(tool.Members) == 0 {
		return ok(name, "all of %s known", counted(tool.Records, "record"))
	}
	if lost == 0 {
		return Check{name, Info, fmt.Sprintf("all of %s known; %s in them that no known version had (`carryover toolspecs check` lists them)", counted(tool.Records, "record"), counted(len(tool.Members), "member")), ""}
	}
	share := 100 * (1 - float64(lost)/float64(tool.Records))
	message := fmt.Sprintf("%.2f %% of %s known", share, counted(tool.Records, "record"))
	if tool.Unknown > 0 {
		message += "; unknown: " + listed(tool.Types)
	}
	if tool.Broken > 0 {
		message += fmt.Sprintf("; incomplete JSON or too long: %d", tool.Broken)
	}
	result := Info
	if share < 99 {
		result = Warning
	}
	return Check{name, result, message, "upgrade carryover to a newer tool table"}
}
