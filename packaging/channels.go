package packaging

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ErrNoArchive is that of a manifest that names an archive which was not made.
var ErrNoArchive = errors.New("checksums.txt does not have it")

// Release is a product with the hashes of its archives.
type Release struct {
	Product
	sums map[string]string // SHA-256 in hexadecimal, by the archive's name
}

// ReadRelease reads the checksums.txt of a folder of archives. The version is
// that of the archives: a snapshot has another than versions.yaml.
func ReadRelease(dist string, p Product) (Release, error) {
	r := Release{Product: p, sums: map[string]string{}}
	data, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		return r, fmt.Errorf("%w; make the archives first: make snapshot", err)
	}
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || len(sum) != 64 {
			return r, fmt.Errorf("checksums.txt: %q is not a SHA-256 and a name", strings.TrimSpace(line))
		}
		r.sums[name] = sum
		if version, isArchive := archiveVersion(p.Name, name); isArchive {
			r.Version = version
		}
	}
	return r, nil
}

// archiveVersion reads the version out of NAME_VERSION_OS_ARCH.EXT.
func archiveVersion(product, name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, product+"_")
	if !ok || !strings.HasSuffix(name, ".tar.gz") && !strings.HasSuffix(name, ".zip") {
		return "", false
	}
	return rest[:max(strings.IndexByte(rest, '_'), 0)], strings.Count(rest, "_") == 2
}

// On is the platform of that name ("linux/amd64").
func (Release) On(name string) (Platform, error) {
	for _, on := range Platforms() {
		if on.OS+"/"+on.Arch == name {
			return on, nil
		}
	}
	return Platform{}, fmt.Errorf("no release is made for %s", name)
}

// Sum is the hash of a platform's archive.
func (r Release) Sum(on Platform) (string, error) {
	sum, ok := r.sums[r.ArchiveName(on)]
	if !ok {
		return "", fmt.Errorf("%w: %s", ErrNoArchive, r.ArchiveName(on))
	}
	return sum, nil
}

// Has says that a platform's archive was made.
func (r Release) Has(name string) bool {
	on, err := r.On(name)
	if err != nil {
		return false
	}
	_, err = r.Sum(on)
	return err == nil
}

// Channels are the manifests of a release, by their path below a folder of it. An
// archive of any platform that was not made is an error.
func Channels(r Release) (map[string][]byte, error) {
	for _, on := range Platforms() {
		if _, err := r.Sum(on); err != nil {
			return nil, err
		}
	}
	return renderAll(inChannels, r)
}

// SomeChannels are the manifests of the shops that need no archive which was not made: a
// snapshot may be of one platform.
func SomeChannels(r Release) (map[string][]byte, error) {
	out, none := map[string][]byte{}, map[string]bool{}
	for _, one := range inChannels {
		made, err := renderAll([]file{one}, r)
		if errors.Is(err, ErrNoArchive) {
			none[path.Dir(one.path)] = true
		} else if err != nil {
			return nil, err
		}
		maps.Copy(out, made)
	}
	maps.DeleteFunc(out, func(name string, _ []byte) bool { return none[path.Dir(name)] })
	return out, nil
}

// ArchVersion is the version as Arch Linux takes it, which knows no "-".
func (r Release) ArchVersion() string { return strings.ReplaceAll(r.Version, "-", "_") }
