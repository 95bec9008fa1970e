package containers

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// There is no apk for Debian: what apk would look at is looked at here. A package is a
// stream of control and one of data, the first with the hash of the second.
func TestChannelsAPK_IsWhatAlpineReads(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(snapshot(t), "*_x86_64.apk"))
	if err != nil || len(files) != 1 {
		t.Fatalf("packages of Alpine: %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	control, rest := firstStream(t, data)
	var info string
	for name, content := range untar(t, control) {
		if name == ".PKGINFO" {
			info = content
		}
	}
	sum := sha256.Sum256(rest)
	for _, want := range []string{"pkgname = carryover", "arch = x86_64", "license = Apache-2.0", "datahash = " + hex.EncodeToString(sum[:])} {
		if !strings.Contains(info, want) {
			t.Errorf("the control lacks %q:\n%s", want, info)
		}
	}
	unpacked, _ := firstStream(t, rest)
	held := untar(t, unpacked)
	for _, name := range []string{"usr/bin/carryover", "usr/bin/carryoverd", "usr/bin/carryover-hook"} {
		if !strings.HasPrefix(held[name], "\x7fELF") {
			t.Errorf("%s is no program of Linux", name)
		}
	}
}

// firstStream unpacks the first gzip stream, and returns the bytes behind it.
func firstStream(t *testing.T, data []byte) (unpacked, rest []byte) {
	t.Helper()
	in := bytes.NewReader(data)
	buffered := bufio.NewReader(in)
	stream, err := gzip.NewReader(buffered)
	if err != nil {
		t.Fatal(err)
	}
	stream.Multistream(false)
	if unpacked, err = io.ReadAll(stream); err != nil {
		t.Fatal(err)
	}
	return unpacked, data[len(data)-in.Len()-buffered.Buffered():]
}

// untar is the files of an archive; that of control has no end of its own.
func untar(t *testing.T, data []byte) map[string]string {
	t.Helper()
	files := map[string]string{}
	for archive := tar.NewReader(bytes.NewReader(data)); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(header.Name, "./")] = string(content)
	}
}
