// Packaging writes the manifests of every shop out of versions.yaml and
// packaging/: those in the tree, and with -dist those of a release.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/packaging"
	"github.com/carryover-go/carryover/toolspecs"
)

func main() {
	root := flag.String("root", ".", "the source tree in `DIR`")
	dist := flag.String("dist", "", "write the manifests of the archives in `DIR` beside them, instead of those in the tree")
	bundle := flag.String("bundle", "", "write the bundle of the specs to `FILE`, to be signed with minisign")
	some := flag.Bool("some", false, "with -dist: leave out what names an archive that was not made, instead of refusing")
	nar := flag.String("nar", "", "print the hash that Nix gives the folder `DIR`, and write nothing")
	names := flag.Bool("names", false, "ask the registries which names are taken, and write nothing")
	flag.Parse()
	var err error
	if *nar != "" {
		err = printHash(*nar)
	} else {
		err = run(*root, *dist, *bundle, *some, *names)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

func run(root, dist, bundle string, some, names bool) error {
	p, err := packaging.Load(root)
	switch {
	case err != nil:
		return err
	case names:
		return askNames(p)
	case bundle != "":
		return writeBundle(bundle)
	case dist != "":
		return release(p, dist, some)
	}
	files, err := packaging.Tree(root, p)
	if err != nil {
		return err
	}
	return packaging.Write(root, files)
}

func printHash(dir string) error {
	sum, err := packaging.NARHash(dir)
	if err == nil {
		fmt.Println(sum)
	}
	return err
}

// writeBundle writes the specs of this tree as a file of their own.
func writeBundle(path string) error {
	made, err := toolspecs.NewBundle()
	if err != nil {
		return err
	}
	text, err := json.Marshal(made)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// release writes DIST/channels and DIST/npm. Some platforms may do, as in a snapshot.
func release(p packaging.Product, dist string, some bool) error {
	r, err := packaging.ReadRelease(dist, p)
	if err != nil {
		return err
	}
	for _, made := range []string{"channels", "npm"} {
		if err := os.RemoveAll(filepath.Join(dist, made)); err != nil {
			return err
		}
	}
	if err := packaging.NPM(r, dist, filepath.Join(dist, "npm")); err != nil {
		return err
	}
	install, err := os.ReadFile(filepath.Join("packaging", "install.sh"))
	if err != nil {
		return err
	}
	channels := packaging.Channels
	if some {
		channels = packaging.SomeChannels
	}
	files, err := channels(r)
	if err != nil {
		return err
	}
	files["install.sh"] = install
	return packaging.Write(filepath.Join(dist, "channels"), files)
}

// askNames says of each name in npm whether it is taken. Other shops have no
// command for it here; they are named, to be looked up by hand.
func askNames(p packaging.Product) error {
	for _, name := range []string{p.NPM, p.NPMScope + "/linux-x64"} {
		out, err := exec.Command("npm", "view", name, "name", "--json").Output()
		state := "taken"
		var failed *exec.ExitError
		switch {
		case errors.As(err, &failed) && strings.Contains(string(out)+string(failed.Stderr), "E404"):
			state = "free"
		case err != nil:
			state = "not known: " + err.Error()
		}
		fmt.Printf("npm  %-28s %s\n", name, state)
	}
	fmt.Printf("by hand: Homebrew %s, AUR %s-bin, winget %s, MCP registry %s, GitHub %s/%s\n", p.Name, p.Name, p.WinGet, p.MCP, p.Owner(), p.Repository())
	return nil
}
