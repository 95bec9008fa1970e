package main_test

import (
	"bufio"
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the user that owns nothing.
const nobody = 65534

// A user who reads the arguments of every process finds the dashboard's link while
// a browser is started with it, and does not come in: the code is nowhere.
func TestDashboard_KeepsOutWhoReadsTheProcessList(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: not root, so no second user can be tried against the dashboard's login")
	}
	user := newUser(t)
	pipe := filepath.Join(user.dir, "pipe")
	browser := "#!/bin/sh\nread seen <" + pipe + "\n" // is there until it was seen
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(filepath.Join(user.bin, "xdg-open"), []byte(browser), 0o755)); err != nil {
		t.Fatal(err)
	}
	user.must("daemon", "start")
	t.Cleanup(func() { user.must("daemon", "stop") })

	found, all := watchProcesses(t)
	printed := make(chan string, 1)
	go func() { printed <- user.must("dashboard") }()
	link := <-found
	if err := os.WriteFile(pipe, []byte("seen\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address, code, _ := strings.Cut(strings.TrimSpace(<-printed), "\nCode: ")
	if link != address || len(code) != 6 {
		t.Fatalf("the process list shows %q, the terminal %q and %q: the test proves nothing", link, address, code)
	}
	if strings.Contains(all(), code) {
		t.Error("the code stands in the arguments of a process")
	}
	if entersWith(t, link, code[1:]+code[:1]+"x") || entersWith(t, link, "") {
		t.Error("the link alone lets in")
	}
	if !entersWith(t, link, code) {
		t.Error("the user does not come in with the code")
	}
	if entersWith(t, link, code) {
		t.Error("a second browser comes in")
	}
}

// watchProcesses reads the arguments of all processes as another user, over and
// over. The first link to a login is sent; all is what was read, after it ended.
func watchProcesses(t *testing.T) (found <-chan string, all func() string) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", `while :; do cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\0" "\n"; done`)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	links, read := make(chan string, 1), make(chan string, 1)
	go func() {
		seen := map[string]bool{}
		for lines := bufio.NewScanner(out); lines.Scan(); {
			line := lines.Text()
			if !seen[line] && strings.HasPrefix(line, "http://") && strings.Contains(line, "/login/") {
				links <- line
			}
			seen[line] = true
		}
		var text strings.Builder
		for line := range seen {
			text.WriteString(line + "\n")
		}
		read <- text.String()
	}()
	end := func() string {
		_ = cmd.Process.Kill()
		text := <-read
		_ = cmd.Wait()
		return text
	}
	return links, end
}

// entersWith says whether a browser that knows nothing comes in with a code.
func entersWith(t *testing.T, link, code string) bool {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := http.Client{Jar: jar}
	response, err := browser.PostForm(link, url.Values{"code": {code}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode == http.StatusOK && response.Request.URL.Path == "/"
}
