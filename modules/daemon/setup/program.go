package setup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// notInProgram lists the names that stand in none of a program's files.
func notInProgram(ctx context.Context, binary string, names []string) ([]string, error) {
	real, err := filepath.EvalSymlinks(binary)
	if err != nil {
		return nil, err
	}
	missing := slices.Clone(names)
	for _, root := range programRoots(real) {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case len(missing) == 0:
				return fs.SkipAll
			case err != nil || !entry.Type().IsRegular():
				return nil //nolint:nilerr // what cannot be read has no names
			}
			missing = notInFile(path, missing)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// programRoots are where a program's code lies: the file itself, or for one
// that npm put there its package and those beside it that are named after it
// (the builds for a platform).
func programRoots(real string) []string {
	dir, inside, ok := strings.Cut(filepath.ToSlash(real), "/node_modules/")
	if !ok {
		return []string{real}
	}
	parts := strings.Split(inside, "/")
	scope := filepath.Join(filepath.FromSlash(dir), "node_modules")
	if strings.HasPrefix(parts[0], "@") && len(parts) > 1 {
		scope, parts = filepath.Join(scope, parts[0]), parts[1:]
	}
	beside, err := filepath.Glob(filepath.Join(scope, parts[0]+"*"))
	if err != nil || len(beside) == 0 {
		return []string{real}
	}
	return beside
}

// chunk is how much of a file is looked at in one go.
const chunk = 1 << 20

// notInFile takes out of a list the names that stand in a file.
func notInFile(path string, names []string) []string {
	file, err := os.Open(path)
	if err != nil {
		return names
	}
	defer func() { _ = file.Close() }()
	missing := slices.Clone(names)
	buffer := make([]byte, 0, chunk)
	for len(missing) > 0 {
		n, err := io.ReadFull(file, buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		missing = slices.DeleteFunc(missing, func(name string) bool { return bytes.Contains(buffer, []byte(name)) })
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return names
			}
			break
		}
		tail := buffer[len(buffer)-longest(names):] // a name may lie across the cut
		buffer = append(buffer[:0], tail...)
	}
	return missing
}

func longest(names []string) int {
	n := 0
	for _, name := range names {
		n = max(n, len(name))
	}
	return n
}
