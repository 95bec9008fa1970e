package daemon_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// inProcess is the service over an open ledger with one session.
func inProcess(t *testing.T, w *world) view.Service {
	t.Helper()
	w.works(first, w.project, "Parse the dates of the log file")
	w.write(w.home.Path("token"), "t\n")
	pipeline, err := daemon.OpenReadWrite(w.home, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pipeline.Store.Close() })
	return pipeline
}

// overTheSocket is the same service behind a real socket.
func overTheSocket(t *testing.T, w *world) view.Service {
	t.Helper()
	server := &api.Server{Home: w.home, Listen: "127.0.0.1:0", Token: "t", Service: inProcess(t, w), Daemon: justHealthy{}, Logger: zap.NewNop()}
	if err := server.Open(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return client.New(w.home)
}

// justHealthy is a daemon of which only the health is asked.
type justHealthy struct{ api.Daemon }

func (justHealthy) Health(context.Context) view.Health { return view.Health{Status: "ok"} }

// serviceCall is one step of the contract. A code says which error it ends in.
type serviceCall struct {
	name string
	call func(ctx context.Context, s view.Service, w *world) (string, error)
	code view.Code
}

// asJSON is a result as other programs see it.
func asJSON[A any](result A, err error) (string, error) {
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(result)
	return string(data), err
}

var (
	reviewer = view.AgentRequest{Agent: "reviewer"}
	nobody   = view.AgentRequest{Agent: "nobody"}
)

func here(w *world) view.SessionSelector { return view.SessionSelector{Directory: w.project} }

// serviceContract are calls in order: what one writes the next ones read.
var serviceContract = []serviceCall{
	{"import", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.Import(ctx, view.ImportRequest{Tool: "claude-code"}, nil))
	}, ""},
	{"import below", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.Import(ctx, view.ImportRequest{Root: w.user}, func(int, int, string) {}))
	}, ""},
	{"status", func(ctx context.Context, s view.Service, _ *world) (string, error) { return asJSON(s.Status(ctx)) }, ""},
	{"stats", func(ctx context.Context, s view.Service, _ *world) (string, error) { return asJSON(s.Stats(ctx)) }, ""},
	{"digest", func(ctx context.Context, s view.Service, _ *world) (string, error) { return asJSON(s.Digest(ctx)) }, ""},
	{"search", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.Search(ctx, view.SearchRequest{Query: "dates", Project: w.project, Kind: "prompt", Limit: 3}))
	}, ""},
	{"search with a wrong age", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.Search(ctx, view.SearchRequest{Query: "dates", Since: "yesterday"}))
	}, view.CodeInvalid},
	{"sessions", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.ListSessions(ctx, view.SessionListRequest{Directory: w.project, Page: view.Page{Limit: 1}}))
	}, ""},
	{"sessions from a wrong cursor", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.ListSessions(ctx, view.SessionListRequest{Page: view.Page{Cursor: "none"}}))
	}, view.CodeInvalid},
	{"session", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.ShowSession(ctx, view.SessionRequest{Session: first[:8], Within: w.project}))
	}, ""},
	{"no session", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.ShowSession(ctx, view.SessionRequest{Session: "none"}))
	}, view.CodeNotFound},
	{"no line", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.ShowSession(ctx, view.SessionRequest{Session: first, Line: 999}))
	}, view.CodeNotFound},
	{"session of another project", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.ShowSession(ctx, view.SessionRequest{Session: first, Within: w.user}))
	}, view.CodeOtherProject},
	{"export", func(ctx context.Context, s view.Service, w *world) (string, error) {
		var lines []view.ExportLine
		n, err := s.Export(ctx, view.ExportRequest{Directory: w.project}, func(line view.ExportLine) error { lines = append(lines, line); return nil })
		text, _ := asJSON(lines, nil)
		return fmt.Sprint(n, text), err
	}, ""},
	{"export of nothing", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		n, err := s.Export(ctx, view.ExportRequest{Session: "none"}, nil)
		return fmt.Sprint(n), err
	}, view.CodeNotFound},
	{"decisions", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.Decisions(ctx, view.DecisionListRequest{Directory: w.project}))
	}, ""},
	{"handoff", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.Handoff(ctx, view.HandoffRequest{SessionSelector: here(w), Mode: "brief", Shape: "human", Explain: true}))
	}, ""},
	{"latest handoff", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.Handoff(ctx, view.HandoffRequest{Last: true}))
	}, ""},
	{"no handoff", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.Handoff(ctx, view.HandoffRequest{SessionSelector: view.SessionSelector{Directory: w.user}}))
	}, view.CodeNotFound},
	{"history", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.HandoffHistory(ctx, view.HistoryRequest{Directory: w.project, Limit: 5}))
	}, ""},
	{"report", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.SessionReport(ctx, here(w)))
	}, ""},
	{"compaction", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.CompactionDiff(ctx, here(w)))
	}, view.CodeNotFound},
	{"switch", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.PrepareSwitch(ctx, view.SwitchRequest{Directory: w.project, Tool: "codex"}))
	}, ""},
	{"blame", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.Blame(ctx, view.BlameRequest{Path: "main.go", Directory: w.project}))
	}, ""},
	{"blame outside", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.Blame(ctx, view.BlameRequest{Path: "../main.go", Directory: w.project}))
	}, view.CodeInvalid},
	{"effects", func(ctx context.Context, s view.Service, _ *world) (string, error) { return asJSON(s.Effects(ctx)) }, ""},
	{"import no bundle", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.ImportBundle(ctx, view.BundleRequest{File: w.transcript(first), Directory: w.project}))
	}, view.CodeInvalid},
	{"import a bundle that is not there", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.ImportBundle(ctx, view.BundleRequest{File: w.project + "/none", Directory: w.project, Preview: true}))
	}, view.CodeNotFound},
	{"open work", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.OpenWork(ctx, view.OpenWorkRequest{Directory: w.project, All: true, Since: "2026-01-01"}))
	}, ""},
	{"open work since nothing", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.OpenWork(ctx, view.OpenWorkRequest{Since: "someday"}))
	}, view.CodeInvalid},
	{"mark a thread", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.MarkThread(ctx, view.MarkThreadRequest{Session: first[:8], Mark: view.MarkDone}))
	}, ""},
	{"mark it wrongly", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.MarkThread(ctx, view.MarkThreadRequest{Session: first, Mark: "burn"}))
	}, view.CodeInvalid},
	{"mark no thread", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.MarkThread(ctx, view.MarkThreadRequest{Session: "none", Mark: view.MarkDrop}))
	}, view.CodeNotFound},
	{"marked", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.OpenWork(ctx, view.OpenWorkRequest{Directory: w.project, All: true}))
	}, ""},
	{"projects", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.ListProjects(ctx, view.Page{}))
	}, ""},
	{"change no project", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.ChangeProject(ctx, view.ProjectChangeRequest{From: "/nowhere", To: "/elsewhere"}))
	}, view.CodeNotFound},

	{"save notes", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.SaveAgentNotes(ctx, view.AgentNotesRequest{
			AgentRequest: view.AgentRequest{Agent: "reviewer", Project: w.project}, Content: "Current task: review\nNext steps: merge",
		}))
	}, ""},
	{"save notes by field", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.SaveAgentNotes(ctx, view.AgentNotesRequest{AgentRequest: reviewer, Notes: ledger.AgentLedger{CLI: "sh", Completed: []string{"read it"}}}))
	}, ""},
	{"notes", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.AgentNotes(ctx, reviewer))
	}, ""},
	{"notes of nobody", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.AgentNotes(ctx, nobody))
	}, view.CodeNotFound},
	{"agent handoff", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.MakeAgentHandoff(ctx, view.AgentHandoffRequest{AgentRequest: reviewer, Reason: ledger.TriggerManual, Summary: "half done"}))
	}, ""},
	{"agent handoffs", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.AgentHandoffs(ctx, view.AgentHandoffListRequest{AgentRequest: reviewer, Archived: true}))
	}, ""},
	{"search agents", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.SearchAgents(ctx, view.AgentSearchRequest{Query: "review", Project: w.project}))
	}, ""},
	{"load", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.AnswerMessage(ctx, view.AgentMessage{Type: view.MessageLoad, AgentName: "reviewer", Directory: w.project}))
	}, ""},
	{"refused message", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.AnswerMessage(ctx, view.AgentMessage{Type: view.MessageLoad, AgentName: "reviewer", Directory: w.user}))
	}, ""},
	{"inject without a wrapper", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.Inject(ctx, view.InjectRequest{AgentRequest: reviewer, Context: "go on"}))
	}, view.CodeNoWrapper},
	{"inject", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		messages, err := s.Listen(ctx, reviewer)
		if err != nil {
			return "", err
		}
		done, err := s.Inject(ctx, view.InjectRequest{AgentRequest: reviewer, Context: "go on"})
		if err != nil {
			return "", err
		}
		message := <-messages
		return fmt.Sprint(done, message.Type, message.AgentName, strings.Contains(message.Context, "go on")), nil
	}, ""},
	{"inject nothing", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.Inject(ctx, view.InjectRequest{AgentRequest: reviewer}))
	}, view.CodeInvalid},
	{"clear agent", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.ClearAgent(ctx, reviewer))
	}, ""},
	{"changes end with their context", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		ctx, stop := context.WithCancel(ctx)
		changes, err := s.Changes(ctx)
		stop()
		if err == nil {
			for range changes { // until it is closed
			}
		}
		return "", err
	}, ""},

	{"dismiss", func(ctx context.Context, s view.Service, w *world) (string, error) {
		return asJSON(s.Dismiss(ctx, view.DismissRequest{Directory: w.project}))
	}, ""},
	{"dismiss none", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.Dismiss(ctx, view.DismissRequest{Session: "none"}))
	}, view.CodeNotFound},
	{"repair", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.Repair(ctx, view.RepairRequest{}, func(int, int, string) {}))
	}, ""},
	{"forget too short a text", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.Forget(ctx, view.ForgetRequest{Text: "a"}, nil))
	}, view.CodeInvalid},
	{"forget", func(ctx context.Context, s view.Service, _ *world) (string, error) {
		return asJSON(s.Forget(ctx, view.ForgetRequest{Sessions: []string{first}}, nil))
	}, ""},
}

