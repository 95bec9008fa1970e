package files

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// folder is what a listing showed of a folder.
type folder struct {
	names  map[string]bool
	hidden bool // names that begin with a dot were listed too
}

// maxFolders bounds how many folders are remembered with what they hold.
const maxFolders = 40

// listed is the folder whose content a call prints. Only says that it prints nothing but names.
func listed(c *timeline.OpenCall) (dir string, only, ok bool) {
	given := ""
	if len(c.Info.Paths) > 0 {
		given = c.Info.Paths[0]
	}
	switch m := c.Info.Meaning; {
	case given != "" && m == transcript.Search:
		return given, c.Info.Detail == given, !isFile(given)
	case given != "" && m == transcript.Read:
		return given, false, path.Ext(given) == ""
	case m == transcript.Shell && (c.Family == "ls" || c.Family == "tree") && len(c.Primary.Argv) > 0:
		args := paths.Operands(c.Primary.Argv[1:])
		if len(args) == 0 {
			return cmp.Or(c.Primary.Dir, "."), true, true
		}
		return path.Join(c.Primary.Dir, args[0]), true, !slices.ContainsFunc(args, isFile)
	}
	return "", false, false
}

// isFile says that a path is a file's by its ending.
func isFile(p string) bool { return paths.BareExt[strings.TrimPrefix(path.Ext(p), ".")] }

// listing joins the bare names of a listing to their folders: those indented under a name to that.
func (n *Named) listing(e *timeline.Event, dir string, only bool) {
	text := prose.Excerpt(output.StripANSI(e.Result.Text))
	var found []string
	var above nesting
	shown := map[string][]string{} // the names of each folder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if of, ok := strings.CutSuffix(line, ":"); ok && !strings.Contains(of, " ") {
			dir, above = of, nil // ls of several folders
			continue
		}
		at, name := lastName(line)
		switch {
		case name == "" || !only && at < 0:
		case strings.HasPrefix(name, "/") && strings.HasSuffix(name, "/"), name == dir:
			dir, above = strings.TrimSuffix(name, "/"), nil
		default:
			in := path.Join(dir, above.under(at, name))
			name = strings.TrimRight(name, "/*@")
			shown[in] = append(shown[in], name)
			if isFile(name) {
				n.bases.add(path.Base(name))
			}
			if p := e.Paths.Rel(path.Join(in, name), e.ToolCall.Info.Cwd); len(found) < perText && isFile(name) && !strings.Contains(name, "/") && p != "" && paths.Inside(p) && !paths.Generated(p) {
				found = append(found, p)
			}
		}
	}
	if only && text == e.Result.Text && timeline.Passed(e) && entire(e.ToolCall) {
		n.remember(e, dir, shown[dir])
	}
	n.mention(e, found, inListing)
}

// lastName is the name a line of a listing ends in, and in which column it begins; -1 where it
// stands behind other columns, as the rights of the file and its size.
func lastName(line string) (int, string) {
	fields := strings.Fields(strings.TrimLeft(line, " \t*-+|│├└─`\u00a0"))
	if len(fields) == 0 {
		return 0, ""
	}
	name := fields[len(fields)-1]
	if len(fields) > 1 {
		return -1, name
	}
	return utf8.RuneCountInString(line[:strings.LastIndex(line, name)]), name
}

// nesting are the names that the next line may be indented under.
type nesting []struct {
	at   int
	name string
}

// under is the folder of a name that begins in that column.
func (n *nesting) under(at int, name string) string {
	for len(*n) > 0 && (*n)[len(*n)-1].at >= at {
		*n = (*n)[:len(*n)-1]
	}
	in := ""
	for _, folder := range *n {
		in = path.Join(in, folder.name)
	}
	if at >= 0 {
		*n = append(*n, struct {
			at   int
			name string
		}{at, name})
	}
	return in
}

// entire says that a call lists all that a folder holds, and nothing cuts its output down.
func entire(c *timeline.OpenCall) bool {
	return c.Info.Meaning != transcript.Shell || c.Family == "ls" && c.Primary.Next != "|" && !slices.ContainsFunc(c.Primary.Argv[1:], paths.Unclear)
}

// remember notes what a folder holds.
func (n *Named) remember(e *timeline.Event, dir string, names []string) {
	in := path.Dir(e.Paths.Rel(path.Join(dir, "x"), e.ToolCall.Info.Cwd))
	if len(names) == 0 || !paths.Inside(in) {
		return
	}
	if n.folders == nil {
		n.folders = map[string]folder{}
	}
	if len(n.folders) >= maxFolders && n.folders[in].names == nil {
		return
	}
	listed := folder{names: prose.SetOf(strings.Join(names, " "))}
	listed.hidden = slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, ".") })
	n.folders[in] = listed
}

// notListed says that the folder of a file was listed without it, or that of one of its folders.
func (n *Named) notListed(p string) bool {
	for ; p != "." && p != "/"; p = path.Dir(p) {
		in, known := n.folders[path.Dir(p)]
		if name := path.Base(p); known && !in.names[name] && (in.hidden || !strings.HasPrefix(name, ".")) {
			return true
		}
	}
	return false
}
