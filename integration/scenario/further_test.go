package scenario

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
	"github.com/carryover-go/carryover/toolspecs"
)

// further names the agents that are proved with Claude Code and Codex alone.
func further() []string { return slices.Sorted(maps.Keys(runner.Further)) }

// partners are whom each of them hands over to, and takes from.
var partners = []string{"claude-code", "codex"}

// What a further agent did is known as what any other did, and is the first thing
// that Claude Code, Codex and a session of its own read. The session itself, gone
// on with, has it already.
func TestFurtherAgentsHandOver(t *testing.T) {
	t.Parallel()
	for _, tool := range further() {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, append([]string{tool}, partners...)...)
			s.work()
			s.looksAround()
			quietAboutUs(t, s.agents[tool].Prompt(s.Project, request))
			s.waitForHandoff(t)
			if known := s.handoffFacts(t); !reflect.DeepEqual(known, factsOfWork) {
				t.Errorf("%s hands over other facts:\n%+v\nwant\n%+v", tool, known, factsOfWork)
			}
			if !slices.Contains(notResumed, tool) {
				s.goesOn(t, tool)
			}
			s.handOverTo(t, append([]string{tool}, partners...)...)
		})
	}
}

// notResumed are those that ask their vendor for a session that is gone on with.
var notResumed = []string{"droid"}

// goesOn resumes the session of the work: it has its history, and is given
// nothing beside it.
func (s *stage) goesOn(t *testing.T, tool string) {
	t.Helper()
	s.model.Forget()
	quietAboutUs(t, s.agents[tool].Continue(s.Project, "Go on for a moment."))
	text := s.first(t)
	if !strings.Contains(text, request) {
		t.Errorf("the request lacks the session's history:\n%s", excerpt(text))
	}
	if !readsFile(s.Spec(tool)) { // a file is read with each request, whose session it is
		carriesNothing(t, text)
	}
}

// readsFile says that a tool is given a handoff in a file that it reads again
// with each request.
func readsFile(spec *toolspecs.Spec) bool {
	return slices.ContainsFunc(spec.Versions[0].Settings, func(settings toolspecs.Settings) bool { return settings.Entry != "" })
}

// What Claude Code and Codex did is the first thing that a further agent reads, and
// each request of its turn holds it once.
func TestFurtherAgentsTakeOver(t *testing.T) {
	t.Parallel()
	for _, from := range partners {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, append(further(), from)...)
			s.work()
			s.looksAround()
			quietAboutUs(t, s.agents[from].Prompt(s.Project, request))
			s.waitForHandoff(t)
			s.handOverTo(t, further()...)
		})
	}
}

// looksAround is a turn of two requests.
func (s *stage) looksAround() {
	s.model.Add(mockmodel.Script{Prompt: "What is the state of things?", Steps: []mockmodel.Step{
		mockmodel.Run("ls " + filepath.Join(s.Project, "parser.py")), mockmodel.Say("Two files."),
	}})
}

// givenOnce asserts that each request of the turn holds one handoff.
func (s *stage) givenOnce(t *testing.T) {
	t.Helper()
	requests := s.model.Requests(mockmodel.Turn)
	for n, request := range requests {
		if given := strings.Count(request.Text(), sentinel); given != 1 {
			t.Errorf("request %d of %d carries %d handoffs", n+1, len(requests), given)
		}
	}
}

// furtherCompactions is how each is brought to shorten its context by itself, in mid-turn.
var furtherCompactions = map[string]func(*stage) runner.Output{
	"kilo":      func(s *stage) runner.Output { return s.compactInTheDatabase("kilo") },
	"kimi-code": func(s *stage) runner.Output { return s.cutAndGoesOn("kimi-code", 250_000) },
	"pi":        func(s *stage) runner.Output { return s.cutAndGoesOn("pi", 90_000) },
	"openhands": (*stage).condense,
	"qwen-code": func(s *stage) runner.Output { return s.cutAndGoesOn("qwen-code", 170_000) },
}

// condense is a turn of OpenHands CLI, whose settings have it shorten its history after
// so many events; it takes the same command a few times over for being stuck.
func (s *stage) condense() runner.Output {
	llm := func(use string) string {
		return `{"model":"openai/stand-in","api_key":"x","base_url":"` + s.model.URL + `/v1","usage_id":"` + use + `"}`
	}
	s.Write(filepath.Join(s.Dir, ".openhands", "agent_settings.json"), `{"kind":"Agent","tools":[],"llm":`+llm("agent")+
		`,"condenser":{"kind":"LLMSummarizingCondenser","max_size":14,"keep_first":2,"llm":`+llm("condenser")+`}}`)
	steps := []mockmodel.Step{mockmodel.Write(filepath.Join(s.Project, "parser.py"), "def parse(text):\n    return text.split('-')\n")}
	for n := range 9 {
		steps = append(steps, mockmodel.Run("echo "+strings.Repeat("x", n+1)))
	}
	s.model.Add(mockmodel.Script{Prompt: request, Steps: append(steps, mockmodel.Say("The parser splits the date."))})
	return s.agents["openhands"].Prompt(s.Project, request)
}