// Both implementations of the service answer alike, also where they fail.
func TestService_AnswersAlikeInProcessAndOverTheSocket(t *testing.T) {
	answers := map[string]map[string]string{}
	for name, open := range map[string]func(*testing.T, *world) view.Service{"in process": inProcess, "over the socket": overTheSocket} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			service := open(t, w)
			answers[name] = map[string]string{}
			for _, step := range serviceContract {
				answer, err := step.call(t.Context(), service, w)
				answers[name][step.name] = alike(w, answer, err)
				if step.code == "" && err != nil {
					t.Errorf("%s: %v", step.name, err)
				}
				if step.code == "" {
					continue
				}
				var coded *view.Error
				if !errors.Is(err, &view.Error{Code: step.code}) || !errors.As(err, &coded) || coded.Code != step.code {
					t.Errorf("%s: %v, want %s", step.name, err, step.code)
				}
			}
		})
	}
	for name := range maps.Keys(answers["in process"]) {
		if here, there := answers["in process"][name], answers["over the socket"][name]; here != there {
			t.Errorf("%s:\nin process      %s\nover the socket %s", name, here, there)
		}
	}
	if len(answers["over the socket"]) != len(serviceContract) {
		t.Error("the contract has calls of one name")
	}
}

// The contract has a call of every method of the service.
func TestService_ContractIsComplete(t *testing.T) {
	text, err := os.ReadFile("service_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for method := range reflect.TypeFor[view.Service]().Methods() {
		if !strings.Contains(string(text), " s."+method.Name+"(") && !strings.Contains(string(text), "(s."+method.Name+"(") {
			t.Errorf("%s is not called", method.Name)
		}
	}
}

// changing is what differs from run to run: ids, places in a transcript, times of
// now, and how long a search took.
var changing = regexp.MustCompile(`"(id|parent|project|handoff|handoffId|took_ms|bytes|kept_bytes|offset|sessionId)":("[^"]*"|[\d.]+)` +
	`|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b[0-9a-f]{12}\b|\b[0-9a-f]{64}\b`)

// alike is an answer or its error without what differs from run to run.
func alike(w *world, answer string, err error) string {
	if shown := new(view.Error); errors.As(err, &shown) {
		answer = fmt.Sprintf("%s: %s (%s)", shown.Code, err, shown.Hint)
	} else if err != nil {
		answer = err.Error()
	}
	return changing.ReplaceAllString(strings.ReplaceAll(answer, w.user, "~"), "*")
}
