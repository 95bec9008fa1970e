package memory

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/patch"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// byCommand is the change of a file by a shell command: that it changed is known from the
// command, what was changed is not.
const byCommand = "command"

// changers are the programs that change the files they are given; those with true only the
// last one.
var changers = map[string]bool{
	"tee": false, "rm": false, "unlink": false, "mv": false, "truncate": false, "shred": false, "patch": false, "dos2unix": false,
	"cp": true, "install": true, "ln": true, "rsync": true,
}

// editors change files in place when they have this flag.
var editors = map[string]string{"sed": "i", "gsed": "i", "perl": "i", "ruby": "i"}

// gitChangers are the commands of git that change the files they are given.
var gitChangers = map[string]bool{"mv": true, "rm": true, "restore": true, "checkout": true}

// changedBy are the paths that a shell text changes, as far as they stand in it.
func changedBy(text string) []string {
	var paths []string
	for _, command := range shell.Commands(text) {
		for _, changed := range append(slices.Clone(command.Writes), changedFiles(shell.Unwrap(command.Argv))...) {
			if !path.IsAbs(changed) {
				changed = path.Join(command.Dir, changed)
			}
			paths = append(paths, changed)
		}
	}
	if strings.Contains(text, "apply_patch") {
		for _, change := range patch.Parse(text) {
			paths = append(paths, change.Paths()...)
		}
	}
	return paths
}

// changedFiles are the arguments of one command that name files it changes.
func changedFiles(argv []string) []string {
	if len(argv) < 2 {
		return nil
	}
	program, args := shell.Program(argv), argv[1:]
	if program == "git" {
		if !gitChangers[args[0]] {
			return nil
		}
		program, args = "mv", args[1:]
	}
	files := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return strings.HasPrefix(arg, "-") })
	if len(files) == 0 {
		return nil
	}
	last := files[len(files)-1]
	if flag, is := editors[program]; is {
		if !slices.ContainsFunc(args, func(arg string) bool { return inPlace(arg, flag) }) {
			return nil
		}
		return files
	}
	onlyLast, is := changers[program]
	switch {
	case !is:
		return nil
	case onlyLast:
		return []string{last, path.Join(last, path.Base(files[0]))}
	case program == "mv": // into a folder, perhaps
		return append(files, path.Join(last, path.Base(files[0])))
	}
	return files
}

// inPlace says that an argument is, or holds, the flag that changes a file in place.
func inPlace(arg, flag string) bool {
	if strings.HasPrefix(arg, "--") {
		return strings.HasPrefix(arg, "--in-place")
	}
	letters, is := strings.CutPrefix(arg, "-")
	letters, _, _ = strings.Cut(letters, ".") // -i.bak
	return is && strings.Contains(letters, flag)
}

// changedIn says that a shell call changes a file.
func changedIn(event transcript.Located, is func(path string) bool) bool {
	call := event.Call
	return call != nil && call.Meaning == transcript.Shell && slices.ContainsFunc(changedBy(call.Command), is)
}
