package terminal

import (
	"bytes"

	"github.com/charmbracelet/x/ansi"
)

// A virtual screen draws a few megabytes a second, a program prints hundreds.
// Of a flood only what may matter is drawn: its end, which is what stands on
// the screen, pieces with the word that all commands have, and changes of the
// terminal's modes.
const (
	overflow  = 1 << 20  // bytes not taken yet that are skimmed where they wait
	flood     = 64 << 10 // bytes taken at once that are skimmed
	piece     = 4 << 10  // granularity of skimming
	lastPart  = 16 << 10 // always drawn: more than a screen
	openBlock = 256 << 10
)

var (
	keyword    = []byte("continuity:")
	blockStart = []byte("<<<")
	blockEnd   = []byte(">>>")
	modeChange = []byte("\x1b[?")
	escape     = []byte{0x1b}
)

// sample drops of a flood what cannot matter.
func sample(output []byte) []byte {
	if len(output) <= lastPart {
		return output
	}
	kept := make([]byte, 0, 2*lastPart)
	open := 0 // bytes that an open block may still take
	dropped := false
	end := len(output) - lastPart
	for at := 0; at < end; at += piece {
		stop := min(at+piece, end)
		// What begins in this piece may go on in the next.
		seen := output[at:min(stop+len(keyword)*4, len(output))]
		if bytes.Contains(seen, escape) {
			seen = []byte(ansi.Strip(string(seen)))
		}
		if bytes.Contains(seen, keyword) && bytes.Contains(seen, blockStart) {
			open = openBlock
		}
		if open <= 0 && !bytes.Contains(seen, keyword) && !bytes.Contains(output[at:stop], modeChange) {
			dropped = true
			continue
		}
		kept = appendPiece(kept, output[lineStart(output, at, dropped):stop], dropped)
		dropped = false
		if open -= stop - at; bytes.LastIndex(seen, blockEnd) > bytes.LastIndex(seen, blockStart) {
			open = 0
		}
	}
	return appendPiece(kept, output[lineStart(output, end, dropped):], dropped)
}

// lineStart moves a place back to the beginning of its line, if what stands
// before it was dropped and the line is not long.
func lineStart(output []byte, at int, dropped bool) int {
	if !dropped {
		return at
	}
	if n := bytes.LastIndexByte(output[max(0, at-piece):at], '\n'); n >= 0 {
		return max(0, at-piece) + n + 1
	}
	return at
}

func appendPiece(kept, part []byte, afterGap bool) []byte {
	if afterGap {
		kept = append(kept, "\x1b[0m\r\n"...)
	}
	return append(kept, part...)
}
