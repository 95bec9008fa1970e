package doctor

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/version"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// answerRoom bounds what is read of a foreign program's answer, in bytes.
const answerRoom = 4 << 10

// programsCheck looks for several installs on the PATH: which one runs then
// depends on the shell. Links to one file are one install.
func programsCheck(searched string) []Check {
	var found []string
	var infos []os.FileInfo
	for _, folder := range filepath.SplitList(searched) {
		path := filepath.Join(folder, "carryover")
		info, err := os.Stat(path)
		if !filepath.IsAbs(folder) || err != nil || info.IsDir() || info.Mode().Perm()&0o111 == 0 {
			continue
		}
		if slices.ContainsFunc(infos, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			continue
		}
		found, infos = append(found, path), append(infos, info)
	}
	if len(found) < 2 {
		return nil
	}
	return []Check{{
		"programs", Warning, "several installs on the PATH: " + strings.Join(found, ", ") + "; the first one runs",
		"remove all but one, or run `rm " + strings.Join(found[1:], " ") + "`",
	}}
}

// skewCheck tells of sessions dated in the future: a clock was, or is, wrong.
func skewCheck(status view.LedgerStatus) []Check {
	if status.Future == 0 {
		return nil
	}
	return []Check{{
		"clock", Warning, fmt.Sprintf("%s dated in the future; the clock here says %s", counted(status.Future, "session"), time.Now().Format("2006-01-02 15:04 MST")),
		"set the clock, here or where the session ran",
	}}
}

// foreignCheck names the program that has our port, by what it answers, while no
// daemon of ours runs on it.
func foreignCheck(ctx context.Context, p checkContext) []Check {
	choices, _ := config.Load(p.home)
	host, port, err := net.SplitHostPort(choices.Listen)
	if err != nil || port == "0" {
		return nil
	}
	name, taken := programAt(ctx, net.JoinHostPort(host, port))
	if !taken {
		return nil
	}
	return []Check{{
		"port", Warning, fmt.Sprintf("%s has the port %s; the daemon will have no dashboard", name, choices.Listen),
		"end that program, or run `carryover config listen 127.0.0.1:PORT` with a free port, then `carryover daemon restart`",
	}}
}

// programAt says what a program at an address calls itself. taken is false when
// nobody listens there.
func programAt(ctx context.Context, address string) (name string, taken bool) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return "", false
	}
	_ = connection.Close()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/", nil)
	if err != nil {
		return "another program", true
	}
	response, err := asking.Do(request)
	if err != nil {
		return "a program that does not speak HTTP", true
	}
	defer func() { _ = response.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(response.Body, answerRoom))
	if server := response.Header.Get("Server"); server != "" {
		return "a program that calls itself " + server, true
	}
	if title := titleOf(string(body)); title != "" {
		return "a program with the page “" + title + "”", true
	}
	return "another program", true
}

// titleOf is the title of a page, "" without one.
func titleOf(page string) string {
	_, rest, found := strings.Cut(page, "<title>")
	title, _, closed := strings.Cut(rest, "</title>")
	if !found || !closed {
		return ""
	}
	return strings.Join(strings.Fields(title), " ")
}

// olderDaemon is the check of a daemon that is another version than this program.
func olderDaemon(running string) []Check {
	if running == version.Version {
		return nil
	}
	return []Check{{"daemon-version", Warning, fmt.Sprintf("the daemon is %s, this is %s", running, version.Version), "run `carryover daemon restart`"}}
}
