package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
)

// asked is what a reply asks, nil for nothing.
func asked(t *testing.T, reply string, opts extract.Options) *distiller.Asked {
	t.Helper()
	s := session().User("make the export fast enough for ten thousand orders").Agent(reply)
	turn := extract.Fold(distiller.Facts{}, opts, s.All()).Turn
	if turn == nil || turn.Asked == nil {
		return nil
	}
	return turn.Asked
}

func labels(a *distiller.Asked) string {
	var out []string
	for _, o := range a.Options {
		out = append(out, o.Label+"="+o.Text)
	}
	return strings.Join(out, " | ")
}

var askingReplies = map[string]struct{ reply, question, options string }{
	"by number":           {"Two ways:\n\n1. Stream the rows\n2. Write in batches\n\nWhich one?", "Which one?", "1=Stream the rows | 2=Write in batches"},
	"by letter":           {"The writer is slow.\n\nA) Stream the rows\nB) Write in batches\n\nWhich do you prefer?", "Which do you prefer?", "A=Stream the rows | B=Write in batches"},
	"in bold":             {"**A:** Stream the rows\n**B:** Write in batches\n\nWhich one?", "Which one?", "A=Stream the rows | B=Write in batches"},
	"in a list":           {"- **A)** Stream the rows\n- **B)** Write in batches\n\nWhich one?", "Which one?", "A=Stream the rows | B=Write in batches"},
	"as headings":         {"### Option 1: Stream the rows\nNeeds no memory.\n\n### Option 2: Write in batches\nNeeds a buffer.\n\nWhich option?", "Which option?", "1=Stream the rows | 2=Write in batches"},
	"in a table":          {"| | what |\n|---|---|\n| A | Stream the rows |\n| B | Write in batches |\n\nWhich one?", "Which one?", "A=Stream the rows | B=Write in batches"},
	"before the list":     {"How shall the rows be written?\n\n1. Stream the rows\n2. Write in batches", "How shall the rows be written?", "1=Stream the rows | 2=Write in batches"},
	"with advice behind":  {"How shall the rows be written?\n\n1. Stream the rows\n2. Write in batches\n\nI'd recommend 1: it needs no memory.", "How shall the rows be written?", "1=Stream the rows | 2=Write in batches"},
	"a word of any sort":  {"Variante 1: Zeilen streamen\nVariante 2: in Blöcken schreiben\n\nWelche?", "Welche?", "1=Zeilen streamen | 2=in Blöcken schreiben"},
	"in Chinese":          {"A）逐行写出\nB）分批写出\n\n选择哪个方案？", "选择哪个方案？", "A=逐行写出 | B=分批写出"},
	"a list of findings":  {"1. The writer is slow\n2. The reader is fast\n\nShall I rewrite the writer with a buffer of four kilobytes?", "Shall I rewrite the writer with a buffer of four kilobytes?", ""},
	"one entry":           {"1. Stream the rows\n\nWhich one?", "Which one?", ""},
	"not in a code block": {"```\n1. one\n2. two\n```\nShall the export write a header with column names?", "Shall the export write a header with column names?", ""},
}

func TestAsking_KnowsTheOptionsOfAQuestion(t *testing.T) {
	for name, tt := range askingReplies {
		t.Run(name, func(t *testing.T) {
			a := asked(t, tt.reply, extract.Options{Root: root})
			if a == nil {
				t.Fatal("asks nothing")
			}
			if a.Question != tt.question || labels(a) != tt.options {
				t.Errorf("%q: %s", a.Question, labels(a))
			}
		})
	}
}

func TestAsking_NeedsNoWordsForAQuestionBehindItsOptions(t *testing.T) {
	a := asked(t, "A) 逐行写出\nB) 分批写出\n\n选择哪个？", extract.Options{Root: root, WithoutWords: true})
	if a == nil || len(a.Options) != 2 {
		t.Errorf("got %+v", a)
	}
}

func TestAsking_TellsWhatAVagueQuestionIsAbout(t *testing.T) {
	a := asked(t, "## Column names\nThe export can begin with a header row.\n\nShall I?", extract.Options{Root: root})
	if a == nil || !strings.Contains(a.Context, "Column names") || !strings.Contains(a.Context, "header row") {
		t.Errorf("got %+v", a)
	}
	if a := asked(t, "The export is slow.\n\nShall the export write a header row with column names?", extract.Options{Root: root}); a == nil || a.Context != "" {
		t.Errorf("a question that says enough has a context: %+v", a)
	}
}

