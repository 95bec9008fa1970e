package packaging

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// NARHash is the hash that Nix gives a folder (`nix hash path`): the SHA-256 of its names,
// contents and executable bits in Nix's archive format, which has no times and no owners.
// A flake names the dependencies of a Go program by it.
func NARHash(dir string) (string, error) {
	sum := sha256.New()
	archive := nar{sum}
	if err := archive.words("nix-archive-1"); err != nil {
		return "", err
	}
	if err := archive.node(dir); err != nil {
		return "", err
	}
	return "sha256-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)), nil
}

// nar writes Nix's archive format: words with their length before them, filled up to 8 bytes.
type nar struct{ io.Writer }

func (n nar) words(words ...string) error {
	for _, word := range words {
		padded := make([]byte, 8+(len(word)+7)/8*8)
		binary.LittleEndian.PutUint64(padded, uint64(len(word)))
		copy(padded[8:], word)
		if _, err := n.Write(padded); err != nil {
			return err
		}
	}
	return nil
}

// node writes what is at a path.
func (n nar) node(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return n.folder(path)
	case mode.IsRegular():
		return n.file(path, mode)
	case mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return err
		}
		return n.words("(", "type", "symlink", "target", target, ")")
	}
	return fmt.Errorf("%s is no file, folder or link", path)
}

func (n nar) file(path string, mode fs.FileMode) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	words := []string{"(", "type", "regular"}
	if mode&0o100 != 0 {
		words = append(words, "executable", "")
	}
	return n.words(append(words, "contents", string(text), ")")...)
}

func (n nar) folder(path string) error {
	entries, err := os.ReadDir(path) // in the order of their bytes
	if err != nil {
		return err
	}
	if err := n.words("(", "type", "directory"); err != nil {
		return err
	}
	for _, entry := range entries {
		if err := n.words("entry", "(", "name", entry.Name(), "node"); err != nil {
			return err
		}
		if err := n.node(filepath.Join(path, entry.Name())); err != nil {
			return err
		}
		if err := n.words(")"); err != nil {
			return err
		}
	}
	return n.words(")")
}
