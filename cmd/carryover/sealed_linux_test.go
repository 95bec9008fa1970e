package main_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// sealed marks the test program that runs in a network of its own.
const sealed = "CARRYOVER_SEALED_TEST"

// In a network namespace with nothing but the loopback all works, and nothing as much
// as tries to reach another address: the kernel counts what it finds no route for.
func TestNetwork_NothingLeavesTheMachine(t *testing.T) {
	if os.Getenv(sealed) != "" {
		insideSealed(t)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^TestNetwork_NothingLeavesTheMachine$", "-test.v")
	cmd.Env = append(os.Environ(), sealed+"="+programs)
	root := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	group := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET, UidMappings: root, GidMappings: group}
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Skipf("SKIPPED: no network namespace can be made here (%v): that nothing leaves the machine was not tried", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

// insideSealed is the test in its own network.
func insideSealed(t *testing.T) {
	programs = os.Getenv(sealed)
	raiseLoopback(t)
	if all, err := net.Interfaces(); err != nil || len(all) != 1 {
		t.Fatalf("%v, %v: the network is not sealed", all, err)
	}
	user := newUser(t)
	const id = "c1a0de00-0000-4000-8000-000000000001"
	project := filepath.Join(user.dir, "proj")
	writeSession(func(args ...any) { t.Fatal(args...) }, user.dir, "claude-code", id, project)
	claude := "#!/bin/sh\necho '2.1.329 (Claude Code)'\n"
	if err := os.WriteFile(filepath.Join(user.bin, "claude"), []byte(claude), 0o755); err != nil {
		t.Fatal(err)
	}
	user.must("install", "--yes", "--no-service")
	user.must("daemon", "restart")
	user.must("import")
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreCompact", "PostToolUse", "Stop", "SessionEnd"} {
		hook := exec.Command(filepath.Join(programs, "carryover-hook"), "claude-code", event)
		hook.Env, hook.Dir = user.env(), project
		hook.Stdin = strings.NewReader(`{"session_id":"` + id + `","cwd":"` + project + `","hook_event_name":"` + event + `"}`)
		if out, err := hook.CombinedOutput(); err != nil {
			t.Errorf("hook %s: %v\n%s", event, err, out)
		}
	}
	for _, command := range strings.Split(everyCommand, "\n") {
		if !strings.Contains(command, hostile) {
			_, _ = user.command(strings.Split(command, " ")...).CombinedOutput() // some have nothing to show
		}
	}
	for _, command := range []string{"status", "search parser", "show c1a0", "handoff", "history", "stats", "projects", "ledger show c1a0", "export", "secrets", "doctor"} {
		asked := user.command(strings.Split(command, " ")...)
		asked.Dir = project
		out, err := asked.CombinedOutput()
		if err != nil && command != "doctor" && command != "handoff" { // which say so when something is missing
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	user.must("uninstall")
	user.must("daemon", "stop")
	if n := unrouted(t); n != "0 0" {
		t.Errorf("something tried to leave the machine: %s", n)
	}
	if _, err := net.Dial("tcp", "192.0.2.1:9"); err == nil || unrouted(t) == "0 0" {
		t.Error("an attempt is not counted: the test proves nothing")
	}
}

// raiseLoopback turns the loopback of a new namespace on.
func raiseLoopback(t *testing.T) {
	t.Helper()
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(socket) }()
	request, err := unix.NewIfreq("lo")
	if err != nil {
		t.Fatal(err)
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request); err != nil {
		t.Fatal(err)
	}
}

// unrouted is how often no route was found, over IPv4 and IPv6.
func unrouted(t *testing.T) string {
	t.Helper()
	four, err := os.ReadFile("/proc/net/snmp")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^Ip: .*$`).FindAllString(string(four), 2)
	count := ""
	for i, name := range strings.Fields(lines[0]) {
		if name == "OutNoRoutes" {
			count = strings.Fields(lines[1])[i]
		}
	}
	six, _ := os.ReadFile("/proc/net/snmp6")
	if found := regexp.MustCompile(`Ip6OutNoRoutes\s+(\d+)`).FindStringSubmatch(string(six)); found != nil {
		return count + " " + found[1]
	}
	return count + " 0"
}