func TestAsking_MarksWhatIsRecommended(t *testing.T) {
	for name, reply := range map[string]string{
		"in the option": "1. Stream the rows\n2. Write in batches (recommended)\n\nWhich one?",
		"by its label":  "1. Stream the rows\n2. Write in batches\n\nI recommend option 2 for its speed.\n\nWhich one?",
	} {
		a := asked(t, reply, extract.Options{Root: root})
		if a == nil || len(a.Options) != 2 || a.Options[0].Recommended || !a.Options[1].Recommended {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func TestAsking_KeepsSeveralQuestions(t *testing.T) {
	f := fold(session().User("make the export fast").Agent("Two things are open.\n\n- Does the importer need the header row too?\n- Which separator does the accountant expect in the file?"))
	if f.Turn == nil || f.Turn.Asked == nil || !strings.Contains(f.Turn.Asked.Question, "separator") {
		t.Fatalf("turn %+v", f.Turn)
	}
	if len(f.Questions) != 1 || !strings.Contains(f.Questions[0].Text, "header row") {
		t.Errorf("questions %+v", f.Questions)
	}
}

func TestAsking_IsNoneWhereNothingIsAsked(t *testing.T) {
	for name, reply := range map[string]string{
		"a statement":               "The export streams its rows now.",
		"a question answered below": "Why was it slow? The writer flushed every row.\n\nIt flushes every thousand rows now.\n\nAll tests pass.",
		"a list of what was done":   "Changed:\n\n1. The writer\n2. The reader",
	} {
		if a := asked(t, reply, extract.Options{Root: root}); a != nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// choice is a session in which an answer follows a question with options.
func choice(answer string) *script.Session {
	return session().User("make the export fast enough for ten thousand orders").
		Agent("The writer is slow.\n\nA) Stream the rows\nB) Write in batches\nC) Leave it as it is\n\nWhich do you prefer?").User(answer)
}

func TestAnswer_PicksOptionsByLabelOrdinalOrAll(t *testing.T) {
	for answer, want := range map[string]string{
		"B":                           "B) Write in batches",
		"b)":                          "B) Write in batches",
		"option B, but keep it small": "B) Write in batches",
		"the second one":              "B) Write in batches",
		"the last":                    "C) Leave it as it is",
		"die zweite":                  "B) Write in batches",
		"B로 해줘":                       "B) Write in batches",
		"选B":                          "B) Write in batches",
		"Bでお願いします":                    "B) Write in batches",
		"второй":                      "B) Write in batches",
		"A, C":                        "A) Stream the rows | C) Leave it as it is",
	} {
		f := fold(choice(answer))
		if len(f.Decisions) != 1 || strings.Join(f.Decisions[0].Chosen, " | ") != want {
			t.Errorf("%q: %+v", answer, f.Decisions)
		}
	}
}

func TestAnswer_CountsAreNoLabels(t *testing.T) {
	s := session().User("make the export fast enough").Agent("1. 行ごとに書く\n2. まとめて書く\n\nどちら？").User("3つのファイルに分けて2個だけ残して")
	for _, d := range fold(s).Decisions {
		if strings.Contains(strings.Join(d.Chosen, " "), "まとめて") {
			t.Errorf("a count was taken for a label: %+v", d)
		}
	}
}

// TestAsking_AQuotationAsksNobody holds that the draft of a text with a question
// in it waits for nobody.
func TestAsking_AQuotationAsksNobody(t *testing.T) {
	s := session().User("write the FAQ").Agent("Rewritten:\n\n> ### Does it run as a daemon?")
	if a := fold(s).Turn.Asked; a != nil {
		t.Errorf("waits for %+v", a)
	}
}

// TestAsking_AdviceBehindTheQuestionHidesNothing holds that a question is read
// where the last line goes on with advice on the options above it.
func TestAsking_AdviceBehindTheQuestionHidesNothing(t *testing.T) {
	for _, last := range []string{"Which do you want? My recommendation is **1**.", "Want me to do #1 (with a test)? It folds cleanly into the branch."} {
		s := session().User("the index is broken").Agent("Two ways:\n\n1. **Rebuild** the index with git\n2. **Look** at the staged files first\n\n" + last)
		a := fold(s).Turn.Asked
		if a == nil || len(a.Options) != 2 || !strings.HasPrefix(last, a.Question) {
			t.Errorf("%q asks %+v", last, a)
		}
	}
}

// TestAsking_AnswersMayBeWordedAsQuestions holds that the question above a list is
// the one that waits, whatever its entries end with.
func TestAsking_AnswersMayBeWordedAsQuestions(t *testing.T) {
	s := session().User("comment on the rules").Agent("What kind of comments are you looking for in `RULES.md`? For example:\n- New rules?\n- Spelling?\n- Something else?")
	if a := fold(s).Turn.Asked; a == nil || !strings.HasPrefix(a.Question, "What kind of comments") {
		t.Errorf("asks %+v", a)
	}
}

// TestAnswer_AShortReplyToAChoiceIsOne holds that words of one's own answer a
// choice, though they share none with it.
func TestAnswer_AShortReplyToAChoiceIsOne(t *testing.T) {
	s := session().User("where does the cleanup go").Agent("Two places:\n\nA) a new hook\nB) the start of a session\n\nWhat do you prefer?")
	s.User("put it in handleSessionEnd")
	if d := fold(s).Decisions; len(d) != 1 || d[0].Chosen[0] != "put it in handleSessionEnd" {
		t.Errorf("decided %+v", d)
	}
}

// A wrapped line goes on with the one above it; an entry that begins with a letter does not.
func TestQuestion_HasItsLetteredOptionsHoweverLongTheyAre(t *testing.T) {
	s := session().User("add an end to the sessions of the shop").Agent(`When is a session over?

A) Only when the hook of the tool says so, as Claude Code and Gemini CLI do
B) After every checkpoint and commit, as long as the session goes on
C) Both: the last activity apart from the end`)
	turn := fold(s).Turn
	if turn == nil || turn.Asked == nil || len(turn.Asked.Options) != 3 {
		t.Fatalf("got %+v", turn)
	}
}

func TestAnswer_IsWhatWasSaidLastBeforeTheAgentActed(t *testing.T) {
	s := session().User("is the research of the pins done?").Read(root + "/research.md").
		Agent("It is done. Want me to note that, and archive the folder of the research?").
		User("yes").User("yes, note it. Delete the folder, don't archive it").Edit(root + "/notes.md")
	got := fold(s).Decisions
	if len(got) != 1 || !strings.Contains(strings.Join(got[0].Chosen, " "), "Delete the folder") {
		t.Errorf("got %+v", got)
	}
}

// The cells of a table ask nobody, its head tells nothing: of each row it is the first cell
// and the last that a question points to.
func TestAsking_ReadsATableByItsRows(t *testing.T) {
	a := asked(t, "So the work is:\n\n| Tool | Hook there? | Needs |\n|---|---|---|\n| Gemini | yes | the field |\n| Claude | no | a hook |\n\nDoes that match?", extract.Options{Root: root})
	if a == nil || a.Context != "So the work is: Gemini: the field; Claude: a hook" {
		t.Errorf("got %+v", a)
	}
	f := fold(session().User("add the hook").Agent("| Tool | Hook there? |\n|---|---|\n| Gemini | yes |\n\nShall the field be written when the session of the shop ends?"))
	if len(f.Questions) > 0 {
		t.Errorf("questions %+v", f.Questions)
	}
}

// A list of findings above an offer is not what is offered, where the sentence before says it.
func TestAsking_AnOfferIsToldByTheSentenceBeforeIt(t *testing.T) {
	s := session().User("why does the index break again and again?").
		Agent("The cause:\n\n1. The import left 465 loose objects.\n2. Each collection removes some of them.\n\nA single collection from the main worktree packs all loose objects and stops the alarms. Want me to run it?").
		User("how large is the repository of the shop by now, and who works in it at night?").Agent("It has 40 MB; nobody does.")
	got := fold(s).Questions
	if len(got) != 1 || !strings.HasPrefix(got[0].Text, "A single collection from the main worktree") || strings.Contains(got[0].Text, "465") {
		t.Errorf("got %+v", got)
	}
}

// What a question itself puts side by side is the choice, whatever list stands above.
func TestAsking_AQuestionThatNamesBothSidesNeedsNoList(t *testing.T) {
	a := asked(t, "Where it matters:\n\n1. The summary reads all lines.\n2. Nothing cuts them.\n\nShall I cut the lines for that summary, or is the whole of it intended?", extract.Options{Root: root})
	if a == nil || len(a.Options) > 0 {
		t.Errorf("got %+v", a)
	}
}

func TestAsking_AskedAgainInOtherWordsStandsOnce(t *testing.T) {
	s := session().User("design the end of sessions").Agent("Here is the outline. Ready to write the design document to `docs/plans/` and go on?").
		User("how does the importer of the shop read its settings?").Agent("From one file. Ready to write the design document of the session's end to `docs/plans/end.md` and commit?").
		User("yes, but no commit")
	if got := fold(s).Questions; len(got) > 0 {
		t.Errorf("got %+v", got)
	}
}

// An answer says little without its question.
func TestTask_WhatIsAskedNowStandsWithWhatItAnswers(t *testing.T) {
	for answer, want := range map[string]string{"option B.": "B) Write in batches", "no, write the rows without a buffer": "Which do you prefer?"} {
		if task := fold(choice(answer)).Task; task.Now != answer || !strings.HasSuffix(task.NowTo, want) {
			t.Errorf("%q: %+v", answer, task)
		}
	}
}

// The options of a question are not what the agent found.
func TestOutcome_HasNoOptions(t *testing.T) {
	s := session().User("where does the id of the session come from?").
		Agent("`handleEnd()` cannot read it twice.\n\nA) **Use the file**: `paths.ReadSession()` has the id\nB) **Change `handleEnd()`** so that `commit()` returns the id\n\nWhich do you prefer?")
	for _, c := range fold(s).Requests[0].Concluded {
		if !strings.Contains(c.Text, "cannot read it twice") {
			t.Errorf("concluded %q", c.Text)
		}
	}
}

// What a question offered is done once the person asks for it, some turns later.
func TestAsking_IsSettledByALaterRequestForIt(t *testing.T) {
	s := session().User("run the smoke test of the shop").Agent("It fails. Shall I fix the bugs in the prompt and in the writer of the notes?").
		User("explain them to me, what is a front matter?").Agent("The head of a note.").User("fix both of the bugs")
	if got := fold(s).Questions; len(got) > 0 {
		t.Errorf("got %+v", got)
	}
}

// A list of questions offers nothing to choose from.
func TestAsking_AListOfQuestionsHasNoOptions(t *testing.T) {
	f := fold(session().User("why was nothing committed?").Agent("It may be a phantom.\n\n1. Was it ever seen in practice?\n2. Is there a way to see it again?\n3. Is this a known fault of the library?"))
	if a := f.Turn.Asked; a == nil || len(a.Options) > 0 || len(f.Questions) != 2 {
		t.Errorf("asks %+v, open %+v", a, f.Questions)
	}
}

// A question too long to be shown is one all the same, and its last clause says what it asks.
// A list whose entries letters count is a choice, whatever the line says that leads to it.
func TestAsking_ALetteredListAtTheEnd(t *testing.T) {
	s := session().User("keep when a session ended").Agent("It is not kept now.\n\n**One thing:** The time should be:\n\nA) when the session closed\nB) of the last checkpoint\nC) Something else?")
	turn := fold(s).Turn
	if turn.Asked == nil || len(turn.Asked.Options) != 3 || turn.Asked.Options[1].Text != "of the last checkpoint" {
		t.Fatalf("got %+v", turn)
	}
	if turn = fold(s.User("B")).Turn; turn.Asked != nil {
		t.Errorf("answered: %+v", turn)
	}
	if turn = fold(session().User("keep when a session ended").Agent("Done:\n\n- the time is kept\n- the list shows it")).Turn; turn.Asked != nil {
		t.Errorf("no letters: %+v", turn)
	}
}

func TestQuestion_TooLongToBeShown(t *testing.T) {
	s := session().User("is there anything in the review to be posted?").Agent("Two things:\n\n1. The lookup of the folder is not checked for an empty name.\n2. Worth a later note: the index has the limit of the old one.\n\n" +
		"Posting these to the request is a step that everybody in the project can see and that cannot be taken back without a trace — want me to go ahead and add them as comments of a review on request 29 with `gh pr review`, or were you just asking what it said?")
	if asked := fold(s).Turn.Asked; asked == nil || !strings.HasPrefix(asked.Question, "want me to go ahead") || asked.Context != "" {
		t.Fatalf("asked: %+v", asked)
	}
	now := fold(s.User("yes add those, please")).Task.Now + fold(s).Task.NowTo
	if strings.Contains(now, "Worth a later note") {
		t.Errorf("the yes is to %q", now)
	}
}
