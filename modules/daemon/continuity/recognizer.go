package continuity

import "strings"

// Recognizer finds the commands an agent gives on a screen that is looked at
// again and again: each gets once, however often its rows are drawn.
type Recognizer struct {
	shown map[string]int // by identity: how many stood on the screen at once
	own   map[string]bool
	open  string
}

// NewRecognizer makes a recognizer that takes what our own documents show as
// examples for what it is.
func NewRecognizer() *Recognizer {
	r := &Recognizer{shown: map[string]int{}, own: map[string]bool{}}
	examples, _ := Find(linesOf(Example()))
	for _, example := range examples {
		if example.Text != "" {
			r.own[example.identity()] = true
		}
	}
	return r
}

// See returns the commands that are new among those on rows.
func (r *Recognizer) See(rows []Line) []Command {
	all, open := Find(rows)
	count := map[string]int{}
	var fresh []Command
	for i, command := range all {
		id := command.identity()
		if r.example(all, i) {
			continue
		}
		if count[id]++; count[id] <= r.shown[id] {
			continue
		}
		r.shown[id] = count[id]
		if command.Verb == Save && r.open != "" {
			r.open = ""
		}
		fresh = append(fresh, command)
	}
	if open != "" && r.shown[Command{Save, open}.identity()] == 0 {
		r.open = open
	}
	return fresh
}

// Close takes the open save for ended: nothing was added to it for a while.
func (r *Recognizer) Close() Command {
	command := Command{Save, r.open}
	r.shown[command.identity()]++
	r.open = ""
	return command
}

// example says that a command is one of our documents' own: by its words, or,
// where it has none, by standing beside such a one.
func (r *Recognizer) example(all []Command, i int) bool {
	if all[i].Text != "" {
		return r.own[all[i].identity()]
	}
	return i > 0 && r.own[all[i-1].identity()] || i+1 < len(all) && r.own[all[i+1].identity()]
}

// Forget says that rows are gone for good and will not be drawn again, so that
// what they asked for may be asked for again.
func (r *Recognizer) Forget(rows []Line) {
	gone, _ := Find(rows)
	for _, command := range gone {
		if id := command.identity(); command.Verb != Save && r.shown[id] > 0 {
			r.shown[id]--
		}
	}
}

// Open is the text of a save that was begun and never ended; "" when there is
// none.
func (r *Recognizer) Open() string {
	if strings.TrimSpace(r.open) == "" {
		return ""
	}
	return r.open
}

// Pending says whether the end of a save is waited for.
func (r *Recognizer) Pending() bool { return r.open != "" }

func linesOf(text string) []Line {
	var rows []Line
	for line := range strings.Lines(text) {
		rows = append(rows, Line{Text: strings.TrimRight(line, "\r\n")})
	}
	return rows
}
