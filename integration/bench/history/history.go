// Package history writes synthetic transcripts for measurements: the same bytes
// for the same options, on every machine. The mix of records and their lengths
// are those of real sessions of Claude Code and Codex; no text is.
package history

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Options say how much is written.
type Options struct {
	Bytes int64 // size of all files together; the last session may go over it
	Files int   // how many sessions the bytes are spread over; at least 1
	Seed  uint64
	Dir   string // the folder that the projects stand in; /home/dev when empty
}

// Written is what Write has made.
type Written struct {
	Files   int
	Bytes   int64
	Records int
}

// epoch is the time of the first record.
var epoch = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

// Write makes the transcripts below a folder: two of three of Claude Code, the
// third of Codex, in projects of ten sessions each.
func Write(dir string, o Options) (Written, error) {
	var all Written
	words := newVocabulary(o.Seed)
	for n := range max(1, o.Files) {
		one := session{
			words: words, number: n, random: rand.New(rand.NewPCG(o.Seed, uint64(n)+1)),
			at: epoch.Add(time.Duration(n) * time.Minute), cwd: fmt.Sprintf("%s/project%d", cmp.Or(o.Dir, "/home/dev"), n/10),
			size: o.Bytes / int64(max(1, o.Files)),
		}
		if err := one.write(dir); err != nil {
			return all, err
		}
		all.Files++
		all.Bytes += one.bytes
		all.Records += one.records
	}
	return all, nil
}

// session is one transcript that is being written.
type session struct {
	words  *vocabulary
	random *rand.Rand
	number int
	at     time.Time
	cwd    string
	size   int64 // bytes wanted

	out     *bufio.Writer
	calls   int
	bytes   int64
	records int
}

// format is how one tool writes what happens in a session.
type format interface {
	path() string
	begin()
	request(text string)
	think(text string)
	reply(text string)
	run(command, output string, failed bool)
	edit(path, before, after string)
	aside(n int)
}

func (s *session) write(dir string) (err error) {
	var as format = &claudeCode{session: s}
	if s.number%3 == 2 {
		as = &codex{session: s}
	}
	path := filepath.Join(dir, filepath.FromSlash(as.path()))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	s.out = bufio.NewWriterSize(file, 1<<16)
	as.begin()
	if s.size < briefBytes {
		s.brief(as)
	} else {
		for turn := 0; turn == 0 || s.bytes < s.size; turn++ {
			s.turn(as, turn)
		}
	}
	return s.out.Flush()
}

// briefBytes is the size from which a session has turns; a smaller one is brief.
const briefBytes = 4096

// brief is one request, one short run and the answer: 2 to 3 KB.
func (s *session) brief(as format) {
	as.request(s.words.text(s.random, 8, 30))
	as.run("git status --short "+s.words.path(s.random), s.words.text(s.random, 5, 30), false)
	as.reply(s.words.text(s.random, 10, 40))
}

// turn is a step of the agent's work; every twelfth begins with a request.
func (s *session) turn(as format, n int) {
	if n%12 == 0 {
		as.request(s.words.text(s.random, 10, 60))
	}
	if n%2 == 0 {
		as.think(s.words.text(s.random, 40, 300))
	}
	if n%3 == 0 {
		as.reply(s.words.text(s.random, 15, 120))
	}
	if n%4 == 3 {
		as.edit(s.words.path(s.random), s.words.text(s.random, 5, 60), s.words.text(s.random, 10, 90))
	} else {
		as.run("go test ./"+s.words.path(s.random)+" -run "+s.words.word(s.random), s.words.output(s.random), n%9 == 1)
	}
	as.aside(n)
}

// line writes one record; the clock goes on by a bit.
func (s *session) line(record string) {
	n, _ := s.out.WriteString(record) // an error stays, and comes out of Flush
	_ = s.out.WriteByte('\n')
	s.bytes += int64(n) + 1
	s.records++
	s.at = s.at.Add(time.Duration(200+s.random.IntN(4000)) * time.Millisecond)
}

func (s *session) stamp() string { return s.at.Format("2006-01-02T15:04:05.000Z") }

// id is a UUID that only this session has by this number.
func (s *session) id(n int) string {
	return fmt.Sprintf("%08x-%04x-4000-8000-%012x", s.number, n>>16&0xffff, n)
}
