package chaos

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// fault is one kind of fault. run does about n of them and counts what came of
// each.
type fault struct {
	name string
	what string
	full int // how many `make chaos` does
	run  func(t *testing.T, random *rand.Rand, n int) outcome
}

// outcome counts faults by what came of them.
type outcome struct {
	done  int
	same  int // the digest is that of an import without any fault
	named int // the loss was named exactly
	least int // it was named as "at least"
}

var faults = []fault{
	{"kill", "the daemon is killed (SIGKILL) while it reads the history", 600, kills},
	{"torn write", "a transcript is cut at any byte, read, and restored", 500, tornWrites},
	{"damaged ledger", "pages are overwritten, zeroed, swapped, bits turned, the file cut; the transcripts are there", 250, damagesWithTranscripts},
	{"damaged ledger, half of the transcripts gone", "the same", 250, damagesWithout},
	{"full disk", "no file may grow beyond a size (RLIMIT_FSIZE)", 120, fullDisks},
	{"few descriptors", "8 to 40 open files are allowed (RLIMIT_NOFILE)", 120, fewDescriptors},
	{"clock", "records of 1970 and 2036, times that go back or are missing; read as the file grows", 150, clocks},
	{"racing settings", "the agent writes its settings while `install` and `uninstall` do", 200, racingSettings},
}

// kills kills ten times in each home, then lets one import end.
func kills(t *testing.T, random *rand.Rand, n int) (o outcome) {
	const perHome = 10
	for o.done < n {
		b := newBox(t)
		b.history(random, 12, 30)
		want := b.undisturbed()
		for range perHome {
			cmd := b.command(filepath.Join(b.bin, "carryoverd"))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		b.run("import")
		o.add(t, perHome, b.digest(), want)
	}
	return o
}

// undisturbed is the digest of an import of the same files into another ledger.
func (b *box) undisturbed() digest {
	b.t.Helper()
	other := b.path("other")
	b.run("import", "--home", other)
	var d digest
	b.decode(b.run("ledger", "digest", "--json", "--home", other), &d)
	if err := os.RemoveAll(other); err != nil {
		b.t.Fatal(err)
	}
	return d
}

// add counts faults that must leave the digest as it is.
func (o *outcome) add(t *testing.T, n int, got, want digest) {
	t.Helper()
	o.done += n
	if got == want {
		o.same += n
		return
	}
	t.Errorf("after %d faults the digest is %+v, want %+v", n, got, want)
}

func tornWrites(t *testing.T, random *rand.Rand, n int) (o outcome) {
	b := newBox(t)
	files := b.history(random, 5, 6)
	names := slices.Sorted(maps.Keys(files))
	want := b.undisturbed()
	for o.done < n {
		for _, name := range names {
			b.write(name, files[name][:random.IntN(len(files[name]))])
		}
		b.run("import")
		for _, name := range names {
			b.write(name, files[name])
		}
		b.run("import")
		o.add(t, len(names), b.digest(), want)
	}
	return o
}

// damaged does random damages to copies of one ledger.
func damaged(t *testing.T, random *rand.Rand, n int, gone func(number int) bool) (o outcome) {
	b := newBox(t)
	files := b.history(random, 8, 12)
	b.run("import")
	want := b.digest()
	content, err := os.ReadFile(b.ledger())
	if err != nil {
		t.Fatal(err)
	}
	for number := range len(files) {
		if gone(number) {
			if err := os.Remove(b.path(transcriptOf(number))); err != nil {
				t.Fatal(err)
			}
		}
	}
	for ; o.done < n; o.done++ {
		how, hurt := damage(random, content)
		if err := os.RemoveAll(b.path(".carryover")); err != nil {
			t.Fatal(err)
		}
		b.write(".carryover/ledger.sqlite", string(hurt))
		var result struct {
			Recovered struct {
				Lost    int  `json:"lost"`
				AtLeast bool `json:"at_least"`
			} `json:"recovered"`
		}
		b.decode(b.run("repair", "--json"), &result)
		got := b.digest()
		missing := want.Events - got.Events
		switch lost := result.Recovered; {
		case got == want && lost.Lost == 0:
			o.same++
		case missing > 0 && missing == lost.Lost:
			o.named++
		case missing > 0 && lost.AtLeast && missing > lost.Lost:
			o.least++
		default:
			t.Errorf("%s: %d events are missing, %d said to be lost (at least: %v)", how, missing, lost.Lost, lost.AtLeast)
		}
	}
	return o
}

func damagesWithTranscripts(t *testing.T, random *rand.Rand, n int) outcome {
	return damaged(t, random, n, func(int) bool { return false })
}

func damagesWithout(t *testing.T, random *rand.Rand, n int) outcome {
	return damaged(t, random, n, func(number int) bool { return number%2 == 0 })
}

// damage changes a file as disks and programs do.
func damage(random *rand.Rand, content []byte) (how string, hurt []byte) {
	const size = 4096
	hurt = slices.Clone(content)
	pages := len(content) / size
	page := random.IntN(pages)
	at := page * size
	noise := func(from, to int) {
		for i := from; i < min(to, len(hurt)); i++ {
			hurt[i] = byte(random.Uint32())
		}
	}
	switch random.IntN(7) {
	case 0:
		noise(at, at+size)
		return fmt.Sprintf("page %d overwritten", page+1), hurt
	case 1:
		clear(hurt[at : at+size])
		return fmt.Sprintf("page %d zeroed", page+1), hurt
	case 2:
		for range 8 {
			hurt[at+random.IntN(size)] ^= 1 << random.IntN(8)
		}
		return fmt.Sprintf("8 bits of page %d turned", page+1), hurt
	case 3:
		from := random.IntN(pages)
		copy(hurt[at:at+size], content[from*size:])
		return fmt.Sprintf("page %d is a copy of page %d", page+1, from+1), hurt
	case 4:
		return fmt.Sprintf("cut in page %d", page+1), hurt[:at+random.IntN(size)]
	case 5:
		from := at + random.IntN(size)
		noise(from, from+64)
		return fmt.Sprintf("64 bytes of page %d overwritten", page+1), hurt
	default:
		noise(at, at+8*size)
		return fmt.Sprintf("8 pages from %d overwritten", page+1), hurt
	}
}

// fullDisks limits the size of files, then lifts the limit.
func fullDisks(t *testing.T, random *rand.Rand, n int) (o outcome) {
	for o.done < n {
		b := newBox(t)
		b.history(random, 6, 10)
		want := b.undisturbed()
		const perHome = 5
		for range perHome {
			b.limited(fmt.Sprintf("ulimit -f %d", random.IntN(1200)), "import")
		}
		b.run("import")
		o.add(t, perHome, b.digest(), want)
	}
	return o
}

func fewDescriptors(t *testing.T, random *rand.Rand, n int) (o outcome) {
	for o.done < n {
		b := newBox(t)
		b.history(random, 6, 10)
		want := b.undisturbed()
		const perHome = 5
		for range perHome {
			b.limited(fmt.Sprintf("ulimit -n %d", 8+random.IntN(33)), "import")
		}
		b.run("import")
		o.add(t, perHome, b.digest(), want)
	}
	return o
}

// clocks reads files as they grow, whose clocks jump.
func clocks(t *testing.T, random *rand.Rand, n int) (o outcome) {
	for o.done < n {
		b := newBox(t)
		at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
		jumps := 0
		clock := func() time.Time {
			at = at.Add(time.Second)
			if random.IntN(6) > 0 {
				return at
			}
			jumps++
			return []time.Time{time.Unix(0, 0), time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC), at.Add(-24 * time.Hour), {}}[random.IntN(4)]
		}
		files := map[string][]string{}
		for number := range 4 {
			files[transcriptOf(number)] = session(random, number, 4, b.path("proj"), clock)
		}
		for _, part := range []float64{0.3, 0.7, 1} {
			for _, name := range slices.Sorted(maps.Keys(files)) {
				lines := files[name]
				b.write(name, strings.Join(lines[:int(part*float64(len(lines)))], ""))
			}
			b.run("import")
		}
		o.add(t, jumps, b.digest(), b.undisturbed())
	}
	return o
}

