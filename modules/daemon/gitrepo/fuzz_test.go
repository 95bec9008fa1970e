package gitrepo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// madeRepository is a repository with a commit, or none where git is missing.
func madeRepository(f *testing.F) string {
	f.Helper()
	dir := f.TempDir()
	script := "git init -q -b main . && echo x >a && git add a && git -c user.name=a -c user.email=a@b commit -qm 'first'"
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		f.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// FuzzIndex reads whatever stands in git's index: it is told from one that says
// nothing, and a name is found only where its bytes stand.
func FuzzIndex(f *testing.F) {
	data, err := os.ReadFile(filepath.Join(madeRepository(f), ".git", "index"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, "a")
	f.Add(append([]byte("DIRC\x00\x00\x00\x04\xff\xff\xff\xff"), make([]byte, 70)...), "a")
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), ".carryover")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		found, ok := indexHas(data, name)
		if found && ok && !strings.HasPrefix(string(data), "DIRC") {
			t.Errorf("%q is found in what is no index", name)
		}
	})
}

// FuzzFiles reads whatever a repository brings as its git files.
func FuzzFiles(f *testing.F) {
	dir := madeRepository(f)
	hash := strings.Repeat("a1", 20)
	for _, seed := range [][3]string{
		{"ref: refs/heads/main\n", hash + " " + hash + " A <a@b> 1700000000 +0000\tcommit: x\n", "# pack-refs\n" + hash + " refs/heads/main\n"},
		{"ref: ../../../../etc/passwd", "\t\t\t", "^" + hash},
		{hash, strings.Repeat("x", 5000), ""},
		{"ref: refs/heads/\x1b[2J", hash + " " + hash + " A 99999999999999999999 +9999\t", " "},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, head, log, packed string) {
		git := filepath.Join(dir, ".git")
		_ = os.Remove(filepath.Join(git, "refs", "heads", "main"))
		for path, text := range map[string]string{"HEAD": head, "logs/HEAD": log, "packed-refs": packed} {
			if err := os.WriteFile(filepath.Join(git, path), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w, ok := Find(dir)
		if !ok {
			return
		}
		branch, commit := w.Head()
		if commit != "" && !isHash(commit) || strings.ContainsAny(branch, "\n\x1b\x00") {
			t.Errorf("HEAD is %q at %q", branch, commit)
		}
		w.Moves()
		w.Since(hash)
		w.UnderWay()
		w.MadeSince(time.Unix(0, 0))
	})
}

// One long name that every entry of version 4 repeats is not put together again and
// again.
func TestIndex_RepeatsNoLongName(t *testing.T) {
	data := []byte("DIRC\x00\x00\x00\x04\x00\x01\x00\x00")
	first := true
	for range 1 << 16 {
		data = append(data, make([]byte, entryFixed)...)
		data = append(data, 0) // nothing stripped
		if first {
			data, first = append(data, strings.Repeat("x", 1<<20)...), false
		}
		data = append(data, 0)
	}
	if allocated := testing.AllocsPerRun(1, func() {
		if found, ok := indexHas(data, "none"); found || ok {
			t.Error("it is read as a sound index")
		}
	}); allocated > 100 {
		t.Errorf("%.0f pieces of memory were taken", allocated)
	}
}

// A secret in a branch's name or a commit's subject is hidden where it is read: what is
// read here is kept as part of ids, compared and published.
func TestRead_HidesSecretsOfBranchAndSubject(t *testing.T) {
	secret := "gh" + "p_" + "Zq7Kx9Wm2Rt4Bv6NabcdEFGH1234ijklMNOP"
	dir := t.TempDir()
	cmd := exec.Command("sh", "-c", "git init -q -b "+secret+" . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m 'use "+secret+"'")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w, ok := Find(dir)
	if !ok {
		t.Fatal("no repository")
	}
	branch, commit := w.Head()
	moves := w.Moves()
	if commit == "" || len(moves) != 1 {
		t.Fatalf("%q, %v", commit, moves)
	}
	for _, text := range append(w.LastCommits(t.Context(), 3), branch, moves[0].Subject, Look(dir).Branch) {
		if strings.Contains(text, secret) || !strings.Contains(text, "[redacted:") {
			t.Errorf("%q", text)
		}
	}
}
