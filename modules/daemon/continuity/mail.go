package continuity

import "strings"

// Mail reads a file of the outbox. A file without commands is a save; one whose
// end was forgotten ends with the file. What our own documents show is no
// command here either.
func Mail(text string) []Command {
	lines := linesOf(text)
	all, open := Find(lines)
	if len(all) == 0 && open == "" {
		// Somebody may have put the whole into a fence.
		var bare []Line
		for _, line := range lines {
			if !strings.HasPrefix(strings.TrimSpace(line.Text), "```") {
				bare = append(bare, line)
			}
		}
		all, open = Find(bare)
	}
	if len(all) == 0 && open == "" && strings.TrimSpace(text) != "" {
		open = strings.TrimSpace(text)
	}
	if open != "" {
		all = append(all, Command{Save, open})
	}
	recognizer := NewRecognizer()
	var mail []Command
	for i, command := range all {
		if !recognizer.example(all, i) {
			mail = append(mail, command)
		}
	}
	return mail
}
