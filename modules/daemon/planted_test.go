package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/hookclient"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// core is in every planted secret, so that one search of all files finds what is left
// of any of them.
const core = "Zq7Kx9Wm2Rt4Bv6N"

// planted are secrets of many kinds, put together so that no scanner takes the source
// for a leak.
var planted = []string{
	"gh" + "p_" + core + "abcdEFGH1234ijklMNOP", "sk-" + "ant-api03-" + core + strings.Repeat("aB3", 25) + "AA", "gl" + "pat-" + core + "wxyz",
	"DB_PASSWORD=" + core, "postgres://app:" + core + "@db.example.com/app", "Authorization: Bearer " + core + "Aa1Bb2Cc3", "--password " + core,
	"mysql -uroot -p" + core + " app", "the password is " + core, "api_key: \"" + core + "\"", "x" + "oxb-123456789012-123456789012-" + core + "12345678",
	"export AWS_SECRET_ACCESS_KEY=" + core + "a1b2c3d4e5f6g7h8i9j0K1L2",
}

// planter adds secrets to what people, agents and programs say in a fixture.
type planter struct{ next int }

// names are of members that hold one word of a person or a repository.
var named = map[string]bool{"gitBranch": true, "branch": true, "title": true, "aiTitle": true, "customTitle": true, "summary": true, "subject": true, "content": true}

func (p *planter) secret() string {
	p.next++
	return planted[p.next%len(planted)]
}

// value plants into every text of a JSON value: those with a space in them, and those
// of known names.
func (p *planter) value(name string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			value[key] = p.value(key, inner)
		}
	case []any:
		for i, inner := range value {
			value[i] = p.value(name, inner)
		}
	case string:
		return p.text(name, value)
	}
	return value
}

func (p *planter) text(name, text string) string {
	var inner any
	if strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &inner) == nil {
		out, _ := json.Marshal(p.value(name, inner))
		return string(out)
	}
	if !strings.Contains(text, " ") && !named[name] || strings.HasPrefix(text, "/") {
		return text
	}
	return text + " and " + p.secret() + " "
}

// fixture plants into JSON, into JSON lines, or into each paragraph of a Markdown.
func (p *planter) fixture(data []byte) []byte {
	var whole any
	if json.Unmarshal(data, &whole) == nil {
		out, _ := json.Marshal(p.value("", whole))
		return out
	}
	var out []byte
	for line := range bytes.Lines(data) {
		var record any
		switch err := json.Unmarshal(line, &record); {
		case err == nil:
			text, _ := json.Marshal(p.value("", record))
			out = append(append(out, text...), '\n')
		case len(bytes.TrimSpace(line)) > 0 && bytes.Contains(line, []byte(" ")) && !bytes.HasPrefix(line, []byte("#")) && !bytes.HasPrefix(line, []byte("{")):
			out = append(append(append(out, bytes.TrimRight(line, "\r\n")...), (" "+p.secret())...), '\n')
		default:
			out = append(out, line...)
		}
	}
	return out
}

// Of secrets in every text of every tool's fixtures nothing reaches a file, on any way:
// ledger, reader states, index, handoffs, reports, agents' notes, spool, exports, log.
func TestSecrets_ReachNoFile(t *testing.T) {
	user := t.TempDir()
	dir := home.Dir(filepath.Join(user, "h"))
	t.Setenv("HOME", user)
	if err := dir.Make("run", "spool", "handoffs", "log", "bin"); err != nil {
		t.Fatal(err)
	}
	logger := newLog(dir, "debug", false)
	log, err := OpenLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	choices, err := config.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	choices.StaleAfter = 100 * 365 * 24 * time.Hour // fixtures are old
	services := NewServices(dir, choices, assemble(dir, log, func(error) {}).Table, log, logger, Driver{})
	p := &planter{}
	for _, spec := range services.Table.All() {
		plantTool(t, services, p, user, spec)
	}
	if p.next < 500 {
		t.Fatalf("%d secrets were planted: the test proves nothing", p.next)
	}
	publishAll(t, services)
	exportAll(t, services, filepath.Join(user, "h", "export.jsonl"))
	spoolSecrets(t, services, p)
	_ = logger.Sync()
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	published, _ := filepath.Glob(filepath.Join(user, "*", ".carryover", "*.md"))
	spooled, _ := filepath.Glob(filepath.Join(string(dir), "spool", "*.json"))
	if len(published) < 2*5 || len(spooled) < 20 {
		t.Errorf("%d files were published, %d spooled: the test proves nothing", len(published), len(spooled))
	}
	searchFiles(t, user)
}

