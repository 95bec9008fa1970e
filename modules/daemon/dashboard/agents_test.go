package dashboard_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// saves has a named agent save its state and make a handoff.
func (w *world) saves(name, content string) {
	w.Helper()
	daemon := client.New(w.home)
	answer, err := daemon.AnswerMessage(context.Background(), view.AgentMessage{
		Type: view.MessageSave, AgentName: name, Directory: w.project, CLI: "sh", Content: content,
	})
	if err != nil || answer.Type != view.Ack {
		w.Fatalf("not saved: %v, %v", answer, err)
	}
	if _, err := daemon.MakeAgentHandoff(context.Background(), view.AgentHandoffRequest{
		AgentRequest: view.AgentRequest{Agent: name, Project: w.project}, Summary: "half done",
	}); err != nil {
		w.Fatal(err)
	}
}

// A named agent has its ledger and its handoffs on a page.
func TestANamedAgent(t *testing.T) {
	w := newWorld(t)
	w.saves("mailer", "Current task: parse <b>the archive</b>\nNext steps: convert the parts\nUncertain: are dates ISO")
	w.comesIn()
	list := w.get("/agents")
	w.wants(list, "mailer", "parse &lt;b&gt;the archive&lt;/b&gt;")
	page := w.get(w.follow(list, "mailer"))
	w.wants(page, "convert the parts", "are dates ISO", "not running", "## Next steps", "manual")
	w.wants(w.get(w.projectOf("mailer")), "Named agents", "mailer")
}

// projectOf is the page of an agent's project.
func (w *world) projectOf(agent string) string {
	w.Helper()
	at := w.follow(w.get("/agents"), agent)
	return "/projects/" + strings.Split(at, "/")[2]
}

// A handoff of what a named agent has saved is made on its page; of an agent or a project
// that there is not, none.
func TestAgent_MakesAHandoff(t *testing.T) {
	w := newWorld(t)
	if _, err := client.New(w.home).AnswerMessage(context.Background(), view.AgentMessage{
		Type: view.MessageSave, AgentName: "mailer", Directory: w.project, Content: "Current task: parse the archive",
	}); err != nil {
		t.Fatal(err)
	}
	w.comesIn()
	at := w.follow(w.get("/agents"), "mailer")
	form := url.Values{"csrf": {w.csrf(w.get(at))}}
	before := strings.Count(w.get(at).text, "<details>")
	page := w.post(at+"/handoff", form)
	w.wants(page, "Create a handoff", "parse the archive")
	if got := strings.Count(page.text, "<details>"); got != before+1 {
		t.Errorf("%d handoffs after %d", got, before)
	}
	for _, other := range []string{strings.Replace(at, "mailer", "nobody", 1), "/agents/0123456789abcdef/mailer"} {
		if got := w.post(other+"/handoff", form); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", other, got.status)
		}
	}
}

// What is injected is typed by the wrapper; without one it is refused, with
// what to do, and what was written stays in its field.
func TestInject(t *testing.T) {
	w := newWorld(t)
	w.saves("mailer", "Current task: parse the archive\nNext steps: convert the parts")
	w.comesIn()
	at := w.follow(w.get("/agents"), "mailer")
	form := url.Values{"csrf": {w.csrf(w.get(at))}, "context": {"look at issue 7"}}
	refused := w.post(at+"/inject", form)
	if refused.status != http.StatusConflict || !strings.Contains(refused.text, "mailer does not run under `carryover run`") ||
		!strings.Contains(refused.text, "carryover run --name mailer") || !strings.Contains(refused.text, ">look at issue 7</textarea>") {
		t.Errorf("without a wrapper: %d\n%s", refused.status, refused.text)
	}

	typed := make(chan string, 1)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		messages, err := client.New(w.home).Listen(ctx, view.AgentRequest{Agent: "mailer", Project: w.project})
		if err != nil {
			return // the test waits in vain
		}
		for m := range messages {
			typed <- m.Context
		}
	}()
	w.eventually("the wrapper to be known", func() bool { return strings.Contains(w.get(at).text, `class="runs"`) })
	w.wants(w.post(at+"/inject", form), "It was handed to mailer")
	if text := <-typed; !strings.Contains(text, "look at issue 7") {
		t.Errorf("typed was %q", text)
	}
	form = url.Values{"csrf": form["csrf"], "handoff": {"none"}}
	if got := w.post(at+"/inject", form); got.status != http.StatusNotFound {
		t.Errorf("a handoff there is not: %d", got.status)
	}
}
