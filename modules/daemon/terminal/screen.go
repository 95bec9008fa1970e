package terminal

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// Row is one row of the screen or above it.
type Row struct {
	Text string
	// Full says that the row ends at the screen's edge, so that the next one
	// may go on with the same line.
	Full bool
}

// Screen is what a program has drawn: the rows in sight and those that were
// scrolled off since the last Forget. It is safe for concurrent use.
type Screen struct {
	mu       sync.Mutex
	emulator *vt.Emulator
	width    int
	height   int
	modes    map[ansi.Mode]bool // those the program has set or reset
	drawn    time.Time
	any      bool // something was drawn
	moved    bool // the cursor went up, or rows were cleared
}

// NewScreen makes an empty screen of a size in cells.
func NewScreen(width, height int) *Screen {
	s := &Screen{
		emulator: vt.NewEmulator(max(width, 1), max(height, 1)),
		width:    max(width, 1), height: max(height, 1), modes: map[ansi.Mode]bool{},
	}
	s.emulator.SetScrollbackSize(roomAbove)
	s.emulator.SetCallbacks(vt.Callbacks{
		EnableMode:  func(mode ansi.Mode) { s.modes[mode] = true },
		DisableMode: func(mode ansi.Mode) { s.modes[mode] = false },
	})
	// The program's questions (where is the cursor, what can you do) are
	// answered by the person's terminal; the emulator's answers go nowhere.
	go func() { _, _ = io.Copy(io.Discard, s.emulator) }()
	return s
}

// Close ends the screen; its rows can still be read. It ends the emulator's
// answers, for the emulator's own Close races with who reads them.
func (s *Screen) Close() {
	if answers, ok := s.emulator.InputPipe().(io.Closer); ok {
		_ = answers.Close()
	}
}

// redrawing is how output begins that moves the cursor up or clears.
var redrawing = [][]byte{[]byte("\x1b[H"), []byte("\x1b[2J"), []byte("\x1b[J"), []byte("\x1b[1A"), []byte("\x1b[A")}

// draw takes output. An emulator that stumbles over it keeps what it has.
func (s *Screen) draw(output []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { _ = recover() }()
	s.drawn, s.any = time.Now(), true
	for _, sequence := range redrawing {
		s.moved = s.moved || bytes.Contains(output, sequence)
	}
	_, _ = s.emulator.Write(output)
	s.trim()
}

// How many rows out of sight are kept, and how many a part of a flood may add
// to them. The emulator's own bound is above both: once it is reached each row
// costs a move of all others.
const (
	keptRows  = 5000
	roomAbove = 2*keptRows + lastPart
)

// trim drops the oldest rows.
func (s *Screen) trim() {
	if back := s.emulator.Scrollback(); back.Len() > 2*keptRows {
		back.SetMaxLines(keptRows)
		back.SetMaxLines(roomAbove)
	}
}

func (s *Screen) resize(width, height int) {
	if width <= 0 || height <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.width, s.height = width, height
	s.emulator.Resize(width, height)
}

// Rows are the rows scrolled off and those in sight, above one another.
// scrolled is how many of them are out of sight.
func (s *Screen) Rows() (rows []Row, scrolled int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if back := s.emulator.Scrollback(); back != nil && !s.emulator.IsAltScreen() {
		for _, line := range back.Lines() {
			rows = append(rows, s.row(line))
		}
	}
	scrolled = len(rows)
	for y := range s.height {
		line := make(uv.Line, 0, s.width)
		for x := range s.width {
			if cell := s.emulator.CellAt(x, y); cell != nil {
				line = append(line, *cell)
			}
		}
		rows = append(rows, s.row(line))
	}
	for len(rows) > scrolled && rows[len(rows)-1].Text == "" {
		rows = rows[:len(rows)-1]
	}
	return rows, scrolled
}

func (s *Screen) row(line uv.Line) Row {
	var text strings.Builder
	for _, cell := range line {
		switch {
		case cell.Content != "":
			text.WriteString(cell.Content)
		case cell.Width > 0:
			text.WriteByte(' ')
		}
	}
	trimmed := strings.TrimRight(text.String(), " ")
	return Row{Text: trimmed, Full: ansi.StringWidth(trimmed) >= s.width}
}

// Forget drops the rows that are out of sight.
func (s *Screen) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emulator.ClearScrollback()
}

// Plain says that the program has only ever written line after line, so that
// no row comes twice.
func (s *Screen) Plain() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.moved && !s.emulator.IsAltScreen()
}

// Contains says whether a text is in sight, white space aside.
func (s *Screen) Contains(text string) bool {
	rows, scrolled := s.Rows()
	var all strings.Builder
	for _, row := range rows[max(0, scrolled-s.height):] {
		all.WriteString(squeeze(row.Text))
	}
	return strings.Contains(all.String(), squeeze(text))
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

// Pastes says whether the program has asked for bracketed paste, which it does
// once it reads what is typed.
func (s *Screen) Pastes() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.modes[ansi.ModeBracketedPaste]
}

// Quiet is how long nothing was drawn; 0 before the first output.
func (s *Screen) Quiet() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.any {
		return 0
	}
	return time.Since(s.drawn)
}

// CursorRow is the text of the row with the cursor.
func (s *Screen) CursorRow() string {
	s.mu.Lock()
	y := s.emulator.CursorPosition().Y
	s.mu.Unlock()
	rows, scrolled := s.Rows()
	if scrolled+y < len(rows) {
		return rows[scrolled+y].Text
	}
	return ""
}

// left are the modes, in the order in which they are undone, that make a
// terminal unusable for whoever comes next.
var left = []ansi.Mode{
	ansi.ModeAltScreen, ansi.ModeAltScreenSaveCursor,
	ansi.ModeMouseX10, ansi.ModeMouseNormal, ansi.ModeMouseHighlight, ansi.ModeMouseButtonEvent, ansi.ModeMouseAnyEvent,
	ansi.ModeMouseExtSgr, ansi.ModeFocusEvent, ansi.ModeBracketedPaste, ansi.ModeCursorKeys, ansi.ModeNumericKeypad,
	ansi.ModeSynchronizedOutput,
}

// leftOver is what a terminal must get after a program died without
// putting its modes back; "" when it did.
func (s *Screen) leftOver() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var undo strings.Builder
	for _, mode := range left {
		if s.modes[mode] {
			undo.WriteString(ansi.ResetMode(mode))
		}
	}
	visible, known := s.modes[ansi.ModeTextCursorEnable]
	if undo.Len() > 0 || known && !visible {
		undo.WriteString(ansi.SetModeTextCursorEnable + ansi.ResetStyle)
	}
	return undo.String()
}