// plantTool stores the planted fixtures of a tool, as files of a project of its own.
func plantTool(t *testing.T, services *Services, p *planter, user string, spec *toolspecs.Spec) {
	t.Helper()
	tool := spec.Tool
	fixtures, err := spectest.Fixtures(tool)
	if err != nil {
		t.Skipf("%s has no fixtures: %v", tool, err)
	}
	reader, err := readers.For(spec)
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(user, tool)
	if out, err := exec.Command("git", "init", "-q", project).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	before := p.next
	for _, fixture := range fixtures {
		fixture.Data = p.fixture(fixture.Data)
		events, coverage, position := readFixture(t, fixture, reader)
		for i := range events {
			if events[i].WorkDir != nil && events[i].WorkDir.Cwd != "" {
				events[i].WorkDir.Cwd = project
			}
		}
		main := ""
		if len(events) > 0 {
			main = events[0].Session
		}
		source := ledger.Source{Tool: tool, Path: filepath.Join("/home/dev", fixture.Name), Main: main, Position: position, Parked: "cannot read " + p.secret()}
		if _, err := services.Store.Append(t.Context(), ledger.Batch{Source: source, Events: events, Coverage: coverage}); err != nil {
			t.Fatalf("%s %s: %v", tool, fixture.Name, err)
		}
	}
	if p.next == before {
		t.Errorf("nothing was planted into %s", tool)
	}
}

func readFixture(t *testing.T, fixture spectest.Fixture, reader transcript.Reader) ([]transcript.Located, transcript.Coverage, transcript.Position) {
	t.Helper()
	if fixture.Rows() {
		events, coverage, err := fixture.Read(reader)
		if err != nil {
			t.Fatal(err)
		}
		return events, coverage, transcript.Position{}
	}
	events, coverage, position, err := spectest.ReadAll(reader, fixture.Source(), fixture.Data, transcript.Position{})
	if err != nil {
		t.Logf("%s %s: %v", fixture.Tool, fixture.Name, err)
	}
	return events, coverage, position
}

// publishAll writes all that is written of each session.
func publishAll(t *testing.T, services *Services) {
	t.Helper()
	sessions, err := services.Store.Sessions(t.Context(), ledger.SessionFilter{Subagents: true})
	if err != nil || len(sessions) < 10 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	installed := time.Unix(1, 0)
	for _, session := range sessions {
		for _, err := range []error{
			services.publisher.Publish(t.Context(), session.SessionKey, installed),
			services.publisher.Report(t.Context(), session.SessionKey, installed, "auto"),
		} {
			if err != nil {
				t.Errorf("%s: %v", session.ID, err)
			}
		}
	}
}

func exportAll(t *testing.T, services *Services, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewEncoder(file)
	if _, err := services.Export(t.Context(), view.ExportRequest{}, func(line view.ExportLine) error { return lines.Encode(line) }); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// spoolSecrets leaves what hooks and wrappers leave while there is no daemon, which is
// not drained, and has an agent's notes kept.
func spoolSecrets(t *testing.T, services *Services, p *planter) {
	t.Helper()
	for _, spec := range services.Table.All() {
		payloads, err := spectest.Payloads(spec.Tool)
		if err != nil {
			continue
		}
		for _, payload := range payloads {
			hookclient.Call{
				Home: services.Home, Tool: spec.Tool, Event: payload.Event, Stdin: bytes.NewReader(p.fixture(payload.Data)), Stdout: &bytes.Buffer{},
				Start: time.Now(), Getenv: func(string) string { return "" },
			}.Run()
		}
	}
	for _, secret := range planted {
		message := view.AgentMessage{
			Type: view.MessageSave, AgentName: "mailer", Directory: filepath.Join(os.Getenv("HOME"), "claude-code"),
			Content: "Current task: " + secret + "\nCompleted: use " + secret, CreateHandoff: true,
		}
		if _, err := continuity.SpoolOf(services.Home).Put(message); err != nil {
			t.Fatal(err)
		}
		if _, err := services.AnswerMessage(context.Background(), message); err != nil {
			t.Fatal(err)
		}
		services.Logger.Info("kept", zap.String("agent", message.AgentName))
	}
}

// searchFiles looks for the core of the secrets in the bytes and names of all files.
func searchFiles(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if strings.Contains(path, core) {
			t.Errorf("%s is named by a secret", path)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("search: %w", err)
		}
		for range 3 {
			at := bytes.Index(data, []byte(core))
			if at < 0 {
				break
			}
			t.Errorf("%s holds %q", path, data[max(0, at-120):min(len(data), at+len(core)+40)])
			data = data[at+len(core):]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
