package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// vocabulary gives words as text has them: few are common, most are rare.
type vocabulary struct {
	random *rand.Rand
	zipf   *rand.Zipf
}

func newVocabulary() *vocabulary {
	random := rand.New(rand.NewPCG(1, 2))
	return &vocabulary{random, rand.NewZipf(random, 1.1, 4, 50_000)}
}

func (v *vocabulary) text(words int) string {
	var text strings.Builder
	for range words {
		fmt.Fprintf(&text, "word%d ", v.zipf.Uint64())
	}
	return text.String()
}

// batches makes sessions of 500 events each: a prompt, then calls with their
// output and replies. Bytes is the size of all texts.
func (v *vocabulary) batches(events int) (batches []ledger.Batch, size int64) {
	const perSession = 500
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := 0; n < events; n += perSession {
		session := fmt.Sprintf("session-%d", n/perSession)
		batch := ledger.Batch{Source: ledger.Source{
			Tool: "claude-code", Path: "/sessions/" + session + ".jsonl", Main: session,
			Position: transcript.Position{Offset: perSession * 1000, Line: perSession},
		}}
		for i := range min(perSession, events-n) {
			event := transcript.Event{
				Session: session, ID: fmt.Sprintf("%08x-%04x-4000-8000-%012x#0", v.random.Uint32(), i, n),
				Time: start.Add(time.Duration(n+i) * time.Second),
			}
			switch i % 4 {
			case 0:
				event.Kind, event.Text = transcript.Reply, v.text(30)
			case 1:
				event.Kind = transcript.Call
				event.Call = &transcript.CallInfo{ID: fmt.Sprint("call", n+i), Name: "Bash", Meaning: transcript.Shell, Command: v.text(8)}
			case 2:
				event.Kind = transcript.Result
				event.Result = &transcript.ResultInfo{CallID: fmt.Sprint("call", n+i-1), Text: v.text(120)}
			default:
				event.Kind, event.Text = transcript.Prompt, v.text(25)
			}
			if i == 0 {
				event.WorkDir = &transcript.WorkDir{Cwd: fmt.Sprintf("/home/dev/project%d", n/perSession%20)}
			}
			size += int64(len(event.Text))
			if event.Call != nil {
				size += int64(len(event.Call.Command))
			}
			if event.Result != nil {
				size += int64(len(event.Result.Text))
			}
			batch.Events = append(batch.Events, transcript.Located{
				Event: event, Ref: transcript.Ref{Offset: int64(i) * 1000, Length: 1000, Line: int64(i) + 1},
			})
		}
		batches = append(batches, batch)
	}
	return batches, size
}

func appendBatches(b testing.TB, log ledger.Store, batches []ledger.Batch) {
	b.Helper()
	for _, batch := range batches {
		if _, err := log.Append(context.Background(), batch); err != nil {
			b.Fatal(err)
		}
	}
}

func fileSize(b *testing.B, path string) float64 {
	b.Helper()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return float64(info.Size())
}

