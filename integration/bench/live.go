package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/integration/bench/history"
)

// live is a running daemon over transcripts in the places of their agents.
type live struct {
	program

	bin     string
	user    string
	socket  string
	daemon  *exec.Cmd
	client  *http.Client
	written history.Written
}

// startLive writes transcripts, imports them and starts a daemon.
func (b *bench) startLive(name string, size int64, files int) (*live, error) {
	home := filepath.Join(b.dir, name)
	l := &live{program: program{b.carryover, home}, bin: filepath.Dir(b.carryover), user: filepath.Join(home, "user"), socket: filepath.Join(home, "run", "s")}
	var err error
	if l.written, err = history.Write(l.user, history.Options{Bytes: size, Files: files, Seed: seed, Dir: filepath.Join(l.user, "dev")}); err != nil {
		return nil, err
	}
	for _, tool := range []string{"claude", "codex"} {
		if err := os.Rename(filepath.Join(l.user, tool), filepath.Join(l.user, "."+tool)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	if err := os.MkdirAll(l.project(), 0o755); err != nil {
		return nil, err
	}
	if _, _, err := l.do("import"); err != nil {
		return nil, err
	}
	l.client = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", l.socket)
	}}}
	return l, l.start()
}

func (l *live) project() string { return filepath.Join(l.user, "dev", "project0") }

// start starts the daemon and waits until it answers.
func (l *live) start() error {
	l.daemon = exec.Command(filepath.Join(l.bin, "carryoverd"), "--home", l.home)
	l.daemon.Env = append(os.Environ(), "HOME="+l.user, "CARRYOVER_LISTEN=127.0.0.1:0")
	if err := l.daemon.Start(); err != nil {
		return err
	}
	program := filepath.Join(l.home, "bin", "carryover-hook")
	if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(l.bin, "carryover-hook"), program); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if _, err := l.get("/health"); err == nil {
			return nil
		}
	}
	return errors.New("the daemon does not answer")
}

func (l *live) stop() error {
	if err := l.daemon.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	return l.daemon.Wait()
}

func (l *live) get(path string) ([]byte, error) {
	answer, err := l.client.Get("http://localhost" + path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s", path, answer.Status)
	}
	return body, err
}

// firstSession is the id that the generator gives its first session, of Claude Code.
const firstSession = "00000000-0000-4000-8000-000000000000"

// transcript is the file of the first session.
func (l *live) transcript() string {
	list, _ := filepath.Glob(filepath.Join(l.user, ".claude", "projects", "*", firstSession+".jsonl")) // the pattern is sound
	return strings.Join(list, "")
}

// prompt adds a request to the first session.
func (l *live) prompt(n int, text string) error {
	file, err := os.OpenFile(l.transcript(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, `{"type":"user","uuid":"bench-%d-%s","sessionId":%q,"timestamp":%q,"cwd":%q,"version":"2.1.329","message":{"role":"user","content":%q}}`+"\n",
		n, text[:4], firstSession, time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), l.project(), text)
	return errors.Join(err, file.Close())
}

// hook runs the hook client, or the floor of it, and returns the milliseconds of
// the whole process.
func (l *live) hook(session, event string) (float64, error) {
	payload, err := json.Marshal(map[string]string{
		"session_id": session, "transcript_path": l.transcript(), "cwd": l.project(), "hook_event_name": event,
		"source": "startup", "prompt": "go on", "tool_name": "Bash", "trigger": "auto",
	})
	if err != nil {
		return 0, err
	}
	return l.timed(exec.Command(filepath.Join(l.home, "bin", "carryover-hook"), "claude-code", event), payload)
}

func (l *live) timed(cmd *exec.Cmd, input []byte) (float64, error) {
	cmd.Dir, cmd.Env = l.project(), append(os.Environ(), "HOME="+l.user)
	cmd.Stdin = strings.NewReader(string(input))
	begin := time.Now()
	err := cmd.Run()
	return since(begin), err
}

func since(begin time.Time) float64 { return float64(time.Since(begin).Microseconds()) / 1000 }

// percentile of milliseconds, which are sorted.
func percentile(list []float64, of int) float64 {
	slices.Sort(list)
	return list[min(len(list)-1, len(list)*of/100)]
}

