package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/ledgertest"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// keepsAlone is a ledger with what no transcript has: agents, decisions of the
// gate, a second path of a project.
func keepsAlone(t testing.TB, path string, batches []ledger.Batch) {
	t.Helper()
	ctx := context.Background()
	log := open(t, path)
	for _, batch := range batches {
		if _, err := log.Append(ctx, batch); err != nil {
			t.Fatal(err)
		}
	}
	project, err := log.Project(ctx, ledger.ProjectIdentity{Common: "/home/dev/app0", Worktree: "/home/dev/app0"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.MoveProject(ctx, "/home/dev/app0", "/srv/app0"); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for i := range 40 {
		name := fmt.Sprintf("agent-%d", i)
		if err := log.PutAgentLedger(ctx, project.ID, ledger.AgentLedger{AgentName: name, CurrentTask: "part " + name, UpdatedAt: at}); err != nil {
			t.Fatal(err)
		}
		handoff := ledger.AgentHandoff{ID: fmt.Sprintf("%012x", i), AgentName: name, Summary: "did " + name, Learnings: []string{"learnt " + name}, CreatedAt: at}
		if err := log.PutHandoff(ctx, project.ID, handoff); err != nil {
			t.Fatal(err)
		}
		restore := ledger.Restore{Session: ledger.SessionKey{Tool: "claude-code", ID: fmt.Sprintf("s%d", i)}, Decision: "dismissed", Reason: "by the user", Time: at.Add(time.Duration(i) * time.Second)}
		if err := log.RecordRestore(ctx, restore); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

func none(string, string) error { return fs.ErrNotExist }

// recovered salvages into a new ledger and says what that one has.
func recovered(t testing.TB, damaged string, first []ledger.Batch) (ledger.Salvaged, ledger.Digest, *sqlite.Store) {
	t.Helper()
	log := open(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	for _, batch := range first {
		if _, err := log.Append(context.Background(), batch); err != nil {
			t.Fatal(err)
		}
	}
	got, err := log.Salvage(context.Background(), damaged, none)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := log.Digest(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return got, digest, log
}

// Without any damage everything comes over, and a second time nothing does.
func TestSalvage_BringsEverythingOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	batches := ledgertest.History(60)
	keepsAlone(t, path, batches)
	want := digestAt(t, path)
	for name, first := range map[string][]ledger.Batch{"no transcript": nil, "one transcript": batches[1:2]} {
		t.Run(name, func(t *testing.T) {
			got, digest, log := recovered(t, path, first)
			if digest != want || got.Lost != 0 || len(got.LostAgents) != 0 || got.LostRestores != 0 {
				t.Errorf("%+v with %+v, want %+v", got, digest, want)
			}
			if got.Agents != 120 || got.Restores != 40 {
				t.Errorf("%d records of agents and %d decisions, want 120 and 40", got.Agents, got.Restores)
			}
			if project, err := log.MoveProject(t.Context(), "/srv/app0", "/srv/app0"); err != nil || len(project.Paths) < 2 {
				t.Errorf("the moved project is %+v, %v", project, err)
			}
			again, err := log.Salvage(t.Context(), path, none)
			if err != nil || again.Events != 0 || again.Agents != 0 || again.Restores != 0 {
				t.Errorf("the second time: %+v, %v", again, err)
			}
		})
	}
}

func digestAt(t testing.TB, path string) ledger.Digest {
	t.Helper()
	log, err := sqlite.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	digest, err := log.Digest(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// damage changes a file in one of the ways that disks and programs do.
func damage(random *rand.Rand, content []byte) (how string, damaged []byte) {
	damaged = append([]byte{}, content...)
	pages := len(content) / 4096
	page := random.IntN(pages)
	at := page * 4096
	switch random.IntN(6) {
	case 0:
		for i := at; i < at+4096; i++ {
			damaged[i] = byte(random.Uint32())
		}
		return fmt.Sprintf("page %d overwritten", page+1), damaged
	case 1:
		clear(damaged[at : at+4096])
		return fmt.Sprintf("page %d zeroed", page+1), damaged
	case 2:
		for range 8 {
			damaged[at+random.IntN(4096)] ^= 1 << random.IntN(8)
		}
		return fmt.Sprintf("8 bits of page %d turned", page+1), damaged
	case 3:
		from := random.IntN(pages)
		copy(damaged[at:at+4096], content[from*4096:])
		return fmt.Sprintf("page %d is a copy of page %d", page+1, from+1), damaged
	case 4:
		return fmt.Sprintf("cut off in page %d", page+1), damaged[:at+random.IntN(4096)]
	default:
		for i := at; i < min(len(damaged), at+16*4096); i++ {
			damaged[i] = byte(random.Uint32())
		}
		return fmt.Sprintf("16 pages from %d overwritten", page+1), damaged
	}
}

// Whatever page is hit, with no transcript left, each event is there as it was or
// is counted as lost; with the transcripts, none is lost. A seed gives the same
// damages again.
func TestSalvage_NamesWhatDamageTook(t *testing.T) {
	const seed, damages = 7, 40
	dir := t.TempDir()
	path := filepath.Join(dir, "ledger.sqlite")
	batches := ledgertest.History(600)
	keepsAlone(t, path, batches)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := bodies(t, path)
	want := digestAt(t, path)
	random := rand.New(rand.NewPCG(seed, 0))
	for n := range damages {
		how, damaged := damage(random, content)
		hurt := filepath.Join(dir, fmt.Sprintf("damaged-%d", n))
		if err := os.WriteFile(hurt, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		got, _, log := recovered(t, hurt, nil)
		left := storedBodies(t, log)
		for id, body := range left {
			if whole[id] != body {
				t.Errorf("%d, %s: event %s came over as something else", n, how, id)
			}
		}
		if missing := len(whole) - len(left); missing != got.Lost && (!got.AtLeast || missing < got.Lost) {
			t.Errorf("%d, %s: %d events are missing, %d are said to be lost", n, how, missing, got.Lost)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		var digest ledger.Digest
		got, digest, log = recovered(t, hurt, batches)
		if digest != want || got.Lost != 0 {
			t.Errorf("%d, %s: with the transcripts %d of %d events, %d lost", n, how, digest.Events, want.Events, got.Lost)
		}
		if err := errors.Join(log.Close(), os.Remove(hurt)); err != nil {
			t.Fatal(err)
		}
	}
}

func bodies(t testing.TB, path string) map[string]string {
	t.Helper()
	log, err := sqlite.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	return storedBodies(t, log)
}

// storedBodies are all events of all sessions, by id.
func storedBodies(t testing.TB, log *sqlite.Store) map[string]string {
	t.Helper()
	found := map[string]string{}
	sessions, err := log.Sessions(context.Background(), ledger.SessionFilter{Subagents: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		events := map[string]string{}
		for located, err := range log.Events(context.Background(), session.SessionKey) {
			if err != nil {
				t.Fatal(err)
			}
			body, err := ledger.EncodeBody(&located.Event)
			if err != nil {
				t.Fatal(err)
			}
			events[located.ID] = string(body)
		}
		maps.Copy(found, events)
	}
	return found
}

// Damage that SQLite does not see is found by the checksums.
func TestCheck_SeesAChangedText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	keepsAlone(t, path, ledgertest.History(20))
	if err := sqlite.Check(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	// An id, a note, and what is inside of a block of bodies, behind its beginning.
	for text, behind := range map[string]int{"first-3": 0, "part agent-7": 0, "\x28\xb5\x2f\xfd": 40} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.LastIndex(content, []byte(text))
		changed := append([]byte{}, content...)
		changed[at+behind] ^= 1
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := sqlite.Check(t.Context(), path); !errors.Is(err, ledger.ErrCorrupt) {
			t.Errorf("%q with another letter: %v", text, err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Raw records come over too: the tool may have deleted its file.
func TestSalvage_BringsRawRecordsOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	batch := ledgertest.History(10)[0]
	keepsAlone(t, path, []ledger.Batch{batch})
	old := open(t, path)
	const text = "{\"text\":\"one\"}\n"
	piece := ledger.OriginalPiece{Tool: batch.Source.Tool, Path: batch.Source.Path, Text: []byte(text)}
	if err := old.KeepOriginals(t.Context(), []ledger.OriginalPiece{piece}); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, log := recovered(t, path, nil)
	got := ""
	for part, err := range log.Original(t.Context(), batch.Source.Tool, batch.Source.Path) {
		if err != nil {
			t.Fatal(err)
		}
		got += string(part)
	}
	if got != text {
		t.Errorf("%q came over", got)
	}
}