// BenchmarkAppend is an import: new events by the hundred.
func BenchmarkAppend(b *testing.B) {
	const events = 20_000
	batches, size := newVocabulary().batches(events)
	b.SetBytes(size)
	for b.Loop() {
		b.StopTimer()
		path := filepath.Join(b.TempDir(), "ledger.sqlite")
		log := open(b, path)
		b.StartTimer()
		appendBatches(b, log, batches)
		b.StopTimer()
		if err := log.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(fileSize(b, path)/float64(size), "file/text")
		b.StartTimer()
	}
	b.ReportMetric(events*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkAppendAgain is an import of what is known.
func BenchmarkAppendAgain(b *testing.B) {
	batches, size := newVocabulary().batches(20_000)
	log := open(b, filepath.Join(b.TempDir(), "ledger.sqlite"))
	appendBatches(b, log, batches)
	b.SetBytes(size)
	for b.Loop() {
		appendBatches(b, log, batches)
	}
}

// BenchmarkAppendOne is a live session: one event at a time.
func BenchmarkAppendOne(b *testing.B) {
	log := open(b, filepath.Join(b.TempDir(), "ledger.sqlite"))
	batches, _ := newVocabulary().batches(500)
	n := 0
	for b.Loop() {
		batch := batches[0]
		batch.Events = []transcript.Located{batch.Events[n%500]}
		batch.Events[0].ID = fmt.Sprint(n)
		batch.Events[0].Ref.Offset = int64(n) * 1000
		batch.Source.Position.Offset = int64(n+1) * 1000
		appendBatches(b, log, []ledger.Batch{batch})
		n++
	}
}

func BenchmarkEvents(b *testing.B) {
	log := open(b, filepath.Join(b.TempDir(), "ledger.sqlite"))
	batches, _ := newVocabulary().batches(500)
	appendBatches(b, log, batches)
	for b.Loop() {
		for _, err := range log.Events(context.Background(), ledger.SessionKey{Tool: "claude-code", ID: "session-0"}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(500*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkSearch100k(b *testing.B) { benchmarkSearch(b, 100_000) }

// BenchmarkSearch1M takes minutes to set up. LEDGER_BENCH_1M names a folder
// that keeps its ledger for the next time.
func BenchmarkSearch1M(b *testing.B) {
	if os.Getenv("LEDGER_BENCH_1M") == "" {
		b.Skip("set LEDGER_BENCH_1M to a folder for a ledger of a million events")
	}
	benchmarkSearch(b, 1_000_000)
}

func benchmarkSearch(b *testing.B, events int) {
	dir := os.Getenv("LEDGER_BENCH_1M")
	if events < 1_000_000 {
		dir = b.TempDir()
	}
	log := searched(b, filepath.Join(dir, "ledger.sqlite"), events)
	sessions, err := log.Sessions(context.Background(), ledger.SessionFilter{Limit: 1})
	if err != nil {
		b.Fatal(err)
	}
	beside := newPlainIndex(b, filepath.Join(dir, "plain.sqlite"), events)
	for _, test := range []struct {
		name  string
		query ledger.Query
	}{
		{"rare", ledger.Query{Text: "word45001"}},
		{"common", ledger.Query{Text: "word0"}},
		{"mixed", ledger.Query{Text: "word0 word300 word12"}},
		{"three common", ledger.Query{Text: "word0 word1 word2"}},
		{"phrase", ledger.Query{Text: `"word0 word1"`}},
		{"prefix", ledger.Query{Text: "word4500*"}},
		{"project", ledger.Query{Text: "word0", Project: sessions[0].Project.ID}},
		{"nothing found", ledger.Query{Text: "wrod45001"}},
	} {
		if test.query.Project == "" {
			b.Run(test.name+"/plain FTS5", func(b *testing.B) { beside.search(b, test.query.Text) })
		}
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := log.Search(context.Background(), test.query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("digest", func(b *testing.B) {
		for b.Loop() {
			if _, err := log.Digest(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	})
}

// searched is a ledger with so many events; one that is there is taken as it
// is.
func searched(b *testing.B, path string, events int) *sqlite.Store {
	b.Helper()
	_, err := os.Stat(path)
	log := open(b, path)
	if err != nil {
		batches, _ := newVocabulary().batches(events)
		appendBatches(b, log, batches)
	}
	return log
}

// BenchmarkEventPart is a part of a session of 100,000 events in one transcript: the
// events before it are counted over an index. With the kinds counted, all places are
// put in order.
func BenchmarkEventPart(b *testing.B) {
	log := open(b, filepath.Join(b.TempDir(), "ledger.sqlite"))
	appendBatches(b, log, longSession(100_000))
	for name, count := range map[string]bool{"events": false, "kinds": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				part, err := log.EventPart(context.Background(), longKey, ledger.EventWindow{Last: true, Count: count})
				if err != nil || part.Total != 100_000 || len(part.Events) != 100 {
					b.Fatal(part.Total, len(part.Events), err)
				}
			}
		})
	}
}

var longKey = ledger.SessionKey{Tool: "claude-code", ID: "long"}

// longSession are the batches of a session with so many events.
func longSession(events int) []ledger.Batch {
	batches, _ := newVocabulary().batches(events)
	for i := range batches {
		for n := range batches[i].Events {
			event := &batches[i].Events[n]
			event.Session = longKey.ID
			event.Ref.Offset += int64(i) << 32
		}
		batches[i].Source.Path, batches[i].Source.Main = "long.jsonl", longKey.ID
		batches[i].Source.Position.Offset += int64(i) << 32
	}
	return batches
}
