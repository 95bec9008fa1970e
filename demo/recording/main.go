// Command recording makes the recorded session of the README: it runs the programs at a
// pseudo-terminal in a throw-away home, over the session of the demo, keeps what they
// print as an asciinema cast, and draws that as a picture that moves.
//
//	go run ./demo/recording -bin bin -story demo/session.jsonl -cast docs/recording.cast -svg docs/recording.svg
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	bin := flag.String("bin", "bin", "folder with carryover")
	story := flag.String("story", "demo/session.jsonl", "transcript to begin with")
	cast := flag.String("cast", "docs/recording.cast", "where the cast is written")
	svg := flag.String("svg", "docs/recording.svg", "where the picture is written")
	flag.Parse()
	if err := write(*bin, *story, *cast, *svg); err != nil {
		fmt.Fprintln(os.Stderr, "recording:", err)
		os.Exit(1)
	}
}

func write(bin, story, castPath, svgPath string) error {
	made, err := record(bin, story)
	if err != nil {
		return err
	}
	text, err := made.encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(castPath, text, 0o644); err != nil {
		return err
	}
	return os.WriteFile(svgPath, []byte(draw(made)), 0o644)
}