// cutAndGoesOn is one turn in which the context is reported as full, and a few
// more calls after the compaction.
func (s *stage) cutAndGoesOn(tool string, tokens int) runner.Output {
	s.model.Add(mockmodel.Script{Prompt: mockmodel.Summary, Steps: slices.Repeat([]mockmodel.Step{mockmodel.Run("true")}, 4)})
	return s.compactWhileWorking(tool, tokens)
}

// After an automatic compaction a further agent is given what was lost, once: where its
// hooks allow it in mid-turn, else with the next prompt.
func TestFurtherAgentsAfterACut(t *testing.T) {
	t.Parallel()
	for tool, work := range furtherCompactions {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, tool)
			quietAboutUs(t, work(s))
			if len(s.model.Requests(mockmodel.Compact)) == 0 {
				t.Fatal("the model was asked for no summary")
			}
			midTurn := givesInMidTurn(s.Spec(tool))
			if midTurn {
				s.givenBackOnce(t)
			}
			s.model.Forget()
			quietAboutUs(t, s.agents[tool].Continue(s.Project, "Where were we?"))
			text := s.first(t)
			before, after, prompted := strings.Cut(text, "Where were we?")
			switch given := strings.Count(after, "PROTOCOL: seam") + strings.Count(before, "PROTOCOL: seam"); {
			case !prompted:
				t.Error("the request lacks the prompt")
			case midTurn && strings.Contains(after, sentinel):
				t.Errorf("the next prompt brings it again:\n%s", excerpt(after))
			case !midTurn && given != 1:
				t.Errorf("the next prompt brings it %d times:\n%s", given, excerpt(text))
			}
		})
	}
}

// givesInMidTurn says that a tool can be given something before the next prompt.
func givesInMidTurn(spec *toolspecs.Spec) bool {
	return readsFile(spec) || slices.ContainsFunc(spec.Hooks, func(hook toolspecs.Hook) bool {
		return hook.Wired && hook.Gives(toolspecs.AfterCompaction) && hook.Role != "prompt" || hook.Wired && hook.Role == "session_start" && hook.Gives(toolspecs.AtStart)
	})
}

// furtherSubagents are those that have subagents in their core.
var furtherSubagents = []string{"kilo", "kimi-code", "openhands", "qwen-code"}

// A subagent of a further agent is given nothing; one that reads the same file is
// told whose the handoff is.
func TestFurtherAgentsAndTheirSubagents(t *testing.T) {
	t.Parallel()
	for _, tool := range furtherSubagents {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, tool)
			s.work()
			quietAboutUs(t, s.agents[tool].Prompt(s.Project, request))
			s.waitForHandoff(t)
			s.model.Forget()
			s.delegates(lookedAt)
			quietAboutUs(t, s.agents[tool].Prompt(s.Project, lookedAt+"."))
			handsOver(t, s.first(t))
			s.subagentsKnowWhose(t, tool)
			requests := s.model.Requests(mockmodel.Turn)
			handsOver(t, requests[len(requests)-1].Text())
		})
	}
}

func (s *stage) subagentsKnowWhose(t *testing.T, tool string) {
	t.Helper()
	subs := s.ofSubagent()
	if len(subs) < 3 {
		t.Fatalf("the subagent asked the model %d times, want 3", len(subs))
	}
	for _, request := range subs {
		text := request.Text()
		if !readsFile(s.Spec(tool)) {
			carriesNothing(t, text)
		} else if strings.Count(text, sentinel) != 1 || !strings.Contains(text, "A subagent has its own task.") {
			t.Errorf("the subagent's request holds:\n%s", excerpt(text))
		}
	}
}

// What the specs say to be proved, and the documents show, is what is run here.
func TestWhatIsProvedStandsInTheSpecs(t *testing.T) {
	home := runner.New(t, "")
	for _, tool := range slices.Concat(every(), further()) {
		_, cut := midTurn[tool]
		_, cutToo := furtherCompactions[tool]
		_, more := runner.Further[tool]
		runs := map[string]bool{
			"read": true, "inject": true, "once": true, // all stand in the matrix of handing over
			"resume":   cut || more && !slices.Contains(notResumed, tool),
			"compact":  cut || cutToo,
			"subagent": slices.Contains(asking, tool) || tool == "opencode" || slices.Contains(furtherSubagents, tool),
		}
		for _, feat := range toolspecs.Feats {
			if said := home.Spec(tool).Proved[feat]; (said == "yes") != runs[feat] {
				t.Errorf("%s: the spec says %q of %s, a scenario runs it: %v", tool, said, feat, runs[feat])
			}
		}
	}
}
