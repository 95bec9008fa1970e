package finder

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

var (
	grey  = lipgloss.NewStyle().Foreground(lipgloss.BrightBlack)
	bold  = lipgloss.NewStyle().Bold(true)
	under = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
)

// perHit is how many lines a hit takes; around the hits stand the query, an
// empty line, the note and the keys.
const (
	perHit = 2
	around = 4
)

// View draws the query, as many hits as there is room for, and what the keys
// do.
func (s screen) View() tea.View {
	lines := []string{s.input.View(), ""}
	room := max(1, (s.height-around)/perHit)
	from := max(0, s.at-room+1)
	for i := from; i < min(len(s.found.Hits), from+room); i++ {
		lines = append(lines, s.hit(i)...)
	}
	lines = append(lines, s.found.Note, grey.Render("up and down move, enter opens, esc quits"))
	fit := lipgloss.NewStyle().MaxWidth(max(1, s.width))
	for i, line := range lines {
		lines[i] = fit.Render(line)
	}
	view := tea.NewView(strings.Join(lines, "\n"))
	view.AltScreen = true
	view.Cursor = s.input.Cursor()
	return view
}

func (s screen) hit(i int) []string {
	hit, pointer := s.found.Hits[i], ">"
	if s.finder.UTF8 {
		pointer = "▸"
	}
	if i != s.at {
		return []string{"  " + grey.Render(Clean(hit.Head)), "    " + Marked(hit.Text, hit.Marks)}
	}
	return []string{under.Render(pointer+" ") + Clean(hit.Head), "    " + Marked(hit.Text, hit.Marks)}
}

// Marked is a text with its marks in bold.
func Marked(text string, marks [][2]int) string {
	var out strings.Builder
	end := 0
	for _, mark := range marks {
		out.WriteString(Clean(text[end:mark[0]]))
		out.WriteString(bold.Render(Clean(text[mark[0]:mark[1]])))
		end = mark[1]
	}
	out.WriteString(Clean(text[end:]))
	return out.String()
}

// Clean takes out of a text what would move the cursor or change colours: it
// comes from a transcript.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d' || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, text)
}
