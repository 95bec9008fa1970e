package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Note is a section of what is typed to a named agent. Weight is what its
// first line is worth against those of other sections.
type Note struct {
	Title  string
	Lines  []string
	Weight float64
}

// Typed is what is typed to a named agent: the same frame as a handoff's, 50
// lines, 9,000 bytes and 240 characters a line. more names the command that
// shows what did not fit. It is empty when there is nothing to say.
func Typed(from string, updated time.Time, mode Mode, notes []Note, more string) (string, error) {
	all := make([]section, 0, len(notes))
	for _, note := range notes {
		s := section{title: note.Title, weight: note.Weight, decay: 0.85}
		for _, text := range note.Lines {
			if text = width.Truncate(harmless(clean(text)), maxWidth-2); text != "" {
				s.lines = append(s.lines, line{text: "- " + text})
			}
		}
		if len(s.lines) > 0 {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	head := typedHead(from, updated, mode)
	headLines, headBytes, _ := size(head)
	left := func(n int) string { return fmt.Sprintf(" (+%d more: %s)", n, more) }
	kept, _ := fit(all, maxLines-headLines, maxBytes-headBytes, left)
	var b strings.Builder
	b.WriteString(head)
	for i, s := range all {
		writeSection(&b, s, kept[i], left)
	}
	return Compose("", nil, b.String())
}

func typedHead(from string, updated time.Time, mode Mode) string {
	words := map[Mode]string{Ask: wordsAsk, Brief: wordsBrief}[mode]
	if words == "" {
		mode, words = Silent, wordsSilent
	}
	data, _, _ := strings.Cut(wordsData, " It is the same")
	return strings.Join([]string{
		fmt.Sprintf("%s Last updated %s from %s", transcript.Sentinel, stamp(distiller.Facts{Updated: updated}), width.Truncate(fallback(clean(from), "an unknown agent"), 80)),
		"# RESUME PROTOCOL: " + string(mode), words, data,
	}, "\n") + "\n"
}

// harmless breaks up what an agent's screen would take for a command when it
// echoes the text.
func harmless(text string) string { return strings.ReplaceAll(text, "->continuity:", "-> continuity:") }
