package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"aead.dev/minisign"
	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
)

// maxBundle bounds a bundle of specs, in bytes; the built-in specs are a twentieth.
const maxBundle = 8 << 20

// Errors of a bundle.
var (
	ErrNoKey    = errors.New("this build knows no key that bundles are signed with")
	ErrUnsigned = errors.New("the signature does not fit")
	ErrOlder    = errors.New("the built-in specs are as new")
)

// bundlePath is where an installed bundle lies.
func bundlePath(dir home.Dir) string {
	return filepath.Join(dir.Toolspecs(), filepath.FromSlash(toolspecs.BundleFile))
}

// InstallBundle verifies a bundle of specs by the signature beside it (FILE.minisig)
// and puts it in force. key is a public key of minisign, or a file with one; "" takes
// the release key. A running daemon notices by itself.
func InstallBundle(dir home.Dir, file, key string) (toolspecs.Bundle, error) {
	public, err := publicKey(key)
	if err != nil {
		return toolspecs.Bundle{}, err
	}
	data, err := readBounded(file)
	if err != nil {
		return toolspecs.Bundle{}, err
	}
	signature, err := readBounded(file + ".minisig")
	if err != nil {
		return toolspecs.Bundle{}, fmt.Errorf("%w: %w", ErrUnsigned, err)
	}
	if !minisign.Verify(public, data, signature) {
		return toolspecs.Bundle{}, fmt.Errorf("%w: %s was not signed with the key %X, or was changed since", ErrUnsigned, file, public.ID())
	}
	bundle, err := toolspecs.ParseBundle(data)
	if err != nil {
		return bundle, err
	}
	if !bundle.NewerThanBuiltin() {
		return bundle, fmt.Errorf("%w: the bundle is %s, this Carryover has %s", ErrOlder, bundle.Version, toolspecs.Version)
	}
	if err := os.MkdirAll(filepath.Dir(bundlePath(dir)), 0o700); err != nil {
		return bundle, err
	}
	if err := maybe.WriteFile(bundlePath(dir), data, 0o600); err != nil {
		return bundle, fmt.Errorf("install specs: %w", err)
	}
	return bundle, nil
}

// RemoveBundle takes an installed bundle out of force; removed is false where there
// was none.
func RemoveBundle(dir home.Dir) (removed bool, err error) {
	err = os.Remove(bundlePath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// publicKey is a key given as text or file, or the release key.
func publicKey(key string) (minisign.PublicKey, error) {
	var public minisign.PublicKey
	if key == "" {
		key = specsKey
	}
	if key == "" {
		return public, ErrNoKey
	}
	if public.UnmarshalText([]byte(key)) == nil {
		return public, nil
	}
	text, err := readBounded(key)
	if err != nil {
		return public, fmt.Errorf("read key: %w", err)
	}
	if err := public.UnmarshalText([]byte(strings.TrimSpace(string(text)))); err != nil {
		return public, fmt.Errorf("read key %s: %w", key, err)
	}
	return public, nil
}

func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxBundle {
		return nil, fmt.Errorf("%s is not a file of at most 8 MiB", path)
	}
	return os.ReadFile(path)
}