// times are the rows of the median and the 99th percentile beside those of a floor.
func (b *bench) times(name string, list, floor []float64, floorName, p50, p99 string) {
	for _, row := range []struct {
		name   string
		of     int
		budget string
	}{{name + ", p50: ms", 50, p50}, {"– p99", 99, p99}} {
		if floor == nil {
			b.add(row.name, percentile(list, row.of), 0, "", row.budget)
			continue
		}
		b.add(row.name, percentile(list, row.of), percentile(floor, row.of), floorName, row.budget)
	}
}

// hooks runs the hook client and the bare program in turns.
func (b *bench) hooks(l *live) error {
	const rounds = 60
	bare := filepath.Join(b.dir, "bare")
	build := exec.Command("go", "build", "-o", bare, "github.com/carryover-go/carryover/integration/bench/bare")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the bare program: %w: %s", err, out)
	}
	for _, one := range []struct{ name, event, p50, p99 string }{
		{"hook at a start with a handoff, whole process", "SessionStart", "6", "15"},
		{"hook at a prompt", "UserPromptSubmit", "1.5 × bare", ""},
		{"hook after a tool", "PostToolUse", "1.5 × bare", ""},
	} {
		var list, floor []float64
		for n := range rounds {
			session := fmt.Sprintf("%08d-0000-4000-8000-00000000beef", n)
			took, err := l.hook(session, one.event)
			if err != nil {
				return err
			}
			least, err := l.timed(exec.Command(bare, l.socket), []byte("{}"))
			if err != nil {
				return err
			}
			list, floor = append(list, took), append(floor, least)
		}
		b.times(one.name, list, floor, "bare static client", one.p50, one.p99)
	}
	return nil
}

// freshness appends and asks until the record is found.
func (b *bench) freshness(l *live) error {
	var list []float64
	for n := range 40 {
		word := fmt.Sprintf("x%02d", n)
		if err := l.prompt(n, "find the "+word+" of today"); err != nil {
			return err
		}
		begin := time.Now()
		for {
			// A search that finds nothing looks for other spellings of a word of four letters and
			// more, which would be most of the work here.
			body, err := l.get("/api/v1/search?limit=1&q=" + url.QueryEscape(`"`+word+` of today"`))
			if err != nil {
				return err
			}
			if strings.Contains(string(body), firstSession) {
				break
			}
			if time.Since(begin) > time.Minute {
				return errors.New("what was appended is never found")
			}
			time.Sleep(5 * time.Millisecond)
		}
		list = append(list, since(begin))
		time.Sleep(100 * time.Millisecond)
	}
	b.times("append → searchable, 200 MB", list, nil, "", "", "50")
	return nil
}

// compactions measures from the hook before a compaction until the handoff is fresh,
// which it is when the hook has returned.
func (b *bench) compactions() error {
	l, err := b.startLive("compactions", 100_000_000, 1)
	if err != nil {
		return err
	}
	defer func() { _ = l.stop() }()
	// A hook gives up before so long a session is folded: it is asked until it is.
	for begin := time.Now(); time.Since(begin) < 2*time.Minute; time.Sleep(time.Second) {
		took, err := l.hook(firstSession, "PreCompact")
		if err != nil {
			return err
		}
		if took < 200 {
			break
		}
	}
	var list []float64
	for n := range 40 {
		if err := l.prompt(n, fmt.Sprintf("step %d of the work", n)); err != nil {
			return err
		}
		took, err := l.hook(firstSession, "PreCompact")
		if err != nil {
			return err
		}
		list = append(list, took)
	}
	b.times("PreCompact → fresh handoff, session of 100 MB", list, nil, "", "10", "30")
	return nil
}

// withDaemon are the rows that need a running daemon.
func (b *bench) withDaemon() error {
	l, err := b.startLive("live", 200_000_000, 13)
	if err != nil {
		return err
	}
	for _, step := range []func(*live) error{b.hooks, b.freshness} {
		if err := step(l); err != nil {
			return errors.Join(err, l.stop())
		}
	}
	return l.stop()
}