// racingSettings writes the agent's settings while our hooks come and go: its own
// key must be there as it wrote it last.
func racingSettings(t *testing.T, random *rand.Rand, n int) (o outcome) {
	const perHome = 20
	for o.done < n {
		b := newBox(t)
		settings := filepath.Join(".claude", "settings.json")
		b.write(settings, `{"count": 0}`)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for range 4 {
				b.limited("true", "install", "--tools", "claude-code", "--no-service", "--no-daemon", "--yes")
				b.limited("true", "uninstall", "--yes")
			}
		}()
		last := 0
		for range perHome {
			last = b.count(settings, last)
			time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
		}
		<-ended
		var all struct{ Count int }
		text, err := os.ReadFile(b.path(settings))
		if err != nil || json.Unmarshal(text, &all) != nil || all.Count != last {
			t.Errorf("the settings hold %s (%v), the agent wrote %d last", text, err, last)
		} else {
			o.same += perHome
		}
		o.done += perHome
	}
	return o
}

// count adds one to a key of the settings as an agent does, by a file that takes
// the place of the old one.
func (b *box) count(settings string, last int) int {
	var all map[string]any
	text, err := os.ReadFile(b.path(settings))
	if err != nil || json.Unmarshal(text, &all) != nil {
		b.t.Errorf("the settings cannot be read: %s, %v", text, err)
		return last
	}
	all["count"] = last + 1
	text, _ = json.Marshal(all) // it was decoded a moment ago
	beside := b.path(settings + ".tool")
	if os.WriteFile(beside, text, 0o600) != nil || os.Rename(beside, b.path(settings)) != nil {
		return last
	}
	return last + 1
}
