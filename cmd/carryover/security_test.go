package main_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every line of the threat model names tests that there are, in the package it names.
func TestSecurity_EveryTestIsThere(t *testing.T) {
	page, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testsByFolder(t)
	rows := 0
	who := map[string]int{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || strings.Contains(line, "| test |") {
			continue
		}
		rows++
		for _, actor := range strings.Split(cells[0], ",") {
			who[strings.TrimSpace(actor)]++
		}
		checkRow(t, tests, strings.TrimSpace(cells[2]))
	}
	for _, actor := range []string{"other user", "page", "repository", "transcript", "agent"} {
		if who[actor] < 3 {
			t.Errorf("%d lines are about %s", who[actor], actor)
		}
	}
	if rows < 30 {
		t.Errorf("only %d lines were found", rows)
	}
}

// named is `package`: and then the tests that follow it, each in backquotes.
var (
	inRow  = regexp.MustCompile("`([a-z/-]+)`: ((?:`[A-Za-z_/]+`(?:, )?)+)")
	quoted = regexp.MustCompile("`([A-Za-z_]+)(?:/([a-z_]+))?`")
)

func checkRow(t *testing.T, tests map[string]string, cell string) {
	t.Helper()
	found := inRow.FindAllStringSubmatch(cell, -1)
	if len(found) == 0 {
		t.Errorf("no test is named in %q", cell)
	}
	for _, one := range found {
		for _, name := range quoted.FindAllStringSubmatch(one[2], -1) {
			if !has(tests, one[1], name[1]) {
				t.Errorf("%s has no test %s", one[1], name[1])
			}
			if _, err := os.Stat(filepath.Join("testdata", "script", name[2]+".txtar")); name[2] != "" && err != nil {
				t.Errorf("there is no script %s", name[2])
			}
		}
	}
}

// has says whether the tests of a package, which is named by the end of its folder,
// have one of a name.
func has(tests map[string]string, folder, name string) bool {
	for dir, text := range tests {
		if (dir == folder || strings.HasSuffix(dir, "/"+folder)) && strings.Contains(text, "func "+name+"(") {
			return true
		}
	}
	return false
}

// testsByFolder is the text of all tests of each folder.
func testsByFolder(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && len(entry.Name()) > 2 {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			dir := filepath.ToSlash(filepath.Dir(path))
			all[dir] += string(bytes.ReplaceAll(text, []byte("\r"), nil))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
