// Package picker asks one question: which of a few things. On a terminal it is
// a list of check boxes, elsewhere a numbered list and one line of answer.
package picker

import (
	"context"
	"errors"
	"os"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"
	"golang.org/x/term"
)

// Errors of asking.
var (
	// ErrNobody says that nobody is there to answer.
	ErrNobody = errors.New("cannot ask: there is no terminal")
	// ErrStopped says that the person left without an answer.
	ErrStopped = errors.New("canceled")
)

// Choice is one thing to be chosen or not.
type Choice struct {
	Value   string // what Ask returns
	Name    string
	Detail  string // stands behind the name, in a column of its own
	Missing bool   // shown in grey; it can be chosen all the same
	Checked bool   // chosen unless the person says otherwise
}

// Question is what is asked, and where.
type Question struct {
	Title   string
	Verb    string // what enter does: "installs"
	Choices []Choice
	Note    string   // what stands with the list, "" for nothing
	UTF8    bool     // the terminal can show more than ASCII
	In      *os.File // keys, or one line
	Out     *os.File // where the question is drawn
}

// Ask returns the values that were chosen, in the order of the choices.
func (q Question) Ask(ctx context.Context) ([]string, error) {
	if q.drawable() {
		return q.draw(ctx)
	}
	return q.plain()
}

// drawable says whether both ends are a terminal that can move its cursor.
func (q Question) drawable() bool {
	switch os.Getenv("TERM") {
	case "", "dumb":
		return false
	}
	return term.IsTerminal(int(q.In.Fd())) && term.IsTerminal(int(q.Out.Fd()))
}

// draw is the list of check boxes.
func (q Question) draw(ctx context.Context) ([]string, error) {
	chosen := q.checked()
	var options []huh.Option[string]
	for i, label := range q.labels() {
		if q.Choices[i].Missing {
			label = lipgloss.NewStyle().Foreground(lipgloss.BrightBlack).Render(label)
		}
		options = append(options, huh.NewOption(label, q.Choices[i].Value))
	}
	above := "space selects, enter " + q.Verb + ", esc cancels"
	if q.Note != "" {
		above += "\n" + q.Note
	}
	list := huh.NewMultiSelect[string]().
		Title(q.Title).Description(above).
		Filterable(false).Value(&chosen).Options(options...).
		Height(len(options) + 2 + strings.Count(above, "\n")) // and the lines above
	form := huh.NewForm(huh.NewGroup(list)).
		WithShowHelp(false).WithTheme(huh.ThemeFunc(q.theme)).WithKeyMap(keys())
	// huh runs a form that is left by breaking off its program, which leaves
	// the last picture or not, as it happens. Here both ways end it.
	form.SubmitCmd, form.CancelCmd = tea.Quit, tea.Quit
	_, err := tea.NewProgram(drawn{form}, tea.WithContext(ctx), tea.WithInput(q.In), tea.WithOutput(q.Out)).Run()
	if form.State == huh.StateAborted || ctx.Err() != nil {
		return nil, ErrStopped
	}
	return chosen, err
}

// drawn is a form as a program of its own; one that has ended shows nothing.
type drawn struct{ form *huh.Form }

func (d drawn) Init() tea.Cmd { return d.form.Init() }

func (d drawn) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := d.form.Update(msg)
	return d, cmd
}

func (d drawn) View() tea.View { return tea.NewView(d.form.View()) }

// keys are huh's, and esc and q to leave.
func keys() *huh.KeyMap {
	keys := huh.NewDefaultKeyMap()
	keys.Quit = key.NewBinding(key.WithKeys("ctrl+c", "esc", "q"))
	return keys
}

// theme is plain: colours are the terminal's own, and only where they say
// something.
func (q Question) theme(dark bool) *huh.Styles {
	theme := huh.ThemeBase(dark)
	tick, border := "[x] ", lipgloss.Border{Left: "|"}
	if q.UTF8 {
		tick, border = "[✓] ", lipgloss.Border{Left: "┃"}
	}
	theme.Focused.Base = theme.Focused.Base.BorderStyle(border).BorderForeground(lipgloss.BrightBlack)
	theme.Focused.Title = theme.Focused.Title.Bold(true)
	theme.Focused.Description = theme.Focused.Description.Foreground(lipgloss.BrightBlack)
	theme.Focused.MultiSelectSelector = theme.Focused.MultiSelectSelector.Foreground(lipgloss.Cyan)
	theme.Focused.SelectedPrefix = lipgloss.NewStyle().SetString(tick).Foreground(lipgloss.Green)
	return theme
}

// labels are name and detail in two columns.
func (q Question) labels() []string {
	widest := 0
	for _, choice := range q.Choices {
		widest = max(widest, lipgloss.Width(choice.Name))
	}
	labels := make([]string, len(q.Choices))
	for i, choice := range q.Choices {
		gap := strings.Repeat(" ", widest-lipgloss.Width(choice.Name)+2)
		labels[i] = strings.TrimRight(choice.Name+gap+choice.Detail, " ")
	}
	return labels
}

// checked are the values that are chosen from the start.
func (q Question) checked() []string {
	values := []string{}
	for _, choice := range q.Choices {
		if choice.Checked {
			values = append(values, choice.Value)
		}
	}
	return values
}
