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

// perHit is how many lines a hit takes; around the hits stand the query, the filters,
// the note and the keys.
const (
	perHit = 2
	around = 4
)

// beside is from which width on the preview stands beside the hits; below it, it takes
// a third of the lines.
const beside = 110

// View draws the query, as many hits as there is room for, the text around the one under
// the cursor, and what the keys do.
func (s screen) View() tea.View {
	lines := []string{s.input.View(), s.filters()}
	room := max(perHit, s.height-around)
	switch {
	case s.width >= beside:
		left := s.width / 2
		lines = append(lines, joined(fitted(s.hits(room), left-2), fitted(s.around(room, s.width-left), s.width-left), left)...)
	case s.preview != "" && room > 4*perHit:
		third := room / 3
		lines = append(lines, s.hits(room-third-1)...)
		lines = append(lines, grey.Render(strings.Repeat("-", max(1, s.width))))
		lines = append(lines, s.around(third, s.width)...)
	default:
		lines = append(lines, s.hits(room)...)
	}
	note := s.found.Note
	if s.said != "" {
		note = s.said
	}
	lines = append(lines, Clean(note), grey.Render("up and down move, enter opens, ctrl+y copies, esc quits"))
	view := tea.NewView(strings.Join(fitted(lines, s.width), "\n"))
	view.AltScreen = true
	view.Cursor = s.input.Cursor()
	return view
}

// filters are the filters with what they are set to, and their keys.
func (s screen) filters() string {
	var parts []string
	for _, filter := range s.finder.Filters {
		if value := filter.Value(); value != "" {
			parts = append(parts, filter.Key+" "+filter.Name+" "+bold.Render(Clean(value)))
		} else {
			parts = append(parts, grey.Render(filter.Key+" "+filter.Name+" any"))
		}
	}
	return strings.Join(parts, "   ")
}

// hits are those around the cursor, in so many lines.
func (s screen) hits(lines int) []string {
	room := max(1, lines/perHit)
	from := max(0, s.at-room+1)
	var shown []string
	for i := from; i < min(len(s.found.Hits), from+room); i++ {
		shown = append(shown, s.hit(i)...)
	}
	return shown
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

// around is the beginning of the text around the hit, in so many lines of a width.
func (s screen) around(lines, width int) []string {
	var shown []string
	for line := range strings.Lines(s.preview) {
		wrapped := lipgloss.Wrap(Clean(strings.TrimRight(line, "\n")), max(1, width), " ")
		shown = append(shown, strings.Split(wrapped, "\n")...)
		if len(shown) >= lines {
			return shown[:lines]
		}
	}
	return shown
}

// fitted are lines cut to a width.
func fitted(lines []string, width int) []string {
	fit := lipgloss.NewStyle().MaxWidth(max(1, width))
	cut := make([]string, len(lines))
	for i, line := range lines {
		cut[i] = fit.Render(line)
	}
	return cut
}

// joined puts two columns beside one another, the second from a place on.
func joined(left, right []string, at int) []string {
	rows := make([]string, max(len(left), len(right)))
	for i := range rows {
		if i < len(left) {
			rows[i] = left[i]
		}
		if i < len(right) {
			rows[i] += strings.Repeat(" ", max(0, at-lipgloss.Width(rows[i]))) + right[i]
		}
	}
	return rows
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
