// Package paths finds file paths in text and in shell commands, and shows them
// relative to the project.
package paths

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// sourceExt are the file name endings that make a bare word a file.
var sourceExt = prose.SetOf("go py pyi ts tsx js jsx mjs cjs rs rb php java kt kts swift c h cc cpp hpp cs m mm scala sh bash zsh fish ps1 " +
	"sql html css scss less vue svelte astro md mdx rst txt json jsonl jsonc yaml yml toml ini cfg conf xml lock mod sum proto " +
	"graphql tf nix lua dart ex exs erl hs ml clj r jl zig gradle csv ipynb env example tmpl hbs ejs prisma bat 1 snap golden")

// BareExt are those that count without a folder in front of the name.
var BareExt = prose.SetOf("go py ts tsx js jsx mjs cjs rs rb php java kt swift c h cc cpp hpp cs sh ps1 sql html css scss vue svelte md mdx " +
	"json yaml yml toml xml proto tf nix lua dart ex exs")

// Resolver makes paths relative to the project.
type Resolver struct {
	Root string // absolute, "" while unknown
	Cwd  string // where the agent stands
}

// Rel is p as the handoff shows it: relative to the project where it lies in
// it, else as it was given; "" for what is no path.
func (pl Resolver) Rel(p, cwd string) string {
	p = strings.TrimSpace(strings.ReplaceAll(p, `\`, "/"))
	p = strings.TrimPrefix(p, "file://")
	if p == "" || len(p) > 300 || strings.ContainsAny(p, "\n\r\t\x00*?<>|\"") {
		return ""
	}
	if !IsAbs(p) {
		if strings.HasPrefix(p, "~") || strings.HasPrefix(p, "$") {
			return p
		}
		if cwd == "" {
			cwd = pl.Cwd
		}
		if cwd == "" {
			return strings.TrimPrefix(path.Clean(p), "./")
		}
		p = path.Join(strings.ReplaceAll(cwd, `\`, "/"), p)
	}
	p = path.Clean(p)
	root := strings.TrimSuffix(strings.ReplaceAll(pl.Root, `\`, "/"), "/")
	if root != "" {
		if rest, ok := strings.CutPrefix(p, root+"/"); ok {
			return rest
		}
		if p == root {
			return ""
		}
	}
	return p
}

// Folder is where a program ran that went from cwd to a folder before, "" for none.
func (pl Resolver) Folder(dir, cwd string) string {
	switch {
	case dir == "":
		return cwd
	case !Inside(dir) && !strings.HasPrefix(dir, ".."), cwd == "" && pl.Cwd == "":
		return dir
	}
	return path.Join(cmp.Or(cwd, pl.Cwd), dir)
}

// IsAbs says whether a path is absolute, on Windows too.
func IsAbs(p string) bool {
	return strings.HasPrefix(p, "/") || (len(p) > 2 && p[1] == ':' && p[2] == '/')
}

// Inside says whether a shown path lies in the project.
func Inside(p string) bool {
	return !IsAbs(p) && !strings.HasPrefix(p, "~") && !strings.HasPrefix(p, "..") && !strings.HasPrefix(p, "$")
}

// Generated files are made by a program: locks, builds, vendored code.
func Generated(p string) bool {
	base := path.Base(p)
	switch base {
	case "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "go.sum", "Cargo.lock", "poetry.lock", "uv.lock", "composer.lock", "Gemfile.lock", "bun.lockb", "flake.lock":
		return true
	}
	if strings.HasSuffix(base, ".lock") || strings.HasSuffix(base, ".min.js") || strings.HasSuffix(base, ".snap") ||
		strings.HasSuffix(base, ".pb.go") || strings.HasSuffix(base, ".map") {
		return true
	}
	for _, dir := range []string{"node_modules/", "vendor/", "target/", "__pycache__/", ".git/", ".next/", ".venv/", ".husky/_/"} {
		if strings.HasPrefix(p, dir) || strings.Contains(p, "/"+dir) {
			return true
		}
	}
	return false
}

// FolderNamed is the name of a folder that a text names and that holds all of the files, "" for none.
func FolderNamed(text string, files []string) string {
	for _, folder := range Folders(text) {
		if !slices.ContainsFunc(files, func(p string) bool { return !strings.HasPrefix(p, folder+"/") }) {
			return path.Base(folder)
		}
	}
	return ""
}

// Folders are the folders outside the project as a request names them: "../tap/", "~/notes".
func Folders(text string) []string { return folder.FindAllString(text, maxFolders) }

var folder = lazyregexp.New(`(?:\.\./|~/|\B/)[\w./@-]*[\w@-]`)

// maxFolders bounds how many of them are looked at.
const maxFolders = 8

// Unclear is a path that only a shell can read: it has a pattern or a variable in it, or is
// an assignment.
func Unclear(p string) bool { return Variable(p) || strings.Contains(p, "*") }

// Variable is a path that has a variable in it, or is an assignment: which files it means nobody
// but the shell knows, while those of a pattern can be looked for.
func Variable(p string) bool { return strings.ContainsAny(p, "$`{}=") }

// Scratch files lie outside the project in a temporary place.
func Scratch(p string) bool {
	return prose.HasPrefixAny(p, "/tmp/", "/private/tmp/", "/var/folders/", "/dev/", "/proc/", "../tmp")
}

// Checked says that a test or a linter may say something else once a file is changed: of a text
// for people it does not.
func Checked(p string) bool { return !forPeople[strings.ToLower(path.Ext(p))] }

var forPeople = prose.SetOf(".md .txt .rst .adoc")

// pathByte says which bytes a path token is made of.
var pathByte = func() (t [256]bool) {
	for c := range 256 {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._-/@+~$[]():", byte(c)) >= 0 || c >= 0x80
	}
	return t
}()

// Each calls yield with every file path named in a text, in order. A hand
// written scanner: it runs over every tool output.
func Each(text string, yield func(p string, at int)) {
	for i := 0; i < len(text); {
		if !pathByte[text[i]] {
			i++
			continue
		}
		start, dot := i, false
		escaped := i > 0 && text[i-1] == '\\' && strings.IndexByte("ntr", text[i]) >= 0
		if escaped {
			start++ // a line end, as JSON writes it
		}
		for i < len(text) && pathByte[text[i]] {
			if text[i] >= utf8.RuneSelf {
				size, parts := parted(text[start:], i-start, dot)
				if parts == before {
					break
				}
				if i += size; parts == behind {
					start, dot = i, false
				}
				continue
			}
			dot = dot || text[i] == '.'
			i++
		}
		if dot && start < i && i-start < 200 && !unclear(text, start, i, escaped) {
			if p := pathToken(diffSide(text, start, i)); p != "" {
				yield(p, start)
			}
		}
	}
}

// unclear says that nothing tells what a token is: a part of src\tests\run.py of Windows, a name after a line end
// that JSON writes, or the rest of a name whose underscore Markdown escapes.
func unclear(text string, start, end int, escaped bool) bool {
	return escaped && start > 2 && pathByte[text[start-3]] && !strings.Contains(text[start:end], "/") ||
		text[start] == '_' && start > 0 && text[start-1] == '\\'
}

// Where a letter of another script parts two names.
const (
	nowhere = iota
	before
	behind
)

// parted is how long the character at a place of a token is, and where it parts names: an arrow or a
// bullet does, and a word of a script that puts no space between it and a name. dot says that the name
// before it has one.
func parted(token string, at int, dot bool) (size, where int) {
	r, size := utf8.DecodeRuneInString(token[at:])
	next := at + size
	switch {
	case dot && unspaced(r) && plainLetter(token[at-1]):
		return size, before
	case !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r),
		unspaced(r) && next < len(token) && plainLetter(token[next]) && !strings.ContainsAny(token[:next], "./"):
		return size, behind
	}
	return size, nowhere
}

// unspaced says that a letter is of a script without spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// plainLetter says that a byte may begin or end a name of plain characters.
func plainLetter(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_'
}

// diffSide is the token between two places of a text, without the "a/" or "b/" that
// stands before a name in the head of a diff.
func diffSide(text string, start, end int) string {
	token := text[start:end]
	if end-start < 3 || token[1] != '/' || token[0] != 'a' && token[0] != 'b' {
		return token
	}
	line := text[max(0, start-diffHead):start]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if line == "--- " || line == "+++ " || strings.HasPrefix(line, "diff --git ") {
		return token[2:]
	}
	return token
}

// diffHead bounds how far back the start of a diff's head is looked for, in bytes.
const diffHead = 250

// pathToken reads a token as a path, without line numbers and brackets around
// it, or returns "".
func pathToken(tok string) string {
	if strings.LastIndexByte(tok, '$') > 0 || strings.Contains(tok, "://") || strings.Contains(tok, "...") || strings.Contains(tok, "](") || strings.Count(tok, ")") > strings.Count(tok, "(")+1 {
		return ""
	}
	tok = withoutBrackets(tok)
	if i := strings.IndexByte(tok, ':'); i > 1 { // a.go:12:3, Foo.java:12)
		tok = tok[:i]
	}
	if i := strings.IndexByte(tok, '('); i > 0 && strings.Count(tok, "(") != strings.Count(tok, ")") {
		tok = tok[:i]
	}
	tok = strings.TrimRight(tok, ".:)]+-/@")
	tok = strings.TrimPrefix(tok, "./")
	if rest, ok := strings.CutPrefix(tok, "a/"); ok && strings.Count(rest, "/") > 0 {
		tok = rest // the two sides of a diff
	} else if rest, ok := strings.CutPrefix(tok, "b/"); ok && strings.Count(rest, "/") > 0 {
		tok = rest
	}
	base := tok[strings.LastIndexAny(tok, "/\\")+1:]
	if base == tok && products[strings.ToLower(base)] {
		return ""
	}
	dot := strings.LastIndexByte(base, '.')
	if strings.Count(base, "[") != strings.Count(base, "]") {
		return "" // a part of a name
	}
	if dot < 0 || dot == len(base)-1 || strings.Contains(base, "..") || strings.ContainsAny(base, "()$+") || !strings.ContainsFunc(base, unicode.IsLetter) {
		return "" // no name: an address, a version
	}
	ext := base[dot+1:]
	folder := len(base) != len(tok)
	switch {
	case dot == 0, endings[strings.TrimLeft(base[:dot], "._")] && !folder:
		return "" // an ending, and no file: ".test.tsx", "d.ts", "_test.go"
	case folder && !sourceExt[ext], !folder && !BareExt[ext]:
		return ""
	case folder && (looksLikeHost(tok) || gitRef(tok)):
		return ""
	case ext == "1" && endsInVersion(base[:dot]):
		return "" // no manual page
	}
	if folder && !plausible(tok[:len(tok)-len(base)]) {
		return ""
	}
	for _, r := range base[:dot] { // v1.2.md is a file, 1.2 is none
		if r < '0' || r > '9' {
			return tok
		}
	}
	return ""
}

// withoutBrackets is a token without what stands around a path: "([a.go])". A part of
// a route in brackets belongs to the path: "[id].tsx", "[course]/index.tsx".
func withoutBrackets(tok string) string {
	for {
		inner := strings.TrimLeft(tok, "(@:-")
		if rest, ok := strings.CutPrefix(inner, "["); ok {
			closing := strings.IndexByte(rest, ']')
			if closing < 0 || strings.Trim(rest[closing:], "]).:") == "" {
				inner = rest
			}
		}
		if inner == tok {
			return tok
		}
		tok = inner
	}
}

// endings are what stands between the name of a file and its last ending.
var endings = prose.SetOf("d test spec stories module config min")

// plausible says that the folders of a path are some: not "a.md/b.md", two
// files named in one breath, nor "PROJECT_DIR/", a place to be filled in.
func plausible(dirs string) bool {
	for i, part := range strings.Split(strings.Trim(dirs, "/"), "/") {
		if dot := strings.LastIndexByte(part, '.'); dot > 0 && BareExt[part[dot+1:]] {
			return false
		}
		if i == 0 && strings.Contains(part, "_") && part == strings.ToUpper(part) {
			return false
		}
	}
	return true
}

// products are names of programs that look like files.
var products = prose.SetOf("node.js next.js vue.js nuxt.js react.js express.js three.js d3.js chart.js socket.io angular.js ember.js backbone.js deno.js bun.js alpine.js llama.cpp whisper.cpp asp.net")

// looksLikeHost tells "github.com/a/b.go" from "src/a.go".
func looksLikeHost(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	i := strings.LastIndexByte(first, '.')
	if i <= 0 {
		return false
	}
	switch first[i+1:] {
	case "com", "org", "io", "net", "dev", "ai", "app", "co", "in":
		return true
	}
	return false
}

// gitRef says that a path is the full name of a branch or a tag.
func gitRef(p string) bool {
	return prose.HasPrefixAny(p, "refs/heads/", "refs/tags/", "refs/remotes/")
}

// endsInVersion says that a text ends in a number of several parts, or in one behind a mark or a "v".
func endsInVersion(text string) bool {
	before := strings.TrimRight(text, "0123456789.")
	number := text[len(before):]
	return number != "" && (before == "" || strings.Contains(number, ".") || strings.ContainsAny(before[len(before)-1:], "@-v"))
}

// Count says in words how many files there are.
func Count(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// Newest names the first few files of a list by what they are called.
func Newest(files []string) string {
	const named = 3
	var out []string
	for _, p := range files[:min(named, len(files))] {
		out = append(out, path.Base(p))
	}
	if len(files) > named {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}
