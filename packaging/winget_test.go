package packaging_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/carryover-go/carryover/packaging"
)

// wingetFile is what each of winget's three files has.
type wingetFile struct {
	Identifier      string `yaml:"PackageIdentifier"`
	Version         string `yaml:"PackageVersion"`
	ManifestType    string `yaml:"ManifestType"`
	ManifestVersion string `yaml:"ManifestVersion"`
}

type wingetVersionFile struct {
	wingetFile    `yaml:",inline"`
	DefaultLocale string `yaml:"DefaultLocale"`
}

type wingetInstallerFile struct {
	wingetFile `yaml:",inline"`
	Type       string `yaml:"InstallerType"`
	Nested     string `yaml:"NestedInstallerType"`
	Files      []struct {
		Path  string `yaml:"RelativeFilePath"`
		Alias string `yaml:"PortableCommandAlias"`
	} `yaml:"NestedInstallerFiles"`
	Installers []struct {
		Architecture string `yaml:"Architecture"`
		URL          string `yaml:"InstallerUrl"`
		SHA256       string `yaml:"InstallerSha256"`
	} `yaml:"Installers"`
}

type wingetLocaleFile struct {
	wingetFile       `yaml:",inline"`
	Locale           string   `yaml:"PackageLocale"`
	Publisher        string   `yaml:"Publisher"`
	PublisherURL     string   `yaml:"PublisherUrl"`
	Name             string   `yaml:"PackageName"`
	URL              string   `yaml:"PackageUrl"`
	License          string   `yaml:"License"`
	LicenseURL       string   `yaml:"LicenseUrl"`
	ShortDescription string   `yaml:"ShortDescription"`
	Description      string   `yaml:"Description"`
	Moniker          string   `yaml:"Moniker"`
	Tags             []string `yaml:"Tags"`
}

func winget(r packaging.Release, files map[string][]byte) error {
	var version wingetVersionFile
	var installer wingetInstallerFile
	var locale wingetLocaleFile
	err := wingetRead(files, r.WinGet+".yaml", &version)
	return errors.Join(err,
		wingetRead(files, r.WinGet+".installer.yaml", &installer),
		wingetRead(files, r.WinGet+".locale."+version.DefaultLocale+".yaml", &locale),
		wingetSame(r, "version", version.wingetFile, files[r.WinGet+".yaml"]),
		wingetSame(r, "installer", installer.wingetFile, files[r.WinGet+".installer.yaml"]),
		wingetSame(r, "defaultLocale", locale.wingetFile, files[r.WinGet+".locale."+version.DefaultLocale+".yaml"]),
		wingetInstaller(r, installer), wingetText(r, version, locale))
}

// wingetRead reads a file, whose fields must all be known.
func wingetRead(files map[string][]byte, name string, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(files[name]))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

var (
	wingetIdentifier = regexp.MustCompile(`^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$`)
	wingetVersion    = regexp.MustCompile(`^[^\\/:*?"<>|]{1,128}$`)
	wingetLocale     = regexp.MustCompile(`^[a-zA-Z]{2,3}(-[a-zA-Z]{1,8})*$`)
)

// wingetSame looks at what all three have, and at the schema that an editor is told.
func wingetSame(r packaging.Release, kind string, m wingetFile, text []byte) error {
	schema := "# yaml-language-server: $schema=https://aka.ms/winget-manifest." + kind + "." + m.ManifestVersion + ".schema.json\n"
	return rules{
		kind + " PackageIdentifier": m.Identifier == r.WinGet && wingetIdentifier.MatchString(m.Identifier),
		kind + " PackageVersion":    m.Version == r.Version && wingetVersion.MatchString(m.Version),
		kind + " ManifestType":      m.ManifestType == kind,
		kind + " ManifestVersion":   m.ManifestVersion == "1.9.0",
		kind + " schema":            bytes.Contains(text, []byte(schema)),
	}.broken()
}

func wingetInstaller(r packaging.Release, m wingetInstallerFile) error {
	want, err := archives(r, "windows/amd64", "windows/arm64")
	if err != nil {
		return err
	}
	holds := rules{
		"InstallerType": m.Type == "zip" && m.Nested == "portable",
		"Installers":    len(m.Installers) == 2,
	}
	architectures := map[string]string{"x64": "windows/amd64", "arm64": "windows/arm64"}
	for _, one := range m.Installers {
		platform, known := architectures[one.Architecture]
		delete(architectures, one.Architecture)
		holds["installer "+one.URL] = known && [2]string{one.URL, strings.ToLower(one.SHA256)} == want[platform]
	}
	var inside []string
	for _, file := range m.Files {
		inside = append(inside, file.Path)
		holds[file.Path] = file.Alias+".exe" == file.Path && len(file.Alias) <= 40
	}
	holds["NestedInstallerFiles"] = slices.Equal(inside, windowsPrograms())
	return holds.broken()
}

func wingetText(r packaging.Release, version wingetVersionFile, m wingetLocaleFile) error {
	long := func(text string, from, to int) bool { return from <= len(text) && len(text) <= to }
	url := func(text string) bool { return strings.HasPrefix(text, r.Homepage()) && len(text) <= 2048 }
	tags := slices.Clone(m.Tags)
	slices.Sort(tags)
	return rules{
		"PackageLocale":    m.Locale == version.DefaultLocale && wingetLocale.MatchString(m.Locale),
		"Publisher":        long(m.Publisher, 2, 256),
		"PackageName":      long(m.Name, 2, 256),
		"License":          long(m.License, 3, 512),
		"ShortDescription": long(m.ShortDescription, 3, 256),
		"Description":      long(m.Description, 3, 10000),
		"Moniker":          long(m.Moniker, 1, 40),
		"URLs":             url(m.PublisherURL) && url(m.URL) && url(m.LicenseURL),
		"Tags":             len(tags) <= 16 && len(slices.Compact(tags)) == len(m.Tags) && !slices.ContainsFunc(m.Tags, func(tag string) bool { return !long(tag, 1, 40) }),
	}.broken()
}
